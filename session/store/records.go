package store

import (
	"context"
	"encoding/json"
	"time"

	"steno/messages"
	"steno/session"
)

// What bounds a record's metadata, in bytes of JSON.
const (
	MaxMetadata     = 64 << 10 // custom, and post-session as a client has them
	MaxKeptMetadata = 96 << 10 // post-session as they are kept: MaxMetadata sealed
)

// Records is the list of jobs, each belonging to one account.
type Records interface {
	// Create keeps a new record. Errors: ErrExists (id or token hash), ErrInvalid, ErrNotFound (the
	// account has no such upload), ErrQuota (see [Record.MaxSessions]).
	Create(ctx context.Context, r Record) error
	// Get returns the account's record of that id. Errors: ErrNotFound.
	Get(ctx context.Context, account, id string) (Record, error)
	// ByToken returns the record with that token hash, whatever its status. Errors: ErrNotFound;
	// ErrAway also where there is none and the holder of a session may be about to restore a record
	// that the store has lost.
	ByToken(ctx context.Context, hash []byte) (Record, error)
	// List names the records of the account on the page that q asks for, newest first, in an order
	// that does not change between calls, and tells whether there are more after it.
	List(ctx context.Context, account string, q messages.ListQuery) (page []Listed, more bool, err error)
	// Expired names at most limit finished records of which something is to be removed, those first
	// that ended first.
	Expired(ctx context.Context, q Expired, limit int) ([]RecordID, error)
	// Strip erases parts of a finished record, as Delete does all of it; the record stays, and
	// tells which. Callbacks that are not settled keep their bodies until they are. Errors:
	// ErrNotFound, ErrNotFinished, ErrInvalid, ErrClaimed (a handle holds the session).
	Strip(ctx context.Context, account, id string, parts Parts) error
	// ChangeMetadata replaces the record's post-session metadata by what change makes of them. It
	// is called again where another has changed them meanwhile. Errors: ErrNotFound, ErrTooLarge
	// (more than MaxKeptMetadata), ErrInvalid (no object), those of change.
	ChangeMetadata(ctx context.Context, account, id string, change MetadataChange) error
	// SetStatus makes a live record queued or processing. Done and error are reached by Live.Finish
	// only; a pre-recorded record's status is the queue's. Errors: ErrNotFound, ErrFinished,
	// ErrInvalid.
	SetStatus(ctx context.Context, account, id string, status messages.Status) error
	// Delete removes a finished record with its events, checkpoints, audio, marks and deliveries,
	// and its upload where no other record refers to that; what a claimed handle is asked
	// afterwards is answered with ErrNotFound. Soon after, and after Close at the latest, nothing
	// that is kept on disk holds any of it. Errors: ErrNotFound, ErrNotFinished.
	Delete(ctx context.Context, account, id string) error
	// Cancel is Delete of a record that need not be finished. The worker that has the job, or the
	// claim, learns of it at its next call: ErrLost of the queue, ErrNotFound of a handle. What a
	// worker has committed and no record refers to is its own to remove. Errors: ErrNotFound.
	Cancel(ctx context.Context, account, id string) error
}

// MetadataChange returns the JSON object that replaces another. It is called by the goroutine that
// asks for the change.
type MetadataChange func(object json.RawMessage) (json.RawMessage, error)

// Record is one job as it is kept.
type Record struct {
	// ID is 2 to 64 characters of a-z, 0-9 and hyphen, unique over all accounts.
	ID      string
	Account string
	Kind    messages.JobKind
	Status  messages.Status
	Version int // of the API that made the record

	// Deadline is when Adopt lists a live session that no handle has held; zero: a resume window
	// after Create, which alone looks at it. Records that are read have none.
	Deadline time.Time

	// MaxSessions is how many live sessions of the account may be unfinished, this one included; 0
	// for any number. Create alone looks at it.
	MaxSessions int64

	CreatedAt   time.Time  // UTC, cut to milliseconds
	CompletedAt *time.Time // UTC, nil until finished

	CustomMetadata      json.RawMessage // the request's object, nil if it had none
	PostSessionMetadata json.RawMessage // an object, {} at first
	Params              json.RawMessage // the request with every default filled in
	Languages           json.RawMessage // an array of the codes that the job runs with; nil: those of Params
	Warnings            json.RawMessage // an array of the warnings about the request; nil: none

	Socket   messages.Filter // what the session's sockets are sent
	Callback messages.Filter // what its callbacks are sent

	// TokenHash is the SHA-256 of the token that opens the session's socket; nil where there is
	// none.
	TokenHash []byte

	// Key is the SHA-256 of the API key that asked for the job; nil where that is not known.
	Key []byte

	// Upload is the id of the upload that has the job's audio; empty for none, or none yet.
	Upload string

	// Grace is how long a live session waits for its client once its holder is lost; 0, or more
	// than a resume window: that.
	Grace time.Duration

	// CallbackAuth is a header that only the receiver of the job's callback may see, as "name:
	// value"; nil: there is none.
	CallbackAuth []byte

	// Losses are the incidents that may have taken some of a live session, oldest first; see
	// [Live]. Create does not look at it.
	Losses []session.Loss

	// Transient are the parts that are to be erased once the record is finished: see
	// [Records.Strip], which the caller asks for. Bodies of callbacks go as soon as these are sent
	// or dead, where transcripts are among them.
	Transient Parts
	// Stripped are the parts that were erased. Create does not look at it.
	Stripped Parts

	// Damaged means that Result was lost because the stored data differs from what was written.
	// Create ignores it.
	Damaged bool

	Stopped      bool            // the recording has ended: no audio follows
	ErrorCode    *int            // 400 to 599 where the status is error
	ErrorMessage string          // what failed, for the client; may be empty
	Result       json.RawMessage // nil until finished
	Seconds      *float64        // length of the audio, nil until known
	Channels     int
}

// Listed is a record in a list.
type Listed struct {
	ID string
	// Bytes is how large it is: its JSON and, of a live one that has a result, the bodies of its
	// events.
	Bytes int64
}

// RecordID names a record.
type RecordID struct{ Account, ID string }

// Finished tells whether the record has its outcome: it is done or has failed, and stays so.
func (r *Record) Finished() bool {
	return r.Status == messages.StatusDone || r.Status == messages.StatusError
}

// Outcome is how a job ended.
type Outcome struct {
	// ErrorCode is 0 for a job that is done, else the HTTP status (400 to 599) of the failure.
	ErrorCode int
	// Message describes what failed, for the client; may be empty.
	Message string
	// Result is kept in either case; nil for none.
	Result json.RawMessage
	// Seconds of audio. For a pre-recorded job 0 means not known.
	Seconds float64
	// Channels of the audio; 0 leaves the record's as it is.
	Channels int
	// Upload is the one that a pre-recorded job's record refers to from now on; empty leaves it as
	// it is. FinishJob alone looks at it: ErrNotFound if the account has no such upload.
	Upload string
	// NoUpload means that the record of a pre-recorded job refers to no upload from now on. Upload
	// is empty then.
	NoUpload bool
	// Use is what the account has used by the record. It is counted with the outcome and outlives
	// the record. An outcome that is not kept (ErrFinished, ErrLost) counts nothing.
	Use []Use
	// Params are those of a pre-recorded job's record from now on: what its work has settled of
	// them is filled in. nil leaves them as they are. FinishJob alone looks at them.
	Params json.RawMessage
}
