package capabilities

import (
	"context"
	"sync"
)

// maxWaiting bounds how many calls wait.
const maxWaiting = 16

// gate lets one call at a time work, and is closed once.
type gate struct {
	turn chan struct{} // holds a token while no call works

	mu     sync.Mutex // guards what follows
	inside int        // calls that work or wait
	closed chan struct{}
	users  sync.WaitGroup
}

func newGate() *gate {
	g := &gate{turn: make(chan struct{}, 1), closed: make(chan struct{})}
	g.turn <- struct{}{}
	return g
}

// do calls work when it is its turn. Errors: ErrUnavailable (closed, or too many wait), or the
// context's.
func (g *gate) do(ctx context.Context, work func()) error {
	if err := g.enter(); err != nil {
		return err
	}
	defer g.leave()
	select {
	case <-g.turn:
	case <-ctx.Done():
		return ctx.Err()
	case <-g.closed:
		return unavailable("closed")
	}
	defer func() { g.turn <- struct{}{} }()
	if err := ctx.Err(); err != nil {
		return err
	}
	work()
	return ctx.Err()
}

func (g *gate) enter() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.closed:
		return unavailable("closed")
	default:
	}
	if g.inside > maxWaiting {
		return unavailable("busy")
	}
	g.inside++
	g.users.Add(1)
	return nil
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside--
	g.users.Done()
}

// close refuses further calls, waits for the one that works, and reports whether it was the first
// to close.
func (g *gate) close() bool {
	g.mu.Lock()
	select {
	case <-g.closed:
		g.mu.Unlock()
		g.users.Wait()
		return false
	default:
	}
	close(g.closed)
	g.mu.Unlock()
	g.users.Wait()
	return true
}
