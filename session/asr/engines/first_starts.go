package engines

import (
	"context"
	"errors"
	"slices"
	"sync"
)

var errNoModels = errors.New("no speech model is installed: see steno models")

// firstStarts follows the first start of each local engine.
type firstStarts struct {
	failed  chan error    // receives an error when the first starts are over and nothing can recognize
	settled chan struct{} // closed when the first starts are over

	mu        sync.Mutex
	processes []*process
	remote    bool // there are engines that need no start
	expected  bool // processes and remote are known
	outcomes  map[string]error
}

func newFirstStarts() firstStarts {
	return firstStarts{failed: make(chan error, 1), settled: make(chan struct{}), outcomes: map[string]error{}}
}

// expect says which processes are being started. Outcomes recorded before count.
func (s *firstStarts) expect(processes []*process, remote bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.processes, s.remote, s.expected = processes, remote, true
	s.settle()
}

// record notes how a start ended.
func (s *firstStarts) record(name string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outcomes[name] = err
	s.settle()
}

// settle closes settled if the first starts are over. Engines that wait for a model to be installed do not count. The
// caller holds the lock.
func (s *firstStarts) settle() {
	select {
	case <-s.settled:
		return
	default:
	}
	underWay := func(p *process) bool {
		_, known := s.outcomes[p.name]
		return !known && !p.Idle()
	}
	if !s.expected || slices.ContainsFunc(s.processes, underWay) {
		return
	}
	close(s.settled)
	if err := s.verdict(); err != nil && len(s.outcomes) > 0 {
		s.failed <- err
	}
}

// verdict returns why nothing can recognize now, nil if something can. The caller holds the lock.
func (s *firstStarts) verdict() error {
	if s.remote {
		return nil
	}
	var all error
	for _, err := range s.outcomes {
		if err == nil {
			return nil
		}
		all = errors.Join(all, err)
	}
	if all == nil {
		return errNoModels
	}
	return all
}

// wait returns when the first starts are over: with an error if nothing can recognize, or with ctx's.
func (s *firstStarts) wait(ctx context.Context) error {
	select {
	case <-s.settled:
	case <-ctx.Done():
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.verdict()
}
