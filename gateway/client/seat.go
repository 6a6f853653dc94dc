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

// Seat is a session's place for a client. It is held by one client after the other, each of which
// finds what the one before has left. Its methods may be called from any goroutine.
type Seat struct {
	ID          string                  // of the session
	Holder      string                  // whom what waits for its clients counts for
	Wants       messages.Filter         // kinds that clients are sent
	ReportsAcks bool                    // acks are wanted by others than clients
	Sent        func(e *messages.Event) // called for each event that was written, but for acks

	Delivered atomic.Bool // a client has received everything
	Deleted   atomic.Bool // the session's record is gone

	pace    *pace
	told    atomic.Int32 // how often in a row the client was asked to resume, see intake.tell
	stopDue atomic.Bool  // the client has asked for a stop meanwhile
}

// NewSeat returns the place for a client of a session.
func NewSeat(id string, l *limits.Limits) *Seat { return &Seat{ID: id, pace: newPace(l)} }

// Ledger is what a client asks of what its session is stored in.
type Ledger interface {
	// Marks returns what clients were sent and have confirmed.
	Marks(ctx context.Context) (store.Marks, error)
	// Confirm stores that a client has received an ack up to a boundary, in bytes, and the logged
	// events up to a number.
	Confirm(ctx context.Context, boundary, seq int64) error
	AudioSize() int64
	ReadAudioAt(ctx context.Context, p []byte, off int64) (int, error)
	// Full returns nil where more audio can be held, else a channel that is closed when that is so
	// again.
	Full() <-chan struct{}
	// Cause returns why the session was lost to this process; nil: it was not.
	Cause() error
	// Finished reports whether the session has an outcome.
	Finished() bool
}

// Session is an open session as a client uses it.
type Session struct {
	*session.Session
	Ledger    Ledger
	Pause     time.Duration // of the client that is taken for silence; 0: none is
	Container string        // encoding of the audio, where that is the name of a container
}

// EndOfLoss returns why the connection of a client ends whose session was lost for a cause.
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
