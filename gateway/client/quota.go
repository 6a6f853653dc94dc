package client

import "sync"

const (
	ownBytes  = 64 << 10 // that each socket may hold without the budget
	quotaStep = 64 << 10 // bytes by which a quota grows
)

// budget bounds the bytes of events that all sockets together hold. One holder's sockets use at
// most half of it, so that its slow clients do not affect others. Its methods may be called from
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

// reserve reserves bytes for a holder, and reports whether there was room.
func (b *budget) reserve(holder string, bytes int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if bytes > b.free || b.held[holder]+bytes > b.each {
		return false
	}
	b.free -= bytes
	b.held[holder] += bytes
	return true
}

// release releases reserved bytes.
func (b *budget) release(holder string, bytes int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += bytes
	if b.held[holder] -= bytes; b.held[holder] == 0 {
		delete(b.held, holder)
	}
}

// quota counts the bytes of queued events of one socket. A few it may always hold, the others are
// reserved in the budget of all sockets. It is guarded by its owner.
type quota struct {
	budget *budget
	holder string // whose client it is
	held   int
	taken  int64 // reserved in the budget
}

// hold adds bytes, and reports whether there was room.
func (s *quota) hold(bytes int) bool {
	if need := s.need(s.held+bytes) - s.taken; need > 0 {
		if !s.budget.reserve(s.holder, need) {
			return false
		}
		s.taken += need
	}
	s.held += bytes
	return true
}

// release removes bytes.
func (s *quota) release(bytes int) {
	s.held -= bytes
	if spare := s.taken - s.need(s.held); spare > 0 {
		s.budget.release(s.holder, spare)
		s.taken -= spare
	}
}

// need returns how much of the budget is needed to hold so many bytes.
func (s *quota) need(held int) int64 {
	beyond := max(0, held-ownBytes)
	return int64((beyond + quotaStep - 1) / quotaStep * quotaStep)
}
