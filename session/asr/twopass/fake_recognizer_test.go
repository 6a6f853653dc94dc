package twopass_test

import (
	"context"
	"reflect"
	"sync/atomic"
	"testing"

	"steno/session/asr"
	"steno/session/asr/scripted"
)

// fakeRecognizer is a recognizer that reports its calls, and misbehaves where a function is set.
type fakeRecognizer struct {
	asr.Recognizer
	open  func(ctx context.Context) error
	write func(ctx context.Context, samples int) error
	recv  func(ctx context.Context) (asr.Result, error)

	opened, paused, ended atomic.Int64
	ctx                   context.Context // of the last utterance
}

func (r *fakeRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	r.opened.Add(1)
	r.ctx = ctx
	if r.open != nil {
		if err := r.open(ctx); err != nil {
			return nil, err
		}
	}
	u, err := r.Recognizer.Open(ctx, p)
	if err != nil {
		return nil, err
	}
	return &fakeStream{Stream: u, fake: r, ctx: ctx}, nil
}

type fakeStream struct {
	asr.Stream
	fake *fakeRecognizer
	ctx  context.Context
}

func (u *fakeStream) Write(samples []int16) error {
	if u.fake.write != nil {
		if err := u.fake.write(u.ctx, len(samples)); err != nil {
			return err
		}
	}
	return u.Stream.Write(samples)
}

func (u *fakeStream) Pause() error {
	u.fake.paused.Add(1)
	return u.Stream.Pause()
}

func (u *fakeStream) End() error {
	u.fake.ended.Add(1)
	return u.Stream.End()
}

func (u *fakeStream) Recv() (asr.Result, error) {
	if u.fake.recv != nil {
		return u.fake.recv(u.ctx)
	}
	return u.Stream.Recv()
}

// french and english show by the language of a result which recognizer it is from; Open is called
// without one.
func french() asr.Recognizer  { return scripted.New(scripted.Config{Languages: []string{"fr"}}) }
func english() asr.Recognizer { return scripted.New(scripted.Config{Languages: []string{"en"}}) }

func begin(t *testing.T, r asr.Recognizer, p asr.Params) asr.Stream {
	t.Helper()
	u, err := r.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func write(t *testing.T, u asr.Stream, samples []int16) {
	t.Helper()
	if err := u.Write(samples); err != nil {
		t.Fatal(err)
	}
}

// finish ends an utterance and returns its final; a partial on the way fails the test.
func finish(t *testing.T, u asr.Stream) asr.Result {
	t.Helper()
	if err := u.End(); err != nil {
		t.Fatal(err)
	}
	result, err := u.Recv()
	if err != nil || !result.Final {
		t.Fatalf("received %v, %v; want the final", result, err)
	}
	return result
}

// alone returns the final of the recognizer of finals alone.
func alone(t *testing.T, samples []int16) asr.Result {
	t.Helper()
	u := begin(t, english(), asr.Params{})
	write(t, u, samples)
	return finish(t, u)
}

func same(t *testing.T, got, want asr.Result) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
