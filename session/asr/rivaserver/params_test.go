package rivaserver_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"steno/session/asr"
	"steno/session/asr/riva"
	"steno/session/asr/rivaserver"
)

// watched hands each utterance's parameters and context to the test, and has them fail in a way of its choice.
type watched struct {
	opened chan asr.Params
	gone   chan struct{} // receives when an utterance has seen its context end
	err    error         // of Recv, when set
}

func (w *watched) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	w.opened <- p
	return &watchedStream{ctx, w}, nil
}

type watchedStream struct {
	ctx context.Context
	w   *watched
}

func (u *watchedStream) Pause() error        { return nil }
func (u *watchedStream) Write([]int16) error { return nil }
func (u *watchedStream) End() error          { return nil }

func (u *watchedStream) Recv() (asr.Result, error) {
	if u.w.err != nil {
		return asr.Result{}, u.w.err
	}
	<-u.ctx.Done()
	u.w.gone <- struct{}{}
	return asr.Result{}, u.ctx.Err()
}

func watch(t *testing.T, err error) (*watched, *riva.Recognizer) {
	w := &watched{opened: make(chan asr.Params, 1), gone: make(chan struct{}, 1), err: err}
	_, address := serveRaw(t, rivaserver.Config{Recognizer: w, Name: "watched"})
	return w, dial(t, riva.Config{Address: address})
}

func TestParametersArrive(t *testing.T) {
	want := asr.Params{
		Language: "no", Partials: true, Priority: asr.Replay,
		Vocabulary: []asr.Term{
			{Text: "Zorblax", Intensity: 0.7, Pronunciations: []string{"zor blacks", "sore blacks"}},
			{Text: "two words", Intensity: 0.7},
			{Text: "plain"},
			{Text: "again", Intensity: 0.7},
		},
	}
	w, r := watch(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := r.Open(ctx, want); err != nil {
		t.Fatal(err)
	}
	if got := <-w.opened; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	cancel()
	<-w.gone // the utterance was abandoned with its call
}

func TestRecognizerErrors(t *testing.T) {
	for name, test := range map[string]struct{ err, want error }{
		"unavailable": {asr.ErrUnavailable, asr.ErrUnavailable},
		"too long":    {asr.ErrTooLong, asr.ErrTooLong},
		"language":    {asr.ErrLanguage, asr.ErrLanguage},
		"other":       {errors.New("decoder lost its way"), asr.ErrUnavailable},
	} {
		_, r := watch(t, test.err)
		u, err := r.Open(t.Context(), asr.Params{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := u.Recv(); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}
