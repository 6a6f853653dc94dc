package store

import (
	"context"
	"io"

	"steno/messages"
)

// Sessions gives access to the durable state of the sessions behind the records.
type Sessions interface {
	// Claim returns the one handle that may write to the session of that id, whatever its record's status; the first
	// claim makes its journal. The handle is the claim: it is given back by Close. Errors: ErrNotFound, ErrClaimed.
	Claim(ctx context.Context, id string) (Live, error)
	// Events lists at most limit events of a session with a number above after, ascending. It needs no claim.
	// Errors: ErrNotFound.
	Events(ctx context.Context, account, id string, after int64, limit int) ([]messages.Event, error)
	// OpenAudio opens a session's journal for reading, as long as it is at that moment; what is appended later is not
	// seen. A session nothing was sent to has an empty one. It needs no claim. Errors: ErrNotFound.
	OpenAudio(ctx context.Context, account, id string) (Audio, error)
}

// Live is the handle on one session's durable state, and the claim on it. Its methods may be called from any
// goroutine. After Close, or after another node has taken the session over, all return ErrLost; after the record's
// deletion all return ErrNotFound.
type Live interface {
	Journal
	EventLog
	AckMarks
	SilenceMarks

	// SetStopped remembers that the recording has ended: no audio follows.
	SetStopped(ctx context.Context) error
	// Stopped reports whether SetStopped was called, by any process.
	Stopped(ctx context.Context) (bool, error)
	// Finish keeps the outcome and makes the record done or failed. The first one stays. Errors: ErrFinished,
	// ErrInvalid (a pre-recorded job is finished by its lease).
	Finish(ctx context.Context, o Outcome) error

	// Close gives the claim back. It waits for calls that are running.
	Close() error
}

// Journal is the stored bytes of a recording.
type Journal interface {
	// AppendAudio adds p to the end of the journal: all of it, or none and an error. A full disk is recognised by
	// errors.Is(err, syscall.ENOSPC). The slice is the caller's again when it returns.
	AppendAudio(ctx context.Context, p []byte) error
	// AudioSize is the journal's length in bytes. After a process died while appending, a beginning of what it was
	// appending may be there.
	AudioSize() int64
	// ReadAudioAt fills p from the journal as io.ReaderAt does.
	ReadAudioAt(ctx context.Context, p []byte, off int64) (int, error)
}

// EventLog is the events of a session, and the checkpoints that are kept together with them.
type EventLog interface {
	// AppendEvent logs an event and gives it the next number, from 1 without gaps; e.Seq is not looked at. An event
	// whose Key is already there changes nothing: its old number comes back and fresh is false. Where lane >= 0 the
	// checkpoint replaces the lane's former one together with the event, fresh or not. Neither slice is kept.
	// Errors: ErrInvalid (a key without a kind).
	AppendEvent(ctx context.Context, e messages.Event, lane int, checkpoint []byte) (seq int64, fresh bool, err error)
	// Events lists at most limit events with a number above after, ascending.
	Events(ctx context.Context, after int64, limit int) ([]messages.Event, error)
	// Checkpoints returns the last checkpoint of each lane that has one.
	Checkpoints(ctx context.Context) (map[int][]byte, error)
}

// AckMarks is what a session's client was sent of acks and events, and what it confirmed.
type AckMarks interface {
	// MarkAck remembers that a boundary of the journal, in bytes, is about to be acknowledged to a client.
	MarkAck(ctx context.Context, boundary int64) error
	// Confirm remembers that a client has seen the ack of a boundary and every event up to a number. Neither goes
	// back: smaller values than the last change nothing.
	Confirm(ctx context.Context, boundary, seq int64) error
	// Marks returns what MarkAck and Confirm have remembered. The value is the caller's.
	Marks(ctx context.Context) (Marks, error)
}

// SilenceMarks is the places of a journal at which silence is inserted.
type SilenceMarks interface {
	// MarkSilence remembers that silence is inserted at a position of the journal, in bytes. One that is known
	// changes nothing. Errors: ErrInvalid (below 0).
	MarkSilence(ctx context.Context, at int64) error
	// Silences returns those positions, ascending.
	Silences(ctx context.Context) ([]int64, error)
}

// MaxSent bounds the boundaries that Marks holds. A client that confirms nothing for so long has its oldest and its
// newest MaxSent/2 boundaries remembered.
const MaxSent = 1024

// Marks is what is known of a client's view of the session.
type Marks struct {
	// Boundary is the last one confirmed, in bytes; 0 at first.
	Boundary int64
	// Seq is the number of the last event confirmed; 0 at first.
	Seq int64
	// Sent are the boundaries above Boundary that may have reached the client, ascending, at most MaxSent.
	Sent []int64
}

// Audio is a session's journal opened for reading, by one goroutine at a time. It stays readable after a Delete.
type Audio interface {
	io.ReadSeekCloser
	// Size is the journal's length in bytes.
	Size() int64
}
