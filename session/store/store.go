// Package store is the contract with whatever keeps sessions: their records, event logs, audio journals and marks,
// and the keys of the API. It knows no database. The embedded implementation is in the folder of that name; every
// implementation passes the suite in storetest. DESIGN.md tells what is kept where and what survives what.
package store

import (
	"context"
	"errors"
	"io"
	"time"

	"steno/messages"
)

var (
	// ErrNotFound says that the account has no such record. Another account's record is not found either.
	ErrNotFound = errors.New("not found")

	// ErrExists says that a record or key of this identity is already there.
	ErrExists = errors.New("already exists")

	// ErrNotFinished says that a record is neither done nor failed yet, which what was asked for needs.
	ErrNotFinished = errors.New("not finished")

	// ErrFinished says that a record is done or failed already: its outcome stays what it is.
	ErrFinished = errors.New("already finished")

	// ErrTooLarge says that a bounded value would outgrow its bound; nothing was changed.
	ErrTooLarge = errors.New("too large")

	// ErrInvalid says that a value given to the store can not be kept: a malformed id, metadata that is no object.
	ErrInvalid = errors.New("invalid value")

	// ErrClaimed says that another handle holds the session, in this process or on another node.
	ErrClaimed = errors.New("session is claimed")

	// ErrLost says that a claim or lease is gone: it was given back or settled, or another has taken over. Nothing
	// was written.
	ErrLost = errors.New("claim is lost")

	// ErrUsed says that a record refers to the upload.
	ErrUsed = errors.New("upload is in use")

	// ErrNotDead says that a delivery is not among those given up.
	ErrNotDead = errors.New("delivery is not dead")

	// ErrBroken says that a failed write could not be undone, so the journal takes no more until it is claimed anew.
	ErrBroken = errors.New("journal is broken")
)

// Store keeps everything that outlives a process. All methods of all its parts may be called from any goroutine; all
// take a context, whose end makes them return its error with the change made wholly or not at all. What a method has
// accepted survives the death of the process.
type Store interface {
	Records
	Keys
	Secrets
	Sessions
	Uploads
	Queue
	Outbox

	// Free is how many bytes more can be kept, as far as the store can tell; [math.MaxInt64] where nothing bounds them.
	Free(ctx context.Context) (int64, error)

	// Ping tells whether the store can be written and read now.
	Ping(ctx context.Context) error

	// Close gives back everything held. Handles still open are closed, uploads not
	// committed discarded; no other method may be running or follow.
	Close() error
}

// Records is the list of jobs, each belonging to one account.
type Records interface {
	// Create keeps a new record. Errors: ErrExists (id or token hash), ErrInvalid, ErrNotFound (the account has no
	// such upload).
	Create(ctx context.Context, r Record) error
	// Get returns the account's record of that id. Errors: ErrNotFound.
	Get(ctx context.Context, account, id string) (Record, error)
	// ByToken returns the record with that token hash, whatever its status. Errors: ErrNotFound.
	ByToken(ctx context.Context, hash []byte) (Record, error)
	// List names the records of the account on the page that q asks for, newest first, in an order that does not change
	// between calls, and tells whether there are more after it.
	List(ctx context.Context, account string, q messages.ListQuery) (page []Listed, more bool, err error)
	// Unfinished lists the live records of all accounts that are neither done nor failed, oldest first.
	Unfinished(ctx context.Context) ([]Record, error)
	// FinishedBefore names at most limit records of all accounts that were done or failed before a time, those first that
	// were first.
	FinishedBefore(ctx context.Context, before time.Time, limit int) ([]RecordID, error)
	// PatchMetadata sets the keys of patch in the record's post-session metadata, replacing the values of those that
	// are there; other keys stay. Errors: ErrNotFound, ErrTooLarge (the whole would exceed MaxMetadata), ErrInvalid.
	PatchMetadata(ctx context.Context, account, id string, patch map[string]any) error
	// SetStatus makes a live record queued or processing. Done and error are reached by Live.Finish only; a
	// pre-recorded record's status is the queue's. Errors: ErrNotFound, ErrFinished, ErrInvalid.
	SetStatus(ctx context.Context, account, id string, status messages.Status) error
	// Delete removes a finished record with its events, checkpoints, audio, marks and deliveries, and its upload where
	// no other record refers to that; what a claimed handle is asked afterwards is answered with ErrNotFound.
	// Soon after, and after Close at the latest, nothing that is kept on disk holds any of it.
	// Errors: ErrNotFound, ErrNotFinished.
	Delete(ctx context.Context, account, id string) error
	// Cancel is Delete of a record that need not be finished. The worker that has the job, or the claim, learns of it at
	// its next call: ErrLost of the queue, ErrNotFound of a handle. What a worker has committed and no record refers to
	// is its own to remove. Errors: ErrNotFound.
	Cancel(ctx context.Context, account, id string) error
}

// Keys is the list of API keys. A key itself is never kept, only its SHA-256 hash.
type Keys interface {
	// AddKey keeps a key. Errors: ErrExists, ErrInvalid (a hash that is not 32 bytes, an empty account).
	AddKey(ctx context.Context, k Key) error
	// KeyAccount returns the account a key belongs to. Errors: ErrNotFound.
	KeyAccount(ctx context.Context, hash []byte) (string, error)
	// ListKeys returns all keys, oldest first.
	ListKeys(ctx context.Context) ([]Key, error)
	// RemoveKey forgets a key at once. Errors: ErrNotFound.
	RemoveKey(ctx context.Context, hash []byte) error
	// HasKeys tells whether there is any key.
	HasKeys(ctx context.Context) (bool, error)
}

// Secrets is the list of what callbacks are signed with. An account has several for as long as its receivers change from
// one to the next.
type Secrets interface {
	// AddSecret makes a secret the newest of its account. Where there would be more than MaxSecrets the oldest go.
	// Errors: ErrExists (the account has it), ErrInvalid (an empty account or text).
	AddSecret(ctx context.Context, s Secret) error
	// Secrets returns an account's secrets, newest first; those of all accounts, one after another, where it is empty.
	Secrets(ctx context.Context, account string) ([]Secret, error)
	// RemoveSecret forgets a secret at once. Errors: ErrNotFound.
	RemoveSecret(ctx context.Context, account, text string) error
}

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

// Audio is a session's journal opened for reading, by one goroutine at a time. It stays readable after a Delete.
type Audio interface {
	io.ReadSeekCloser
	// Size is the journal's length in bytes.
	Size() int64
}
