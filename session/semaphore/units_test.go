package semaphore

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestRoom has parties take room in turn: a share each, the one that has least before others, and
// no small piece before a large one whose turn it is.
func TestRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(100, 50, 4)
		if !r.TryAcquire("a", 30) || r.TryAcquire("a", 30) || !r.TryAcquire("b", 45) {
			t.Fatal("room is not as large as its shares")
		}
		order := make(chan string, 3)
		wait := func(party string, bytes int64) {
			go func() {
				if err := r.Acquire(t.Context(), party, bytes); err != nil {
					t.Error(err)
				}
				order <- party
			}()
			synctest.Wait()
		}
		wait("a", 30) // beyond its share
		if !r.TryAcquire("c", 10) {
			t.Error("one beyond its share holds up others")
		}
		r.Release("c", 10)
		wait("c", 40)
		if r.TryAcquire("d", 1) {
			t.Error("a small piece passes a large one")
		}
		r.Release("b", 45)
		synctest.Wait()
		if got := <-order; got != "c" || r.Held() != 70 {
			t.Errorf("served is %s, taken are %d", got, r.Held())
		}
		r.Release("a", 30)
		if got := <-order; got != "a" {
			t.Errorf("served is %s", got)
		}
		r.Release("a", 30)
		r.Release("c", 40)
		if r.Held() != 0 || len(r.waiting) != 0 {
			t.Errorf("left are %d bytes, %d waiters", r.Held(), len(r.waiting))
		}
		if !r.TryAcquire("a", 1000) || r.Held() != 50 {
			t.Error("what is larger than a share does not count as one")
		}
	})
}

// TestRoomIsBounded bounds who waits, and forgets who has stopped waiting.
func TestRoomIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(10, 10, 1)
		if err := r.Acquire(t.Context(), "a", 10); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		ended := make(chan error, 1)
		go func() { ended <- r.Acquire(ctx, "b", 10) }()
		synctest.Wait()
		if err := r.Acquire(t.Context(), "b", 10); !errors.Is(err, ErrFull) {
			t.Errorf("one too many of a party: %v", err)
		}
		if err := <-ended; !errors.Is(err, context.DeadlineExceeded) || len(r.waiting) != 0 {
			t.Errorf("%v, waiting are %d", err, len(r.waiting))
		}
		r.Release("a", 10)
		if r.Held() != 0 {
			t.Errorf("taken are %d", r.Held())
		}
	})
}
