package schedule

// Parties returns how many parties are remembered, in all classes.
func (s *Scheduler) Parties() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.clocks {
		n += len(s.clocks[i].parties)
	}
	return n
}
