package session

import (
	"context"

	"steno/messages"
)

// Ledger keeps what a session needs to be resumed after its process has died. It belongs to one session. All methods may
// be called from any goroutine; what they have accepted survives the death of the process.
type Ledger interface {
	// AppendAudio adds bytes to the end of the audio journal: all of them, or none and an error.
	AppendAudio(ctx context.Context, p []byte) error
	// AudioSize is the length of the journal in bytes.
	AudioSize() int64
	// ReadAudioAt fills p from the journal as io.ReaderAt does.
	ReadAudioAt(ctx context.Context, p []byte, off int64) (int, error)

	EventLog
	// Checkpoints returns the last checkpoint of each lane that has one.
	Checkpoints(ctx context.Context) (map[int][]byte, error)

	// Sync remembers that the boundary, in bytes, is about to be acknowledged to a client, which may then start
	// its next connection there. Called before the ack goes out, about ten times a second.
	Sync(boundary int64) error

	// MarkSilence remembers that silence is inserted at a position of the journal, in bytes. One that is known changes
	// nothing.
	MarkSilence(ctx context.Context, at int64) error
	// Silences returns those positions, ascending.
	Silences(ctx context.Context) ([]int64, error)

	// SetStopped remembers that the recording has ended: no audio follows.
	SetStopped(ctx context.Context) error
	// Stopped reports whether SetStopped was called.
	Stopped(ctx context.Context) (bool, error)
	// Finish keeps the outcome. It is called once, after every event but end_session.
	Finish(ctx context.Context, o Outcome) error
}

// EventLog is the part of a [Ledger] that keeps the events.
type EventLog interface {
	// AppendEvent logs an event and gives it the next sequence number, from 1 without gaps. An event whose Key is
	// already there changes nothing: its old number comes back and fresh is false. A checkpoint, where lane >= 0,
	// replaces the lane's former one together with the event, or not at all.
	AppendEvent(ctx context.Context, e messages.Event, lane int, checkpoint []byte) (seq int64, fresh bool, err error)
	// Events lists at most limit events with a number above after, ascending.
	Events(ctx context.Context, after int64, limit int) ([]messages.Event, error)
}

// Outcome is how a session ended.
type Outcome struct {
	// Failure is why the session failed, nil for one that is done. The result is kept in either case, as far as there is
	// one.
	Failure *Failure
	Result  messages.LiveResult
	// Seconds of audio received.
	Seconds float64
}
