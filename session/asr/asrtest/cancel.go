package asrtest

import (
	"context"
	"errors"
	"testing"

	"steno/session/asr"
)

func (s *suite) testCancel(t *testing.T) {
	gone, cancelGone := context.WithCancel(t.Context())
	cancelGone()
	if u, err := s.recognizer.Open(gone, asr.Params{}); !errors.Is(err, context.Canceled) {
		t.Errorf("open with a cancelled context: %v, %v", u, err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	u := s.open(t, ctx, asr.Params{})
	write(t, u, s.audio[0], 1600)
	failed := make(chan error)
	go func() {
		_, err := u.Recv()
		failed <- err
	}()
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("recv of a cancelled utterance: %v", err)
	}
	if _, err := u.Recv(); !errors.Is(err, context.Canceled) {
		t.Errorf("the next recv: %v", err)
	}
	same(t, "after a cancelled one", s.decode(t, s.audio[0], asr.Params{}), s.want[0])
}

// testCancelAfterEnd cancels while the final may be on its way: either it or the context's error is
// received.
func (s *suite) testCancelAfterEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	u := s.open(t, ctx, asr.Params{})
	write(t, u, s.audio[0], 1600)
	end(t, u)
	cancel()
	switch r, err := u.Recv(); {
	case err == nil:
		same(t, "the final that came first", r, s.want[0])
	case !errors.Is(err, context.Canceled):
		t.Errorf("recv: %v", err)
	}
}

// testCause cancels with a cause, which must not replace the context's error.
func (s *suite) testCause(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	u := s.open(t, ctx, asr.Params{})
	write(t, u, s.audio[0], 1600)
	cancel(context.DeadlineExceeded)
	if _, err := u.Recv(); !errors.Is(err, context.Canceled) {
		t.Errorf("recv: %v", err)
	}
}

// testAbandoned abandons many utterances in every state. They must not block others.
func (s *suite) testAbandoned(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for n := range 4 {
		u := s.open(t, ctx, asr.Params{Partials: true})
		write(t, u, s.audio[n%len(s.audio)], 1600)
		if n%2 == 0 {
			end(t, u)
		}
	}
	same(t, "beside unheard ones", s.decode(t, s.audio[0], asr.Params{}), s.want[0])
	cancel()
	same(t, "after abandoned ones", s.decode(t, s.audio[0], asr.Params{}), s.want[0])
}
