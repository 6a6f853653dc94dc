package client

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"steno/gateway/dialect"
	"steno/gateway/limits"
	"steno/messages"
	"steno/session"
	"steno/session/store"
)

// Seat is a session's place for a client. One client after the other holds it and inherits its
// state. Its methods may be called from any goroutine.
type Seat struct {
	ID          string                  // of the session
	Holder      string                  // the quotas of its clients belong to this holder
	Wants       messages.Filter         // kinds that clients are sent
	ReportsAcks bool                    // acks have other receivers than clients
	Sent        func(e *messages.Event) // called for each written event, except acks

	Delivered atomic.Bool // a client has received everything
	Deleted   atomic.Bool // the session's record is gone
	// Exhausted is the text for clients of a session that was ended since its account may
	// transcribe no more; nil: it was not.
	Exhausted atomic.Pointer[string]

	pace    *pace
	told    atomic.Int32 // how often in a row the client was asked to resume, see intake.tell
	stopDue atomic.Bool  // a stop is postponed to the next client
}

// NewSeat returns the place for a client of a session.
func NewSeat(id string, l *limits.Limits) *Seat { return &Seat{ID: id, pace: newPace(l)} }

// Ledger is a client's view of its session's storage.
type Ledger interface {
	store.AckMarks
	AudioSize() int64
	ReadAudioAt(ctx context.Context, p []byte, off int64) (int, error)
	// Full returns nil if more audio can be held, else a channel that is closed once it can.
	Full() <-chan struct{}
	// Cause returns why this process has lost the session; nil: it has not.
	Cause() error
	// Finished reports whether the session has an outcome.
	Finished() bool
}

// Session is an open session as a client uses it.
type Session struct {
	*session.Session
	Ledger    Ledger
	Pause     time.Duration // of the client that counts as silence; 0: none does
	Container string        // encoding of the audio if it is in a container
}

// EndOfLoss returns how to close the connection of a client whose session was lost because of
// cause.
func EndOfLoss(cause error) dialect.Why {
	switch {
	case errors.Is(cause, store.ErrTaken):
		return dialect.Replaced
	case errors.Is(cause, store.ErrNotFound):
		return dialect.Deleted
	}
	return dialect.Restart
}

// readerAt makes an io.ReaderAt of a function.
type readerAt func(p []byte, off int64) (int, error)

var _ io.ReaderAt = readerAt(nil)

// ReadAt fills p from the journal.
func (f readerAt) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }

// isClosed reports whether a channel is closed.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
