package semaphore_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"

	"steno/session/semaphore"
)

// A party that has all that it may is passed over, and delays no other.
func TestPartiesShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := semaphore.NewFair(3, 2, 4)
		got := make(chan string, 8)
		want := func(ctx context.Context, party, name string) {
			go func() {
				if err := s.Acquire(ctx, party); err != nil {
					name += ": " + err.Error()
				}
				got <- name
			}()
			synctest.Wait()
		}
		has := func(names ...string) {
			t.Helper()
			synctest.Wait()
			var have []string
			for len(got) > 0 {
				have = append(have, <-got)
			}
			if !slices.Equal(have, names) {
				t.Errorf("got %q, want %q", have, names)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		want(t.Context(), "a", "a1")
		want(t.Context(), "a", "a2")
		want(t.Context(), "a", "a3")
		want(ctx, "a", "a4")
		has("a1", "a2")
		want(t.Context(), "b", "b1")
		want(t.Context(), "b", "b2")
		has("b1") // there is no fourth slot
		want(t.Context(), "c", "c1")
		if err := s.Acquire(t.Context(), "d"); !errors.Is(err, semaphore.ErrFull) {
			t.Errorf("a fifth that waits: %v", err)
		}
		s.Release("b")
		has("b2") // a has all it may
		s.Release("a")
		has("a3")
		cancel()
		has("a4: context canceled")
		s.Release("a")
		has("c1")
		for _, party := range []string{"a", "b", "c"} {
			s.Release(party)
		}
		for range 2 {
			if err := s.Acquire(t.Context(), "d"); err != nil {
				t.Error(err)
			}
		}
	})
}
