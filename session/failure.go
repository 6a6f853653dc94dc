package session

import (
	"errors"
	"fmt"
	"sync"

	"steno/messages"
)

var (
	// ErrStopped says that the recording has ended. Nothing of what was given was taken.
	ErrStopped = errors.New("recording already stopped")
	// ErrAbandoned says that the session has been abandoned: it goes on in another process, or later, or not at all.
	ErrAbandoned = errors.New("session was abandoned")
	// ErrFull says that the recording has reached its longest duration. What fitted was taken.
	ErrFull = errors.New("recording has reached its longest duration")
)

// Failure is why a session ends, or will end, as an error.
type Failure struct {
	Reason  messages.Reason
	Message string // for the client
	Err     error  // the cause, not for the client
}

func (f *Failure) Error() string { return fmt.Sprintf("%s: %v", f.Message, f.Err) }
func (f *Failure) Unwrap() error { return f.Err }

// failures keeps the first failure of a session. Its methods may be called from any goroutine.
type failures struct {
	mu    sync.Mutex
	first *Failure
	fatal bool // the session ends at once
}

// add keeps the failure if it is the first. A fatal one ends the session at the writer's next call.
func (f *failures) add(failure *Failure, fatal bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.first == nil {
		f.first = failure
	}
	f.fatal = f.fatal || fatal
}

// get returns the first failure, nil without one, and whether one of them was fatal.
func (f *failures) get() (first *Failure, fatal bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.first, f.fatal
}
