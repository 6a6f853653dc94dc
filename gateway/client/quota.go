package client

import "sync"

const (
	ownBytes  = 64 << 10 // that each socket may hold in any case
	quotaStep = 64 << 10 // bytes of the shared budget that are taken at a time
)

// budget is how many bytes of events all sockets may hold together. Those of one holder hold at
// most half of it, so that slow clients of one cost others nothing. Its methods may be called from
// any goroutine.
type budget struct {
	each int64

	mu   sync.Mutex
	free int64
	held map[string]int64
}

func newBudget(bytes int64) *budget {
	return &budget{each: max(bytes/2, quotaStep), free: bytes, held: map[string]int64{}}
}

// take takes bytes for a holder, and reports false if there are none left for it.
func (b *budget) take(holder string, bytes int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if bytes > b.free || b.held[holder]+bytes > b.each {
		return false
	}
	b.free -= bytes
	b.held[holder] += bytes
	return true
}

// give returns what was taken.
func (b *budget) give(holder string, bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += bytes
	if b.held[holder] -= bytes; b.held[holder] == 0 {
		delete(b.held, holder)
	}
}

// quota counts the bytes of events that wait for one socket's client. Some it may hold in any case,
// the others come from the budget of all sockets. It is guarded by its owner.
type quota struct {
	budget *budget
	holder string // whose client it is
	held   int
	taken  int64 // of the budget
}

// hold counts bytes, and reports false if the budget has no room for them.
func (s *quota) hold(bytes int) bool {
	if need := s.need(s.held+bytes) - s.taken; need > 0 {
		if !s.budget.take(s.holder, need) {
			return false
		}
		s.taken += need
	}
	s.held += bytes
	return true
}

// release returns bytes.
func (s *quota) release(bytes int) {
	s.held -= bytes
	if spare := s.taken - s.need(s.held); spare > 0 {
		s.budget.give(s.holder, spare)
		s.taken -= spare
	}
}

// need returns how much of the budget it takes to hold so many bytes.
func (s *quota) need(held int) int64 {
	beyond := max(0, held-ownBytes)
	return int64((beyond + quotaStep - 1) / quotaStep * quotaStep)
}
