package embedded

import (
	"context"
	"sync/atomic"

	"steno/session"
)

// When a call returns, the data that the handle has accepted is in the operating system's cache, in
// its own file or in the file of tails, and so survives the process: it is durable. If there is no
// file of tails, the last few kilobytes of audio are written by the next Sync, event or mark.

// Sync implements session.Durability: it remembers the boundary.
func (l *live) Sync(boundary int64) error {
	if err := l.enter(context.Background(), "sync"); err != nil {
		return err
	}
	defer l.leave()
	if err := l.journal.Commit(); err != nil {
		return err
	}
	if err := l.journal.Sent(boundary); err != nil {
		return err
	}
	raise(&l.boundary, boundary)
	return nil
}

// Durable implements session.Durability.
func (l *live) Durable() session.Progress {
	return session.Progress{Seq: l.seq.Load(), Boundary: l.boundary.Load()}
}

// Notify implements session.Durability: Durable grows within calls alone.
func (l *live) Notify(func()) {}

// Full implements store.Live: audio is always taken.
func (l *live) Full() <-chan struct{} { return nil }

// raise sets v to n where that is more.
func raise(v *atomic.Int64, n int64) {
	for old := v.Load(); old < n && !v.CompareAndSwap(old, n); old = v.Load() {
	}
}
