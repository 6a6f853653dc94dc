package session

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// In whatever order open, end and the return of the last goroutine follow each other, over is
// called once, and not before the last of them.
func TestCollectorsAreOverOnce(t *testing.T) {
	for _, order := range [][3]string{
		{"open", "end", "done"}, {"open", "done", "end"}, {"end", "open", "done"},
		{"end", "done", "open"}, {"done", "open", "end"}, {"done", "end", "open"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var over atomic.Int64
			c := collectors{over: func() { over.Add(1) }}
			done := make(chan struct{})
			if !c.start(func() { <-done; c.done() }) {
				t.Fatal("nothing is started")
			}
			steps := map[string]func(){"open": c.open, "end": c.end, "done": func() { close(done) }}
			for i, step := range order {
				if n := over.Load(); n > 0 {
					t.Errorf("%v: over was called before step %d", order, i)
				}
				steps[step]()
				synctest.Wait()
			}
			c.end()
			synctest.Wait()
			if n := over.Load(); n != 1 {
				t.Errorf("%v: over was called %d times", order, n)
			}
			if c.start(func() {}) {
				t.Errorf("%v: something is started afterwards", order)
			}
		})
	}
}
