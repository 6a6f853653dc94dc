package store

import (
	"context"
	"io"
	"time"

	"steno/messages"
	"steno/session"
)

// Sessions provides access to the durable state of the sessions of live records.
type Sessions interface {
	// Claim returns the one handle that may write to the session of that id, whatever its record's
	// status; the first claim makes its journal. The handle is the claim: it is given back by
	// Close. Errors: ErrNotFound, a ClaimedError (not with TakeOver), ErrAway.
	Claim(ctx context.Context, id string, intent Intent) (Live, error)
	// Adopt lists at most limit live sessions that are not finished, that no handle holds, and
	// whose time has come, those first that have been due for longest. That time is the record's
	// Deadline for a session that was never claimed, and what Release has set for one that was;
	// where a holder's lease ran out, it is a resume window after that, and nothing is due within a
	// resume window after the store was opened, or its server started, except a recording that was
	// stopped. Adopt claims nothing. Errors: ErrAway.
	Adopt(ctx context.Context, limit int) ([]Record, error)
	// Events lists at most limit events of a session with a number above after, ascending; those
	// that are durable. It needs no claim. Errors: ErrNotFound, ErrAway.
	Events(ctx context.Context, account, id string, after int64, limit int) ([]messages.Event, error)
	// OpenAudio opens a session's journal for reading, as long as it is at that moment; what is
	// appended later is not seen. A session nothing was sent to has an empty one. It needs no
	// claim. Errors: ErrNotFound, ErrErased, ErrMissing, ErrAway.
	OpenAudio(ctx context.Context, account, id string) (Audio, error)
}

// Intent is what a claim does where another handle holds the session.
type Intent string

const (
	// IfFree leaves the other handle its claim, and returns a ClaimedError with the name of that
	// claim.
	IfFree Intent = ""
	// TakeOver ends the claim of the other handle, on whatever node it is, with ErrTaken.
	TakeOver Intent = "*"
)

// TakeFrom is TakeOver where a certain holder has the session, and IfFree where another one has it.
// It is for a node that the session's client has come to: between the look whether the client is
// still there and the claim any time may pass, and the client may have come to a third node
// meanwhile.
func TakeFrom(holder string) Intent { return Intent(holder) }

// ClaimedError is ErrClaimed with the name of the claim that stands in the way: no other claim has
// had that name.
type ClaimedError struct{ Holder string }

// Error implements error.
func (e ClaimedError) Error() string { return ErrClaimed.Error() }

// Unwrap returns ErrClaimed.
func (e ClaimedError) Unwrap() error { return ErrClaimed }

// ResumeWindow is how long a session whose handle was closed waits for its client, unless the
// options of a store have another time.
const ResumeWindow = 30 * time.Second

// Live is the handle on one session's durable state, and the claim on it. Its methods may be called
// from any goroutine.
//
// A store on the local disk makes what it accepts durable before the method returns; only the last
// few kilobytes of audio wait for the next Sync, event or mark.
//
// After Close all methods return ErrLost. When the claim has ended otherwise they return what Cause
// does, and nothing more of what they had accepted becomes durable. Notify's function is not called
// after Release or Close has returned.
type Live interface {
	// State is what the session asks for. Its Cause is nil until Lost is closed, then why it is:
	// ErrTaken (another handle has claimed the session with TakeOver or TakeFrom), ErrLost (the
	// lease ran out and another node has claimed the session) or ErrNotFound (its record was
	// deleted).
	session.State
	AckMarks

	// Full returns nil while the handle takes audio, else a channel that is closed when it takes
	// audio again or the claim has ended: so much was accepted and is not durable that the writer
	// must wait. AppendAudio does not wait for it, and takes what comes.
	Full() <-chan struct{}
	// Lost is closed when the claim has ended otherwise than by Close.
	Lost() <-chan struct{}
	// Losses lists what has befallen the session before it was claimed, oldest first. It is that of
	// the record.
	Losses() []session.Loss

	// Finish waits until everything accepted is durable, keeps the outcome and makes the record
	// done or failed. The first outcome stays. While the server is away it waits until its context
	// ends. Errors: ErrFinished, ErrInvalid (a pre-recorded job is finished by its lease).
	Finish(ctx context.Context, o Outcome) error

	// Release makes durable what was accepted, as far as the server takes it immediately, releases
	// the claim, and has Adopt list the session after d, or immediately if d is 0. It waits for
	// calls that are running. A second call does nothing.
	Release(d time.Duration) error
	// Close is Release with the store's resume window.
	Close() error
}

// AckMarks is what a session's client was sent of acks (see [session.Durability]) and what it
// confirmed.
type AckMarks interface {
	// Confirm remembers that a client has seen the ack of a boundary and every event up to a
	// number. Neither goes back: smaller values than the last change nothing.
	Confirm(ctx context.Context, boundary, seq int64) error
	// Marks returns what Sync and Confirm have remembered. The value is the caller's.
	Marks(ctx context.Context) (Marks, error)
}

// SealRoom is how much longer than session.MaxNote a note may be that is sealed.
const SealRoom = 64

// MaxSent bounds the boundaries that Marks holds. A client that confirms nothing for so long has
// its oldest and its newest MaxSent/2 boundaries remembered.
const MaxSent = 1024

// Marks is what is known of a client's view of the session.
type Marks struct {
	// Boundary is the last one confirmed, in bytes; 0 at first.
	Boundary int64
	// Seq is the number of the last event confirmed; 0 at first.
	Seq int64
	// Sent are the boundaries above Boundary that may have reached the client, ascending, at most
	// MaxSent.
	Sent []int64
}

// Last returns the last boundary that was acknowledged to the client; 0 for none.
func (m Marks) Last() int64 {
	if n := len(m.Sent); n > 0 {
		return max(m.Boundary, m.Sent[n-1])
	}
	return m.Boundary
}

// Audio is a session's journal opened for reading, by one goroutine at a time. After a Delete it
// stays readable where recordings are on the local disk; else Read may answer ErrNotFound.
type Audio interface {
	io.ReadSeekCloser
	// Size is the journal's length in bytes.
	Size() int64
}
