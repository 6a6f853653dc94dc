package web

import "sync"

// InFlight counts the handlers that http.Server does not wait for, such as those of WebSockets, so
// that closing the server can. Its methods may be called from any goroutine.
type InFlight struct {
	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup
}

// Enter counts one more handler, and reports false after close. A handler that entered must leave.
func (f *InFlight) Enter() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.wg.Add(1)
	}
	return !f.closed
}

// Leave ends what enter has begun.
func (f *InFlight) Leave() { f.wg.Done() }

// Close lets no further handler enter.
func (f *InFlight) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
}

// Wait returns when all handlers have left. It is called after close.
func (f *InFlight) Wait() { f.wg.Wait() }
