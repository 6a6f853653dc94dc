package live

import "golang.org/x/sync/semaphore"

const (
	ownBytes  = 64 << 10 // that each socket may hold in any case
	quotaStep = 64 << 10 // bytes of the shared budget that are taken at a time
)

// quota counts the bytes of events that wait for one socket's client. Some it may hold in any case, the others come from the
// budget of all sockets. It is guarded by its owner.
type quota struct {
	budget *semaphore.Weighted
	held   int
	taken  int64 // of the budget
}

// hold counts bytes, and reports false if the budget has no room for them.
func (s *quota) hold(bytes int) bool {
	if need := s.need(s.held+bytes) - s.taken; need > 0 {
		if !s.budget.TryAcquire(need) {
			return false
		}
		s.taken += need
	}
	s.held += bytes
	return true
}

// release gives bytes back.
func (s *quota) release(bytes int) {
	s.held -= bytes
	if spare := s.taken - s.need(s.held); spare > 0 {
		s.budget.Release(spare)
		s.taken -= spare
	}
}

// need returns how much of the budget it takes to hold so many bytes.
func (s *quota) need(held int) int64 {
	beyond := max(0, held-ownBytes)
	return int64((beyond + quotaStep - 1) / quotaStep * quotaStep)
}
