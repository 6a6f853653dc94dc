package semaphore

import (
	"context"
	"slices"
	"sync"
)

// Room is room for so many bytes, of which parties take more or less. Each may have a share of it
// at most. Parties take turns: of those that wait and whose share has room the one that has the
// least is served first, its waiters in the order of their arrival, and nobody before it, so that a
// large piece is not passed by small ones for ever. Its methods may be called from any goroutine.
type Room struct {
	share      int64
	maxWaiting int

	mu      sync.Mutex
	free    int64
	taken   map[string]int64 // by party
	waiting []*roomWaiter
}

type roomWaiter struct {
	party string
	bytes int64
	ready chan struct{} // closed when it has its room
}

// NewRoom returns room for bytes, of which a party may have a share. At most waiting others may
// wait, half of them of one party.
func NewRoom(bytes, share int64, waiting int) *Room {
	return &Room{share: min(share, bytes), maxWaiting: waiting, free: bytes, taken: map[string]int64{}}
}

// TryAcquire takes room for a party if there is some and nobody waits who could have it. More than
// a share counts as a share. Where it returns true the caller releases as many bytes.
func (r *Room) TryAcquire(party string, bytes int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.try(party, min(bytes, r.share))
}

// try is called with mu held.
func (r *Room) try(party string, bytes int64) bool {
	if r.next() >= 0 || !r.fits(party, bytes) {
		return false
	}
	r.grant(party, bytes)
	return true
}

// fits reports whether there is room for a party. Called with mu held.
func (r *Room) fits(party string, bytes int64) bool {
	return bytes <= r.free && r.taken[party]+bytes <= r.share
}

func (r *Room) grant(party string, bytes int64) {
	r.free -= bytes
	r.taken[party] += bytes
}

// Acquire waits for room for a party. The caller releases it. Errors: ErrFull, or the context's.
func (r *Room) Acquire(ctx context.Context, party string, bytes int64) error {
	bytes = min(bytes, r.share)
	w, err := r.enqueue(party, bytes)
	if w == nil {
		return err
	}
	select {
	case <-w.ready:
		return nil
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.Index(r.waiting, w); i >= 0 {
		r.waiting = slices.Delete(r.waiting, i, i+1)
	} else {
		r.give(party, bytes) // it was granted at the same moment
	}
	r.serve()
	return ctx.Err()
}

// enqueue takes the room and returns nil, or adds a waiter.
func (r *Room) enqueue(party string, bytes int64) (*roomWaiter, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.try(party, bytes) {
		return nil, nil
	}
	mine := 0
	for _, w := range r.waiting {
		if w.party == party {
			mine++
		}
	}
	if len(r.waiting) >= r.maxWaiting || mine >= max(1, r.maxWaiting/2) {
		return nil, ErrFull
	}
	w := &roomWaiter{party, bytes, make(chan struct{})}
	r.waiting = append(r.waiting, w)
	return w, nil
}

// Release returns room that TryAcquire or Acquire has taken, with the same number of bytes.
func (r *Room) Release(party string, bytes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.give(party, min(bytes, r.share))
	r.serve()
}

func (r *Room) give(party string, bytes int64) {
	r.free += bytes
	if r.taken[party] -= bytes; r.taken[party] == 0 {
		delete(r.taken, party)
	}
}

// serve grants room to those whose turn it is. Called with mu held.
func (r *Room) serve() {
	for i := r.next(); i >= 0 && r.waiting[i].bytes <= r.free; i = r.next() {
		w := r.waiting[i]
		r.waiting = slices.Delete(r.waiting, i, i+1)
		r.grant(w.party, w.bytes)
		close(w.ready)
	}
}

// next returns the index of the waiter whose turn it is, whether or not there is room for it; -1:
// no share has any. Called with mu held.
func (r *Room) next() int {
	best := -1
	for i, w := range r.waiting {
		if r.taken[w.party]+w.bytes > r.share {
			continue
		}
		if best < 0 || r.taken[w.party] < r.taken[r.waiting[best].party] {
			best = i
		}
	}
	return best
}

// Taken returns how many bytes are taken.
func (r *Room) Taken() (bytes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range r.taken {
		bytes += n
	}
	return bytes
}
