package twopass_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/synctest"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/twopass"
)

var (
	speech  = asrtest.Ramp(2*asr.Rate, 1)
	errDown = fmt.Errorf("engine down: %w", asr.ErrUnavailable)
)

func TestPartialsAreOfOneRecognizerTheFinalOfTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		followed, decoded := &fakeRecognizer{Recognizer: french()}, &fakeRecognizer{Recognizer: english()}
		u := begin(t, join(t, followed, decoded), asr.Params{Partials: true})
		write(t, u, speech[:asr.Rate])
		if err := u.Pause(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		partial, err := u.Recv()
		if err != nil || partial.Final || partial.Language != "fr" || len(partial.Words) == 0 {
			t.Fatalf("received %v, %v; want one of the recognizer of partials", partial, err)
		}
		write(t, u, speech[asr.Rate:])
		synctest.Wait() // a partial lies ready, worthless once the audio is complete
		same(t, finish(t, u), alone(t, speech))
		synctest.Wait()
		if followed.paused.Load() != 1 || decoded.paused.Load() != 1 {
			t.Errorf("pauses given: %d and %d, want one each", followed.paused.Load(), decoded.paused.Load())
		}
		if followed.ended.Load() != 0 || followed.ctx.Err() == nil || decoded.ctx.Err() == nil {
			t.Error("the recognizer of partials was ended, or one not let go of")
		}
		if _, err := u.Recv(); err != io.EOF {
			t.Errorf("after the final: %v", err)
		}
	})
}

// TestFailingPartialsHarmNothing has the recognizer of partials fail in each way there is. Whether
// it delays the final shows in synctest, which reports a deadlock where anything waits for a
// recognizer that does nothing until its context ends.
func TestFailingPartialsHarmNothing(t *testing.T) {
	wait := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	for name, c := range map[string]struct {
		fake *fakeRecognizer
		why  twopass.Drop
	}{
		"refuses": {&fakeRecognizer{open: func(context.Context) error { return errDown }},
			twopass.DropRefused},
		"has no language": {&fakeRecognizer{open: func(context.Context) error { return asr.ErrLanguage }},
			twopass.DropRefused},
		"opens for ever": {&fakeRecognizer{open: wait}, twopass.DropBehind},
		"blocks in Write": {&fakeRecognizer{write: func(ctx context.Context, _ int) error { return wait(ctx) }},
			twopass.DropBehind},
		"fails in Write": {&fakeRecognizer{write: func(context.Context, int) error { return errDown }},
			twopass.DropLost},
		"fails in Recv": {&fakeRecognizer{recv: func(context.Context) (asr.Result, error) {
			return asr.Result{},
				errDown
		}}, twopass.DropLost},
		"ends by itself": {&fakeRecognizer{recv: func(context.Context) (asr.Result, error) {
			return asr.Result{},
				io.EOF
		}}, twopass.DropLost},
		"gives its finals": {&fakeRecognizer{recv: func(context.Context) (asr.Result,
			error) {
			return asr.Result{Final: true}, nil
		}}, twopass.DropLost},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.fake.Recognizer = french()
				r := join(t, c.fake, english())
				u := begin(t, r, asr.Params{Partials: true})
				long := asrtest.Ramp(twopass.MaxLag+asr.Rate, 3)
				for at := 0; at < len(long); at += asr.Rate {
					write(t, u, long[at:at+asr.Rate])
					synctest.Wait()
				}
				if got := r.Drops(); got[c.why] != 1 || len(got) != 1 {
					t.Errorf("drops %v, want one %q", got, c.why)
				}
				same(t, finish(t, u), alone(t, long))
			})
		})
	}
}

// TestAnUtteranceInTimeIsNotDropped writes in one go as much as may be queued.
func TestAnUtteranceInTimeIsNotDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		given := 0
		follow := &fakeRecognizer{Recognizer: french(), write: func(_ context.Context,
			n int) error {
			given += n
			return nil
		}}
		r := join(t, follow, english())
		u := begin(t, r, asr.Params{Partials: true})
		for range 3 {
			write(t, u, asrtest.Ramp(twopass.MaxLag, 5))
			synctest.Wait()
		}
		if given != 3*twopass.MaxLag || r.Drops()[twopass.DropBehind] != 0 {
			t.Errorf("%d samples given, drops %v", given, r.Drops())
		}
		finish(t, u)
	})
}

func TestUnreadPartialsAreReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := join(t, french(), english())
		u := begin(t, r, asr.Params{Partials: true})
		for at := 0; at < len(speech); at += asr.Rate / 2 {
			write(t, u, speech[at:at+asr.Rate/2])
			synctest.Wait()
		}
		if partial, err := u.Recv(); err != nil || len(partial.Words) < 6 {
			t.Errorf("received %v, %v; want the newest partial", partial, err)
		}
		if n := r.Drops()[twopass.DropReplaced]; n != 3 {
			t.Errorf("%d partials replaced, want 3", n)
		}
		finish(t, u)
	})
}

func TestOnlyFinalsWhereNoPartialsAreWanted(t *testing.T) {
	for name, p := range map[string]asr.Params{"none": {}, "replay": {Partials: true, Priority: asr.Replay}} {
		follow := &fakeRecognizer{Recognizer: french()}
		u := begin(t, join(t, follow, english()), p)
		write(t, u, speech)
		same(t, finish(t, u), alone(t, speech))
		if follow.opened.Load() != 0 {
			t.Errorf("%s: the recognizer of partials is opened", name)
		}
	}
}

func TestARefusalOfTheRecognizerOfFinalsIsTheError(t *testing.T) {
	follow := &fakeRecognizer{Recognizer: french()}
	for _, want := range []error{errDown, asr.ErrLanguage} {
		finals := &fakeRecognizer{Recognizer: english(), open: func(context.Context) error { return want }}
		if _, err := join(t, follow, finals).Open(t.Context(), asr.Params{Partials: true}); err != want {
			t.Errorf("error %v, want %v", err, want)
		}
	}
	if follow.opened.Load() != 0 {
		t.Error("the recognizer of partials is opened")
	}
}

func TestALossOfTheRecognizerOfFinalsIsToldAtOnce(t *testing.T) {
	for cause, want := range map[error]error{errDown: errDown, io.EOF: asr.ErrUnavailable} {
		synctest.Test(t, func(t *testing.T) {
			follow := &fakeRecognizer{Recognizer: french()}
			finals := &fakeRecognizer{Recognizer: english(), recv: func(context.Context) (asr.Result,
				error) {
				return asr.Result{}, cause
			}}
			r := join(t, follow, finals)
			u := begin(t, r, asr.Params{Partials: true})
			for range 2 {
				if result, err := u.Recv(); !errors.Is(err, want) || errors.Is(err, io.EOF) {
					t.Errorf("received %v, %v; want %v", result, err, want)
				}
			}
			synctest.Wait()
			if follow.ctx != nil && follow.ctx.Err() == nil {
				t.Error("the recognizer of partials is not abandoned")
			}
			if len(r.Drops()) > 0 {
				t.Errorf("drops %v: partials are not what was lost", r.Drops())
			}
		})
	}
}

// TestCloseWaits closes with an utterance open for whose partials a Write takes its time.
func TestCloseWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		writing, finished := make(chan struct{}), false
		follow := &fakeRecognizer{Recognizer: french(), write: func(context.Context, int) error {
			<-writing
			finished = true
			return nil
		}}
		r := twopass.New(follow, english())
		u := begin(t, r, asr.Params{Partials: true})
		write(t, u, speech)
		synctest.Wait()
		closed := make(chan struct{})
		go func() { r.Close(); close(closed) }()
		synctest.Wait()
		select {
		case <-closed:
			t.Error("closed while a goroutine still ran")
		default:
		}
		if _, err := u.Recv(); !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("recv after Close: %v", err)
		}
		close(writing)
		<-closed
		if !finished {
			t.Error("write not finished")
		}
		for _, p := range []asr.Params{{}, {Partials: true}} {
			if _, err := r.Open(t.Context(), p); !errors.Is(err, asr.ErrUnavailable) {
				t.Errorf("open after Close: %v", err)
			}
		}
	})
}
