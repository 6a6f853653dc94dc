package uploads

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"steno/audio/media"
	"steno/session/store"
)

// decoding stands for files that take as long to be decoded as their paths say, each time they are looked at.
func decoding(ctx context.Context, path string) (media.Info, error) {
	takes, err := time.ParseDuration(path)
	if err != nil {
		return media.Info{}, err
	}
	select {
	case <-time.After(takes):
		return media.Info{Seconds: takes.Seconds()}, nil
	case <-ctx.Done():
		return media.Info{}, ctx.Err()
	}
}

// Many files of one key that decode to much hold up neither the small files of another nor, for longer than its turn takes, a large one of
// another; and small ones of its own key pass as well.
func TestLargeFilesHoldUpNoOthers(t *testing.T) {
	for _, places := range []int{1, 2, 8} {
		t.Run(fmt.Sprint(places), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLooks(places)
				ctx, stop := context.WithCancel(t.Context())
				look := func(key, path string) <-chan time.Duration {
					took, began := make(chan time.Duration, 1), time.Now()
					go func() {
						if info, err := l.look(ctx, key, decoding, path); err == nil {
							if info.Seconds == 0 {
								t.Errorf("%s of %s: nothing is known of it", path, key)
							}
							took <- time.Since(began)
						}
					}()
					synctest.Wait()
					return took
				}
				for range 12 {
					look("greedy", "10m")
				}
				time.Sleep(time.Minute)
				for range 5 {
					if took := <-look("other", "100ms"); took > time.Second {
						t.Errorf("a small file took %v", took)
					}
				}
				if took := <-look("greedy", "100ms"); took > time.Second {
					t.Errorf("a small file of the same key took %v", took)
				}
				if took := <-look("other", "1m"); took > 12*time.Minute {
					t.Errorf("a large file of another key took %v", took)
				}
				stop()
				synctest.Wait()
			})
		})
	}
}

// Whose a file is decides whose turn it is.
func TestPartyOf(t *testing.T) {
	var got []string
	for _, u := range []store.Upload{{Account: "a"}, {Account: "a", Key: []byte("k")}} {
		got = append(got, partyOf(&u))
	}
	if !slices.Equal(got, []string{"a", "k"}) {
		t.Errorf("%q", got)
	}
}
