package whole

import (
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// same compares a final with what it should be.
func same(t *testing.T, got, want asr.Result) {
	t.Helper()
	got.Queued = 0
	if !reflect.DeepEqual(got, want) {
		t.Errorf("final %+v, want %+v", got, want)
	}
}

// TestGuess expects the final begun in a pause to be there when the end follows, and to be dropped
// where speech continues.
func TestGuess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{finals: 100 * time.Millisecond}
		m := serve(t, 2, f, Config{})
		u := open(t, m, asr.Params{})
		must(t, u.Write(noise[:asr.Rate]), u.Pause())
		time.Sleep(time.Second)
		must(t, u.Pause(), u.Write(nil))
		ended := time.Now()
		must(t, u.End())
		_, final := receive(t, u)
		same(t, final, want(f, noise[:asr.Rate], 0))
		if waited := time.Since(ended); waited != 0 || final.Queued != 0 {
			t.Errorf("the final came after %v, %v of that in the queue", waited, final.Queued)
		}
		for _, wait := range []time.Duration{time.Second, 50 * time.Millisecond} { // decoded, being decoded
			u := open(t, m, asr.Params{})
			must(t, u.Write(noise[:asr.Rate]), u.Pause())
			time.Sleep(wait)
			must(t, u.Write(noise[asr.Rate:2*asr.Rate]), u.End())
			_, final := receive(t, u)
			same(t, final, want(f, noise[:2*asr.Rate], 0))
		}
		if figures, _, _ := m.Figures(); figures.Shed[ShedGuess] != 2 {
			t.Errorf("dropped %v, want two guesses", figures.Shed)
		}
	})
}

// TestGuessWaits pauses while no slot is free: nothing is begun in vain, and the final is one
// decode.
func TestGuessWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{finals: time.Second, stubborn: true}
		m := serve(t, 1, f, Config{})
		busy, u := open(t, m, asr.Params{}), open(t, m, asr.Params{})
		must(t, busy.Write(noise[:asr.Rate]), busy.End())
		synctest.Wait()
		must(t, u.Write(noise[:asr.Rate]), u.Pause(), u.Write(noise[asr.Rate:2*asr.Rate]), u.Pause(), u.End())
		figures, _, _ := m.Figures()
		if figures.Waiting[schedule.Final] != 1 || figures.Waiting[schedule.Guess] != 0 ||
			figures.Shed[ShedGuess] != 0 {
			t.Errorf("after pauses in which nothing was begun: %+v", figures)
		}
		_, final := receive(t, u)
		same(t, final, want(f, noise[:2*asr.Rate], 0))
		if final.Queued != time.Second {
			t.Errorf("queued %v", final.Queued)
		}
	})
}

// TestGuessYields expects a guess to leave the slot to a final, and to be decoded afterwards.
func TestGuessYields(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{finals: time.Second}
		m := serve(t, 1, f, Config{})
		slow, quick := open(t, m, asr.Params{}), open(t, m, asr.Params{})
		must(t, slow.Write(noise[:asr.Rate]), quick.Write(noise[:asr.Rate/2]), slow.Pause())
		time.Sleep(500 * time.Millisecond)
		ended := time.Now()
		must(t, quick.End())
		receive(t, quick)
		if waited := time.Since(ended); waited > 520*time.Millisecond {
			t.Errorf("a final of 0.5 s waited %v", waited)
		}
		time.Sleep(2 * time.Second)
		ended = time.Now()
		must(t, slow.End())
		_, final := receive(t, slow)
		same(t, final, want(f, noise[:asr.Rate], 0))
		if waited := time.Since(ended); waited != 0 {
			t.Errorf("the guess that had yielded was not decoded again: %v", waited)
		}
	})
}

// TestNoGuess expects neither guesses nor partials for recordings.
func TestNoGuess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		u := open(t, serve(t, 2, f, Config{}), asr.Params{Partials: true, Priority: asr.Replay})
		must(t, u.Write(noise[:asr.Rate]), u.Pause())
		synctest.Wait()
		if len(f.all()) > 0 {
			t.Errorf("decoded in a pause: %+v", f.all())
		}
		must(t, u.End())
		partials, final := receive(t, u)
		same(t, final, want(f, noise[:asr.Rate], 0))
		if len(partials) > 0 {
			t.Errorf("partials %+v", partials)
		}
	})
}

// TestPiecesAreDecodedAhead expects a long utterance's final to wait for its last piece alone.
func TestPiecesAreDecodedAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{finals: 100 * time.Millisecond}
		u := open(t, serve(t, 1, f, Config{Longest: 2 * asr.Rate}), asr.Params{})
		for at := 0; at < 20*asr.Rate; at += 1600 {
			must(t, u.Write(noise[at:at+1600]))
			time.Sleep(100 * time.Millisecond)
		}
		pieces := len(f.done(false))
		if least := len(Cut(noise[:20*asr.Rate], 2*asr.Rate)) - 1; pieces != least {
			t.Errorf("%d pieces decoded before the end, want %d", pieces, least)
		}
		ended := time.Now()
		must(t, u.End())
		_, final := receive(t, u)
		same(t, final, want(f, noise[:20*asr.Rate], 2*asr.Rate))
		if waited := time.Since(ended); waited > 200*time.Millisecond {
			t.Errorf("the final came %v after the end", waited)
		}
	})
}

// TestNoGuessBeyondLongest expects no decode of what must still be cut, while samples may be taken
// back.
func TestNoGuessBeyondLongest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		u := open(t, serve(t, 2, f, Config{Longest: 2 * asr.Rate}), asr.Params{Partials: true})
		must(t, asr.Tentative(u, asr.Rate), u.Write(noise[:3*asr.Rate]), u.Pause())
		synctest.Wait()
		if len(f.all()) > 0 {
			t.Errorf("decoded %+v", f.all())
		}
		must(t, asr.Cut(u, asr.Rate), u.End())
		_, final := receive(t, u)
		same(t, final, want(f, noise[:asr.Rate], 2*asr.Rate))
	})
}

// TestCutAll takes back a whole utterance, which then has no words, nor a share in the time for
// partials.
func TestCutAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := serve(t, 2, &fake{}, Config{})
		u := open(t, m, asr.Params{Partials: true})
		must(t, u.Write(noise[:asr.Rate]))
		synctest.Wait()
		must(t, asr.Cut(u, 0), u.Write(noise[:quarter]), u.End())
		if partials, _ := receive(t, u); len(partials) > 0 {
			t.Errorf("partials after a cut: %+v", partials)
		}
		if len(m.pace.speaking) != 0 {
			t.Errorf("%v utterances want partials", m.pace.speaking)
		}
		if err := asr.Cut(open(t, m, asr.Params{}), 1); !errors.Is(err, errCut) {
			t.Errorf("cut of nothing: %v", err)
		}
	})
}

// TestErrors expects the error of a final to be the utterance's, and those of guesses and partials
// to be nobody's.
func TestErrors(t *testing.T) {
	errLost := errors.Join(asr.ErrUnavailable, errors.New("lost"))
	for name, test := range map[string]struct {
		fail func(call) bool
		want error
	}{
		"final": {func(c call) bool { return !c.partial && c.end == 2*asr.Rate }, errLost},
		"an earlier piece": {func(c call) bool { return !c.partial && c.from == 0 && c.end > asr.Rate/2 },
			errLost},
		"a guess":                 {func(c call) bool { return !c.partial && c.end == asr.Rate/2 }, nil},
		"partials":                {func(c call) bool { return c.partial }, nil},
		"none":                    {func(call) bool { return false }, nil},
		"what is none of its own": {func(c call) bool { return c.end > 2*asr.Rate }, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{finals: 10 * time.Millisecond}
			f.fail = func(c call) error {
				if test.fail(c) {
					return errLost
				}
				return nil
			}
			u := open(t, serve(t, 1, f, Config{Longest: asr.Rate}), asr.Params{Partials: true})
			must(t, u.Write(noise[:asr.Rate/2]), u.Pause())
			time.Sleep(time.Second)
			must(t, u.Write(noise[asr.Rate/2:2*asr.Rate]))
			_ = u.End() // fails for a utterance that failed
			for {
				r, err := u.Recv()
				if err != nil {
					if test.want == nil || !errors.Is(err, errLost) || !errors.Is(err, asr.ErrUnavailable) {
						t.Errorf("%s: %v", name, err)
					}
					if _, again := u.Recv(); again != err {
						t.Errorf("%s: %v after %v", name, again, err)
					}
					return
				}
				if r.Final {
					if test.want != nil {
						t.Errorf("%s: final %+v", name, r)
					}
					same(t, r, want(f, noise[:2*asr.Rate], asr.Rate))
					return
				}
			}
		})
	}
}

func TestRetire(t *testing.T) {
	f := &fake{}
	m := serve(t, 2, f, Config{Utterances: 2})
	first, second := open(t, m, asr.Params{}), open(t, m, asr.Params{})
	if _, err := m.Open(t.Context(), asr.Params{}); !errors.Is(err, asr.ErrBusy) {
		t.Errorf("a third: %v", err)
	}
	if _, open, refused := m.Figures(); open != 2 || refused != 1 {
		t.Errorf("open %d, refused %d", open, refused)
	}
	vacated := m.Retire()
	if _, err := m.Open(t.Context(), asr.Params{}); !errors.Is(err, ErrRetired) || !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("open of a retired model: %v", err)
	}
	must(t, first.Write(noise[:asr.Rate]), first.End())
	_, final := receive(t, first)
	same(t, final, want(f, noise[:asr.Rate], 0))
	select {
	case <-vacated:
		t.Error("vacated with an utterance open")
	default:
	}
	must(t, second.Write(noise[:asr.Rate]))
	m.Close()
	<-vacated
	<-m.Retire()
	if _, err := second.Recv(); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("an utterance open at the close: %v", err)
	}
	if err := second.Write(noise[:1]); !errors.Is(err, asr.ErrUnavailable) {
		t.Errorf("written after the close: %v", err)
	}
	m.Close()
}

// TestCloseWaits expects Close to wait for a decode, which is asked to yield.
func TestCloseWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{finals: time.Minute}
		m := serve(t, 1, f, Config{})
		u := open(t, m, asr.Params{})
		must(t, u.Write(noise[:asr.Rate]), u.End())
		time.Sleep(time.Second)
		before := time.Now()
		m.Close()
		if took := time.Since(before); took > 10*time.Millisecond || len(f.all()) != 1 {
			t.Errorf("closed after %v, calls %+v", took, f.all())
		}
		if figures, open, _ := m.Figures(); open != 0 || figures.Classes[schedule.Final].Jobs != 1 {
			t.Errorf("open %d, %+v", open, figures)
		}
	})
}
