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
	failed  chan error    // receives an error if nothing can recognize when the first starts have finished
	settled chan struct{} // closed when the first starts have finished

	mu        sync.Mutex
	processes []*process
	remote    bool // there are engines that need no start
	expected  bool // processes and remote are known
	outcomes  map[string]error
}

func newFirstStarts() firstStarts {
	return firstStarts{failed: make(chan error, 1), settled: make(chan struct{}), outcomes: map[string]error{}}
}

// expect sets the processes that are being started. Outcomes recorded before count.
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

// pending reports whether the first start of an engine but the named one is under way.
func (s *firstStarts) pending(but string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.expected || slices.ContainsFunc(s.processes, func(p *process) bool {
		return p.name != but &&
			s.underWay(p)
	})
}

// hopeless reports whether all engines but the named one have failed to start.
func (s *firstStarts) hopeless(but string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failedBut(but)
}

// failedBut is hopeless for a caller that holds the lock.
func (s *firstStarts) failedBut(name string) bool {
	failed := 0
	for engine, err := range s.outcomes {
		if engine != name && err == nil {
			return false
		}
		if engine != name {
			failed++
		}
	}
	return failed > 0 && !s.remote
}

// underWay reports whether a first start is to be waited for. Those of engines that wait for a
// model to be installed are not, nor those of stand-ins that are not needed. The caller holds the
// lock.
func (s *firstStarts) underWay(p *process) bool {
	_, known := s.outcomes[p.name]
	return !known && (!p.Idle() || p.standIn && s.failedBut(p.name))
}

// settle closes settled if the first starts have finished. The caller holds the lock.
func (s *firstStarts) settle() {
	select {
	case <-s.settled:
		return
	default:
	}
	if !s.expected || slices.ContainsFunc(s.processes, s.underWay) {
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

// wait returns when the first starts have finished, with an error if nothing can recognize, or
// earlier with ctx's error.
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
