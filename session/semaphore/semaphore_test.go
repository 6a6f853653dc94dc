package semaphore_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"steno/session/semaphore"
)

func TestLinesAreServedInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := semaphore.New(1, 0, 4)
		if !s.TryAcquire("", 1) || s.TryAcquire("", 1) {
			t.Fatal("there must be one slot")
		}
		var mu sync.Mutex
		var got []string
		ctx, cancel := context.WithCancel(t.Context())
		for _, w := range []struct {
			name string
			line int
			ctx  context.Context
		}{{"c", 1, t.Context()}, {"a", 0, t.Context()}, {"gone", 0, ctx}, {"b", 0, t.Context()}} {
			go func() {
				err := s.AcquireIn(w.ctx, w.line, "", 1)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					if w.name != "gone" || !errors.Is(err, context.Canceled) {
						t.Errorf("%s: %v", w.name, err)
					}
					return
				}
				got = append(got, w.name)
				s.Release("", 1)
			}()
			synctest.Wait()
		}
		if waiting, free := s.Counts(); waiting != 4 || free != 0 {
			t.Errorf("%d wait, %d free", waiting, free)
		}
		if err := s.Acquire(t.Context(), "", 1); !errors.Is(err, semaphore.ErrFull) {
			t.Errorf("one too many: %v", err)
		}
		cancel()
		synctest.Wait()
		s.Release("", 1)
		synctest.Wait()
		if want := []string{"a", "b", "c"}; !slices.Equal(got, want) {
			t.Errorf("served %v, want %v", got, want)
		}
		if waiting, free := s.Counts(); waiting != 0 || free != 1 {
			t.Errorf("%d wait, %d free at the end", waiting, free)
		}
	})
}
