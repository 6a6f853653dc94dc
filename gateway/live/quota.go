package live

import "golang.org/x/sync/semaphore"

const (
	ownBytes  = 64 << 10 // that each socket may hold without asking
	shareStep = 64 << 10 // bytes of what all sockets share that are taken at a time
)

// share is what one socket holds of events that wait for its client: some bytes are its own, the others come from what all
// sockets may hold together. It is guarded by its owner.
type share struct {
	room  *semaphore.Weighted
	held  int
	taken int64 // of the room
}

// hold takes bytes, unless there is no room for them.
func (s *share) hold(bytes int) bool {
	if need := s.need(s.held+bytes) - s.taken; need > 0 {
		if !s.room.TryAcquire(need) {
			return false
		}
		s.taken += need
	}
	s.held += bytes
	return true
}

// release gives bytes back.
func (s *share) release(bytes int) {
	s.held -= bytes
	if spare := s.taken - s.need(s.held); spare > 0 {
		s.room.Release(spare)
		s.taken -= spare
	}
}

// need is how much of the room it takes to hold so many bytes.
func (s *share) need(held int) int64 {
	beyond := max(0, held-ownBytes)
	return int64((beyond + shareStep - 1) / shareStep * shareStep)
}
