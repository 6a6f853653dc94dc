package main

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// starts follows the first starts of the local engines. It tells when they are over, and when nothing is left that
// could recognize.
type starts struct {
	failed  chan error    // has an error once nothing can recognize
	settled chan struct{} // closed when the first starts are over

	mu        sync.Mutex
	processes []*engineProcess
	remote    bool // there are engines that need not be started
	awaited   bool // processes and remote are known
	outcomes  map[string]error
}

func newStarts() starts {
	return starts{failed: make(chan error, 1), settled: make(chan struct{}), outcomes: map[string]error{}}
}

// await says which processes were begun. What they have told by then counts.
func (s *starts) await(processes []*engineProcess, remote bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.processes, s.remote, s.awaited = processes, remote, true
	s.judge()
}

// learn takes note of how a start ended.
func (s *starts) learn(out outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outcomes[out.name] = out.err
	s.judge()
}

// judge sees whether the first starts are over. Engines that wait for a model to be installed do not count.
func (s *starts) judge() {
	select {
	case <-s.settled:
		return
	default:
	}
	under := func(p *engineProcess) bool {
		_, known := s.outcomes[p.name]
		return !known && !p.idle.Load()
	}
	if !s.awaited || slices.ContainsFunc(s.processes, under) {
		return
	}
	close(s.settled)
	if err := s.verdict(); err != nil && len(s.outcomes) > 0 {
		s.failed <- err
	}
}

var errNoModels = errors.New("no speech model is installed: see steno models")

// verdict is why nothing can recognize now; nil where something can.
func (s *starts) verdict() error {
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
func (s *starts) wait(ctx context.Context) error {
	select {
	case <-s.settled:
	case <-ctx.Done():
		return ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.verdict()
}
