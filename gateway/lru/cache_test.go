package lru

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
)

// Values are made once, whoever asks, and the ones that were not used for longest are displaced.
func TestCache(t *testing.T) {
	c := New[string](3 * (emptyEntry + 100))
	made := map[string]int{}
	use := func(name string) {
		t.Helper()
		err := c.Use(t.Context(), name, func(v *string) (int64, error) {
			if *v == "" {
				made[name]++
				*v = "value of " + name
			}
			return 100, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a", "b", "c", "a", "d", "a", "c", "d", "b"} {
		use(name)
	}
	if made["a"] != 1 || made["b"] != 2 || made["c"] != 1 || made["d"] != 1 {
		t.Errorf("made %v", made)
	}
	if c.size != 300 || len(c.entries) != 3 || c.order.Len() != 3 {
		t.Errorf("%d bytes of %d entries", c.size, len(c.entries))
	}
}

// A value that is larger than the cache is there for the one who made it, and goes with the next.
func TestLargeValue(t *testing.T) {
	c := New[int](1000)
	for range 3 {
		for name := range 4 {
			if err := c.Use(t.Context(), strconv.Itoa(name), func(*int) (int64, error) { return 5000, nil }); err !=
				nil {
				t.Fatal(err)
			}
			if len(c.entries) != 1 || c.size != 5000 {
				t.Fatalf("%d entries, %d bytes", len(c.entries), c.size)
			}
		}
	}
}

func TestWaiting(t *testing.T) {
	c := New[int](1000)
	held, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		_ = c.Use(t.Context(), "a", func(v *int) (int64, error) {
			close(held)
			<-release
			*v++
			return 8, nil
		})
	})
	<-held
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Use(ctx, "a", func(*int) (int64, error) { return 8, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("the end of the context is %v", err)
	}
	for range 8 {
		all.Go(func() {
			_ = c.Use(t.Context(), "a", func(v *int) (int64, error) { *v++; return 8, nil })
		})
	}
	close(release)
	all.Wait()
	_ = c.Use(t.Context(), "a", func(v *int) (int64, error) {
		if *v != 9 {
			t.Errorf("%d calls had the value, want 9", *v)
		}
		return 8, nil
	})
}
