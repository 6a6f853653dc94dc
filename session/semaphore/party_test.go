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
		s := semaphore.New(3, 2, 4)
		got := make(chan string, 8)
		want := func(ctx context.Context, party, name string) {
			go func() {
				if err := s.Acquire(ctx, party, 1); err != nil {
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
		if err := s.Acquire(t.Context(), "a", 1); !errors.Is(err, semaphore.ErrFull) {
			t.Errorf("a fifth that waits: %v", err)
		}
		s.Release("b", 1)
		has("c1") // a has all it may, and b was served before
		s.Release("a", 1)
		has("b2") // b has none
		cancel()
		has("a4: context canceled")
		s.Release("a", 1)
		has("a3")
		for _, party := range []string{"a", "b", "c"} {
			s.Release(party, 1)
		}
		for range 2 {
			if err := s.Acquire(t.Context(), "d", 1); err != nil {
				t.Error(err)
			}
		}
	})
}

// A party that asks for very much and one that asks for little take turns, and where too many wait
// the newest of the first is refused for one of the other.
func TestPartiesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := semaphore.New(1, 1, 20)
		got, full := make(chan string, 100), 0
		want := func(party string) {
			go func() {
				if s.Acquire(t.Context(), party, 1) == nil {
					got <- party
				} else {
					got <- "full"
				}
			}()
			synctest.Wait()
		}
		for range 30 {
			want("much")
		}
		for range 3 {
			want("little")
		}
		var order []string
		for len(order) < 14 {
			synctest.Wait()
			party := <-got
			if party == "full" {
				full++
				continue
			}
			order = append(order, party)
			s.Release(party, 1)
		}
		if turns := []string{"much", "little", "much", "little", "much", "little", "much"}; !slices.Equal(order[:7],
			turns) || full != 12 {
			t.Errorf("served %q, %d refused", order, full)
		}
	})
}
