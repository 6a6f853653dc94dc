// Package store is the contract with a store of jobs: records, live sessions (journal, event log,
// marks), uploads, the queue, the outbox of callbacks, the feed for subscribers, API keys, tokens
// and secrets. It knows no database. The embedded implementation is in the folder of that name;
// every implementation passes the suite in storetest. DESIGN.md describes what is kept where and
// what survives.
package store

import (
	"context"
	"errors"
)

var (
	// ErrNotFound means that the account has no such record. Another account's record is not found
	// either.
	ErrNotFound = errors.New("not found")

	// ErrExists means that a record or key of this identity is already there.
	ErrExists = errors.New("already exists")

	// ErrNotFinished means that a record is neither done nor failed yet, which the requested
	// operation needs.
	ErrNotFinished = errors.New("not finished")

	// ErrFinished means that a record is done or failed already: its outcome stays what it is.
	ErrFinished = errors.New("already finished")

	// ErrTooLarge means that a bounded value would outgrow its bound; nothing was changed.
	ErrTooLarge = errors.New("too large")

	// ErrInvalid means that a value cannot be stored: a malformed id, metadata that is no object.
	ErrInvalid = errors.New("invalid value")

	// ErrClaimed means that another handle holds the session, in this process or on another node.
	ErrClaimed = errors.New("session is claimed")

	// ErrTaken means that another handle has claimed the session with TakeOver or TakeFrom. Nothing
	// was written.
	ErrTaken = errors.New("session is claimed by another")

	// ErrLost means that a claim or lease is gone: it was released or settled, or another has taken
	// over. Nothing was written.
	ErrLost = errors.New("claim is lost")

	// ErrAway means that the store is out of reach for now: a server does not answer, is starting,
	// or takes no writes. Whether the operation was done is not known; repeating it is safe.
	ErrAway = errors.New("store is out of reach")

	// ErrErased means that the part of a record that was asked for has been erased.
	ErrErased = errors.New("is not kept any more")

	// ErrUsed means that a record refers to the upload.
	ErrUsed = errors.New("upload is in use")

	// ErrSent means that a delivery has arrived.
	ErrSent = errors.New("delivery was sent")

	// ErrBroken means that a failed write could not be undone, so the journal takes no more until
	// it is claimed again.
	ErrBroken = errors.New("journal is broken")
)

// Store keeps everything that outlives a process. All methods of all its parts may be called from
// any goroutine; all take a context, whose end makes them return its error with the change made
// wholly or not at all. What a method has accepted survives the death of the process, except that
// of a [Live] handle, which tells what is durable. Where the store has a server, any method may
// return ErrAway unless it documents otherwise.
type Store interface {
	Records
	Keys
	Tokens
	Secrets
	Sessions
	AccountLog
	Feed
	Uploads
	Queue
	Outbox
	Nodes
	Accounts
	Audit

	// Free is how many bytes more can be kept, as far as the store can tell; [math.MaxInt64] where
	// nothing bounds them.
	Free(ctx context.Context) (int64, error)
	// Held returns about how many bytes the uploads and finished recordings of each API key, by its
	// hash, take of the space that Free is about; nothing where they take none of it. What belongs
	// to no key that is known is under "".
	Held(ctx context.Context) (map[string]int64, error)

	// Ping tells whether the store can be written and read now.
	Ping(ctx context.Context) error

	// Close releases everything that is held. Handles still open are closed, uploads not committed
	// are discarded; no other method may be running or follow.
	Close() error
}
