package rivaserver_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"steno/session/asr"
	"steno/session/asr/riva"
	"steno/session/asr/riva/wire"
	"steno/session/asr/rivaserver"
	"steno/session/asr/scripted"
)

// watched hands each utterance's parameters and context to the test, and has them fail in a way of
// its choice.
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
		Language: "no", Partials: true, Priority: asr.Replay, Recorded: true, Party: "the account",
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
	got := <-w.opened
	if got.Party != wire.Party(want.Party) || got.Party == wire.Party("another") || len(got.Party) > 12 {
		t.Errorf("the party is %q", got.Party)
	}
	if want.Party = got.Party; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	cancel()
	<-w.gone // the utterance was abandoned with its call
}

// The largest vocabularies that a request may have cost no utterance.
func TestLargestVocabularies(t *testing.T) {
	repeated := func(s string) []string { return slices.Repeat([]string{strings.Repeat(s, 500)}, 100) }
	for name, term := range map[string]asr.Term{
		"long":    {Text: strings.Repeat("\U0001F600", 500), Pronunciations: repeated("\U0001F600")},
		"escaped": {Text: strings.Repeat("\x01", 500), Pronunciations: repeated("\x01")},
		"empty":   {Pronunciations: make([]string, 100)},
	} {
		vocabulary := slices.Repeat([]asr.Term{term}, 1000)
		for i := range vocabulary {
			vocabulary[i].Text += strconv.Itoa(i) // pronunciations are of different terms
		}
		w, r := watch(t, nil)
		if _, err := r.Open(t.Context(), asr.Params{Vocabulary: vocabulary}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		<-w.opened
	}
}

func TestRecognizerErrors(t *testing.T) {
	for name, test := range map[string]struct{ err, want error }{
		"unavailable": {asr.ErrUnavailable, asr.ErrUnavailable},
		"busy":        {asr.ErrBusy, asr.ErrBusy},
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

// droppingEngine drops every text on purpose.
type droppingEngine struct{ *scripted.Recognizer }

func (d droppingEngine) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	u, err := d.Recognizer.Open(ctx, p)
	return droppingStream{u}, err
}

type droppingStream struct{ asr.Stream }

func (d droppingStream) Recv() (asr.Result, error) {
	r, err := d.Stream.Recv()
	r.Words, r.Dropped = nil, "noise"
	return r, err
}

// Why words were left out arrives with the final.
func TestDroppedArrives(t *testing.T) {
	_, address := serveRaw(t, rivaserver.Config{Recognizer: droppingEngine{scripted.New(scripted.Config{})},
		Name: "dropping"})
	u, err := dial(t, riva.Config{Address: address}).Open(t.Context(), asr.Params{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(u.Write(make([]int16, asr.Rate)), u.End()); err != nil {
		t.Fatal(err)
	}
	if r, err := u.Recv(); err != nil || !r.Final || r.Dropped != "noise" {
		t.Errorf("%+v, %v", r, err)
	}
}
