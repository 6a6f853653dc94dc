package callbacks

import (
	"context"
	"strings"
	"testing"
	"time"

	"steno/session/store"
)

// A panic while one callback is sent is a failed attempt at that one; it comes again, and others go
// on.
func TestPanicIsAFailedAttempt(t *testing.T) {
	answer := func(_ context.Context, url, _ string, n int) (int, time.Duration, error) {
		if n == 1 {
			var list []string
			_ = list[n]
		}
		return 200, 0, nil
	}
	inBubble(t, Config{}, answer, func(b *dispatcherFixture) {
		b.enqueue("job", "http://a/", 2)
		b.enqueue("another", "http://b/", 2)
		pass(10 * time.Second)
		if sent := b.in(store.DeliverySent); len(sent) != 4 {
			t.Errorf("%d were sent, want 4", len(sent))
		}
		faults := 0
		for _, a := range b.attempts() {
			if a.Fault == nil {
				continue
			}
			faults++
			if a.Outcome != Failed || a.Failure != "request failed" || !strings.Contains(string(a.Fault.Stack),
				"TestPanicIsAFailedAttempt") {
				t.Errorf("%+v", a)
			}
		}
		if faults != 1 {
			t.Errorf("%d attempts met a panic", faults)
		}
		free := 0
		for b.dispatcher.slots.TryAcquire("", 1) {
			free++
		}
		for range free {
			b.dispatcher.slots.Release("", 1)
		}
		if free != b.dispatcher.cfg.Concurrency {
			t.Errorf("%d slots are free of %d", free, b.dispatcher.cfg.Concurrency)
		}
	})
}
