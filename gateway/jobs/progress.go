package jobs

import "sync"

// progress records how much of each job's recording this process has transcribed. Its zero value is
// ready. It is safe for concurrent use.
type progress struct {
	mu    sync.Mutex
	heard map[string]float64 // seconds, by job
}

// begin adds a job. The caller passes its progress to heard, and calls end when the job is done.
func (p *progress) begin(job string) (heard func(seconds float64), end func()) {
	set := func(seconds float64) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.heard == nil {
			p.heard = map[string]float64{}
		}
		p.heard[job] = seconds
	}
	set(0)
	return set, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.heard, job)
	}
}

// Heard returns how much of a job's recording was transcribed, in seconds. ok is false if this
// process does not transcribe it.
func (s *Service) Heard(job string) (seconds float64, ok bool) {
	s.progress.mu.Lock()
	defer s.progress.mu.Unlock()
	seconds, ok = s.progress.heard[job]
	return seconds, ok
}
