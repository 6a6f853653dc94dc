package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"steno/audio"
	"steno/messages"
)

// run is what the goroutines of one session share: its configuration, the emitter, the lifetime and
// the failures.
type run struct {
	cfg    Config
	format audio.Format // zero until known
	out    *emitter

	arrival time.Time       // of the newest audio; the writer's
	opened  <-chan struct{} // closed after the newest utterance's first attempt to open a stream; the writer's

	life context.Context // ends when the session is abandoned or finished
	end  func()

	collectors collectors
	failures   failures
	engineAway atomic.Bool // an engine stayed away beyond the grace time
}

// emit emits an event without a checkpoint. A failure to log it is fatal to the session.
func (r *run) emit(key messages.Key, m messages.Message) {
	_, err := r.out.emit(r.life, key, m, noCheckpoint)
	r.failOn(err)
}

// length returns the duration of so many bytes of audio, in seconds.
func (r *run) length(bytes int64) float64 {
	if r.format.Channels == 0 {
		return 0
	}
	return r.format.Seconds(bytes)
}

// begin starts the session's life.
func (r *run) begin() {
	life, end := context.WithCancelCause(context.Background())
	r.life, r.end = life, func() {
		end(ErrAbandoned)
		r.collectors.end()
	}
}

// failOn makes an error fatal: the writer ends the session at its next call. Errors after the end
// of the session's life are ignored. A session that has lost its ledger is abandoned.
func (r *run) failOn(err error) {
	switch {
	case err == nil || r.life.Err() != nil:
	case r.cfg.Ledger.Cause() != nil:
		r.end()
	default:
		r.failures.add(r.failure(err), true)
	}
}

// fatal returns the failure that ended the session, nil if there is none.
func (r *run) fatal() error {
	if first, fatal := r.failures.get(); fatal {
		return first
	}
	return nil
}

// failure is the failure of a session whose ledger, sink or own code failed.
func (r *run) failure(err error) *Failure {
	if r.cfg.Reason != nil && r.cfg.Reason(err) == messages.DiskFull {
		return &Failure{Reason: messages.DiskFull, Message: "no space left to keep the recording", Err: err}
	}
	return &Failure{Reason: messages.InternalError, Message: "internal error", Err: err}
}

var (
	// ErrStopped reports that the recording is stopped. Nothing was accepted.
	ErrStopped = errors.New("recording already stopped")
	// ErrAbandoned reports that the session was abandoned: another process may resume it.
	ErrAbandoned = errors.New("session was abandoned")
	// ErrFull reports that the recording has reached its longest duration. Audio up to there was
	// accepted.
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
	fatal bool // the session ends immediately
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
