package embedded

import (
	"context"
	"database/sql"
	"sync"
	"time"
)

const (
	// recheck is how long a waiter goes without looking at the database where another process may
	// bring work, as for the outbox.
	recheck = 5 * time.Second
	// rareRecheck is that where only this process brings work.
	rareRecheck = time.Minute
)

// wake tells all that wait that there may be something to do.
type wake struct {
	recheck time.Duration // how long a waiter goes without looking

	mu   sync.Mutex
	rung chan struct{} // closed, and replaced, by ring
}

func newWake(recheck time.Duration) *wake { return &wake{recheck: recheck, rung: make(chan struct{})} }

func (w *wake) ring() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.rung)
	w.rung = make(chan struct{})
}

func (w *wake) watch() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.rung
}

// wait returns when the time that next returns, in milliseconds or null for never, has come. It
// calls next again whenever someone rings.
func (w *wake) wait(ctx context.Context, now func() time.Time, next func(context.Context) (sql.NullInt64,
	error)) error {
	for {
		rung := w.watch() // before looking, so that nothing is missed
		at, err := next(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		pause := w.recheck
		if at.Valid {
			pause = min(pause, time.UnixMilli(at.Int64).Sub(now()))
		}
		if pause <= 0 {
			return nil
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
		case <-rung:
		case <-timer.C:
		}
		timer.Stop()
	}
}
