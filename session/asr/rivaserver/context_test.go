package rivaserver_test

import (
	"context"
	"encoding/base64"
	"slices"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/riva"
	"steno/session/asr/riva/rivapb"
	"steno/session/asr/rivaserver"
	"steno/session/asr/scripted"
)

// contextual is watched, with a model that uses context or not.
type contextual struct {
	*watched
	uses atomic.Bool
}

func (c *contextual) Models(context.Context) ([]asr.Model, error) {
	return []asr.Model{{Name: "model", Languages: []string{"en"}, Context: c.uses.Load()}}, nil
}

// Context is sent to a server whose models use it, and to no other; a client learns from the list
// of models.
func TestContextArrives(t *testing.T) {
	c := &contextual{watched: &watched{opened: make(chan asr.Params, 1), gone: make(chan struct{}, 100)}}
	_, address := serveRaw(t, rivaserver.Config{Recognizer: c, Name: "contextual"})
	r := dial(t, riva.Config{Address: address})
	open := func(given []int16) []int16 {
		t.Helper()
		if _, err := r.Open(t.Context(), asr.Params{Context: given}); err != nil {
			t.Fatal(err)
		}
		return (<-c.opened).Context
	}
	long := asrtest.Ramp(asr.MaxContext, 3)
	for _, uses := range []bool{false, true, false} {
		c.uses.Store(uses)
		models, err := r.Models(t.Context())
		if err != nil || len(models) != 1 || models[0].Context != uses {
			t.Errorf("uses context: %v; models %+v, %v", uses, models, err)
		}
		for _, given := range [][]int16{nil, asrtest.Ramp(161, 5), long} {
			want := given
			if !uses {
				want = nil
			}
			if got := open(given); !slices.Equal(got, want) {
				t.Errorf("uses context: %v; %d samples of context arrive of %d", uses, len(got), len(given))
			}
		}
	}
	c.uses.Store(true)
	if _, err := r.Models(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := open(append(asrtest.Ramp(7, 1), long...)); !slices.Equal(got, long) {
		t.Errorf("%d samples of context arrive of too many", len(got))
	}
}

// followed is a stream that keeps what follows its utterance.
type followed struct {
	asr.Stream
	got chan []int16
}

func (f followed) Follow(samples []int16) error {
	f.got <- slices.Clone(samples)
	return nil
}

// following opens such streams.
type following struct {
	asr.Recognizer
	got chan []int16
}

func (f following) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	u, err := f.Recognizer.Open(ctx, p)
	return followed{u, f.got}, err
}

// What follows an utterance is sent to a server whose streams take it, up to the longest; others
// are spared it.
func TestFollowingArrives(t *testing.T) {
	got := make(chan []int16, 1)
	words := scripted.New(scripted.Config{})
	for _, able := range []bool{true, false} {
		served := asr.Recognizer(words)
		if able {
			served = following{words, got}
		}
		_, address := serveRaw(t, rivaserver.Config{Recognizer: served, Name: "following"})
		r := dial(t, riva.Config{Address: address})
		u, err := r.Open(t.Context(), asr.Params{})
		if err != nil {
			t.Fatal(err)
		}
		given := asrtest.Ramp(asr.MaxFollowing+9, 3)
		for _, err := range []error{u.Write(given[:8000]), asr.Follow(u, given), u.End()} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if final, err := u.Recv(); err != nil || !final.Final {
			t.Errorf("%+v, %v", final, err)
		}
		if !able {
			continue
		}
		if samples := <-got; !slices.Equal(samples, given[:asr.MaxFollowing]) {
			t.Errorf("%d samples arrive", len(samples))
		}
	}
}

// What is no context, or too long for one, is refused.
func TestRefusedContext(t *testing.T) {
	client, _ := serveRaw(t, scriptedEngine(scripted.Config{Context: true}))
	for name, text := range map[string]string{
		"too long": base64.StdEncoding.EncodeToString(make([]byte, 2*asr.MaxContext+2)),
		"odd":      base64.StdEncoding.EncodeToString(make([]byte, 3)),
		"text":     "what was said",
	} {
		request := config(asr.Params{}, "en-US")
		request.GetStreamingConfig().Config.CustomConfiguration = map[string]string{"steno_context": text}
		if answers, err := call(t, client, request); status.Code(err) != codes.InvalidArgument {
			t.Errorf("%s: %v, %v", name, answers, err)
		}
		_, err := client.Recognize(t.Context(), &rivapb.RecognizeRequest{Config: request.GetStreamingConfig().Config})
		if status.Code(err) != codes.InvalidArgument {
			t.Errorf("%s, in one message: %v", name, err)
		}
	}
}
