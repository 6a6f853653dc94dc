package retry_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/retry"
)

func TestSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := retry.Sleep(t.Context(), time.Second); err != nil || time.Since(began) != time.Second {
			t.Errorf("slept %s: %v", time.Since(began), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := retry.Sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("ended with %v", err)
		}
		if err := retry.Sleep(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("no time: %v", err)
		}
		if err := retry.Sleep(t.Context(), -time.Second); err != nil {
			t.Error(err)
		}
	})
}

func TestBackoff(t *testing.T) {
	b := retry.Backoff{First: 50 * time.Millisecond, Longest: time.Second}
	for i, want := range []time.Duration{50, 100, 200, 400, 800, 1000, 1000} {
		if got := b.Next(); got != want*time.Millisecond {
			t.Errorf("pause %d is %s, want %s", i+1, got, want*time.Millisecond)
		}
	}
	if b.Reset(); b.Next() != b.First {
		t.Error("reset keeps the failures")
	}
	if got := retry.Exponential(time.Second, time.Hour, 1000); got != time.Hour {
		t.Errorf("after many failures: %s", got)
	}
	if got := retry.Exponential(time.Minute, time.Second, 1); got != time.Second {
		t.Errorf("first above longest: %s", got)
	}
}

func TestDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fault, n, told := errors.New("no"), 0, 0
		attempt := func() error {
			if n++; n < 4 {
				return fault
			}
			return nil
		}
		began := time.Now()
		err := retry.Do(t.Context(), retry.Backoff{First: time.Second, Longest: 2 * time.Second}, attempt,
			func(error) { told++ })
		if err != nil || n != 4 || told != 3 || time.Since(began) != 5*time.Second {
			t.Errorf("%d attempts, %d told, %s: %v", n, told, time.Since(began), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancel()
		n = -1000
		err = retry.Do(ctx, retry.Backoff{First: time.Minute, Longest: time.Minute}, attempt, nil)
		if !errors.Is(err, context.DeadlineExceeded) || n != -998 {
			t.Errorf("%d attempts: %v", n+1000, err)
		}
	})
}
