package session

import (
	"context"
	"strconv"
	"strings"

	"steno/audio"
	"steno/messages"
)

// Ledger keeps what a session needs to be resumed after its process has died. It belongs to one
// session. All methods may be called from any goroutine.
type Ledger interface {
	State
	// Finish keeps the outcome once everything accepted is durable. It is called once, after every
	// event but end_session.
	Finish(ctx context.Context, o Outcome) error
}

// State is the durable state of a session until its outcome. The writing methods copy their
// arguments and return immediately. What they have accepted becomes durable in the order of the
// calls; Durable reports how far. What is durable survives the death of the process. That the
// server of a store is away is no error of a writing method: what was accepted waits until it is
// back. Methods that read from the server answer store.ErrAway then.
type State interface {
	Journal
	EventLog
	Durability

	// Checkpoints returns the last checkpoint of each lane that has one.
	Checkpoints(ctx context.Context) (map[int][]byte, error)

	// MarkSilence records that silence is inserted at a position of the journal, in bytes. A known
	// position changes nothing. Errors: store.ErrInvalid (below 0).
	MarkSilence(ctx context.Context, at int64) error
	// Silences returns those positions, ascending.
	Silences(ctx context.Context) ([]int64, error)

	// AddNote appends a note. Errors: store.ErrInvalid (a position below 0, a body longer than
	// MaxNote).
	AddNote(ctx context.Context, n Note) error
	// Notes returns the notes in the order in which they were added.
	Notes(ctx context.Context) ([]Note, error)

	// SetStopped records that the recording is stopped: no audio follows.
	SetStopped(ctx context.Context) error
	// Stopped reports whether SetStopped was called, by any process.
	Stopped(ctx context.Context) (bool, error)

	// Cause returns why the session has lost its state to another node or a deletion, and must be
	// abandoned; nil while it has it.
	Cause() error
}

// Journal is the stored bytes of a recording.
type Journal interface {
	// AppendAudio adds p to the end of the journal: all of it, or none and an error. A full disk is
	// recognised by errors.Is(err, syscall.ENOSPC).
	AppendAudio(ctx context.Context, p []byte) error
	// AudioSize is the length of the journal in bytes. After a process died while appending, a
	// beginning of what it was appending may be there.
	AudioSize() int64
	// ReadAudioAt fills p from the journal as io.ReaderAt does.
	ReadAudioAt(ctx context.Context, p []byte, off int64) (int, error)
	// Local reports whether ReadAudioAt always returns all that was appended, without delay: from
	// memory or a disk of this machine.
	Local() bool
}

// Durability reports how far the state of a session is durable.
type Durability interface {
	// Sync asks that the journal be made durable up to a boundary, in bytes, and that the boundary
	// be kept as one about to be acknowledged to a client, whose next connection may start there.
	// The ack may be sent when the boundary of Durable has reached it. It is called about ten times
	// a second. Errors: store.ErrInvalid (below 0).
	Sync(boundary int64) error
	// Durable returns how far what was accepted is durable. It is cheap.
	Durable() Progress
	// Notify sets the function that is called when Durable has grown other than within a call of
	// the state; nil: none. It is called by one goroutine at a time, must not block, and is not
	// called once Notify has returned with another.
	Notify(f func())
}

// Note is a client's request at a position of the journal, in bytes, as encoded by the session. A
// session has few, and they are kept like marks of silence.
type Note struct {
	At   int64
	Body []byte // at most MaxNote bytes
}

// MaxNote is the greatest length of a note's body, in bytes.
const MaxNote = 64 << 10

// Progress is how far a state is durable.
type Progress struct {
	Seq      int64 // number of the last event
	Boundary int64 // the last one of Sync, in bytes
}

// covers reports whether everything that q names is durable.
func (p Progress) covers(q Progress) bool { return p.Seq >= q.Seq && p.Boundary >= q.Boundary }

// EventLog is the events of a session.
type EventLog interface {
	// AppendEvent logs an event and assigns it the next sequence number, from 1 without gaps; e.Seq
	// is ignored. An event whose Key is already logged changes nothing: its number is returned, and
	// fresh is false. A checkpoint, if lane >= 0, replaces the lane's last one together with the
	// event, or not at all. Neither slice is kept. Errors: store.ErrInvalid (a key without a kind).
	AppendEvent(ctx context.Context, e messages.Event, lane int, checkpoint []byte) (seq int64, fresh bool, err error)
	// Events lists at most limit durable events with a number above after, ascending.
	Events(ctx context.Context, after int64, limit int) ([]messages.Event, error)
}

// Outcome is how a session ended.
type Outcome struct {
	// Failure is why the session failed, nil for one that is done. The result so far is kept in
	// either case.
	Failure *Failure
	Result  messages.LiveResult
	// Seconds of audio received.
	Seconds float64
}

// Loss is an incident by which the ledger may have lost audio that was acknowledged: its server and
// its holder died at the same time, and the server that replaced it lacks the newest data. The
// ledger does not know how much.
type Loss struct {
	Number int64 // tells the losses of a session apart
	From   int64 // length that the journal was left with, in bytes: what followed may be missing
}

// Message returns the text that clients are sent about the loss, for a recording of format f.
func (l Loss) Message(f audio.Format) messages.Loss {
	if f.Channels == 0 {
		return messages.Loss{}
	}
	return messages.Loss{From: messages.Seconds(inSamples(f.Seconds(l.From)))}
}

// lossSubject is the prefix of the subjects of events that report losses.
const lossSubject = "loss-"

// key is the key of the event that reports the loss. The log keeps one however often the session is
// restored.
func (l Loss) key() messages.Key {
	return messages.Key{Kind: messages.KindError, Subject: lossSubject + strconv.FormatInt(l.Number, 10)}
}

// tellLosses emits an event for each loss.
func (r *recording) tellLosses() {
	for _, l := range r.cfg.Losses {
		r.emit(l.key(), l.Message(r.format).Failure())
	}
}

// lossOf returns the warning of an event that reports a loss.
func lossOf(e messages.Event) (w messages.Warning, ok bool, err error) {
	if e.Kind != messages.KindError || !strings.HasPrefix(e.Subject, lossSubject) {
		return w, false, nil
	}
	m, err := e.Decode()
	f, _ := m.(messages.Failure)
	return messages.LossWarning(f.Message), true, err
}
