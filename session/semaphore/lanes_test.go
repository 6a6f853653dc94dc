package semaphore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/semaphore"
)

// Much work of one party that takes long holds up neither what is short, of the same party and of
// others, nor, for longer than its turn takes, what takes long of another.
func TestLongWorkHoldsUpNoOther(t *testing.T) {
	for _, places := range []int{1, 2, 8} {
		t.Run(fmt.Sprint(places), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := semaphore.NewLanes(places, 3*time.Second, 100)
				ctx, stop := context.WithCancel(t.Context())
				do := func(party string, takes time.Duration) <-chan time.Duration {
					took, began := make(chan time.Duration, 1), time.Now()
					go func() {
						err := l.Do(ctx, party, func(ctx context.Context) error {
							select {
							case <-time.After(takes):
								return nil
							case <-ctx.Done():
								return ctx.Err()
							}
						})
						if err == nil {
							took <- time.Since(began)
						} else if ctx.Err() == nil {
							t.Error(err)
						}
					}()
					synctest.Wait()
					return took
				}
				for range 12 {
					do("greedy", 10*time.Minute)
				}
				time.Sleep(time.Minute)
				for _, party := range []string{"other", "other", "greedy"} {
					if took := <-do(party, 100*time.Millisecond); took > time.Second {
						t.Errorf("short work of %s took %v", party, took)
					}
				}
				if took := <-do("other", time.Minute); took > 12*time.Minute {
					t.Errorf("long work of another party took %v", took)
				}
				stop()
				synctest.Wait()
			})
		})
	}
}

// What fails is not begun again, and the caller's context ends the work.
func TestWorkFails(t *testing.T) {
	l, began, broken := semaphore.NewLanes(1, time.Minute, 1), 0, errors.New("broken")
	if err := l.Do(t.Context(), "a", func(context.Context) error { began++; return broken }); !errors.Is(err,
		broken) || began != 1 {
		t.Errorf("%v after %d beginnings", err, began)
	}
	ctx, stop := context.WithCancel(t.Context())
	err := l.Do(ctx, "a", func(ctx context.Context) error { began++; stop(); return ctx.Err() })
	if !errors.Is(err, context.Canceled) || began != 2 {
		t.Errorf("%v after %d beginnings", err, began)
	}
}
