package local

import (
	"context"
	"testing"
	"time"
)

// A check that ends long after its timeout is evidence about the gateway, not about the engine.
func TestCount(t *testing.T) {
	const timeout = 4 * time.Second
	for name, c := range map[string]struct {
		err  error
		took time.Duration
		want int
	}{
		"healthy":      {nil, time.Millisecond, 0},
		"late answer":  {nil, 2 * timeout, 0},
		"refused":      {context.Canceled, time.Millisecond, 3},
		"no answer":    {context.DeadlineExceeded, timeout + time.Millisecond, 3},
		"late gateway": {context.DeadlineExceeded, timeout + 2*lateness, 2},
	} {
		if got := count(2, c.err, c.took, timeout); got != c.want {
			t.Errorf("%s: %d missed, want %d", name, got, c.want)
		}
	}
}
