package gateway

import (
	"context"
	"sync"

	"steno/session/store"
)

// held knows the leases that this process works under, so that a job cancelled here is let go of at once. Of one cancelled
// by another process the heartbeat learns, see [Server.hold].
type held struct {
	mu   sync.Mutex
	jobs map[heldJob]context.CancelCauseFunc
}

// heldJob is a lease: two of one job may be worked under for a moment, the first of them lost.
type heldJob struct {
	id     string
	number int64
}

func newHeld() *held { return &held{jobs: map[heldJob]context.CancelCauseFunc{}} }

// enter takes note of a lease and how to let go of its work; leave ends that.
func (h *held) enter(l store.Lease, lose context.CancelCauseFunc) (leave func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	job := heldJob{l.Record.ID, l.Number}
	h.jobs[job] = lose
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.jobs, job)
	}
}

// lose lets go of the work on a job.
func (h *held) lose(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for job, lose := range h.jobs {
		if job.id == id {
			lose(store.ErrLost)
		}
	}
}
