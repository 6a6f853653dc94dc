package store

import (
	"context"
	"io"
	"time"
)

// Upload is an audio file as it was handed in or fetched.
type Upload struct {
	// ID is 2 to 64 characters of a-z, 0-9 and hyphen, unique over all accounts.
	ID      string
	Account string
	Key     []byte // SHA-256 of the API key that it was handed in or fetched for; nil where that is not known

	Filename  string // as its sender named it, may be empty; never a name on the store's disk
	Source    string // the URL it was fetched from, empty where it was handed in
	Extension string // of the filename or for its format, without a dot, may be empty
	Size      int64  // bytes

	Duration *float64 // seconds, nil where not known
	Channels *int     // nil where not known

	CreatedAt time.Time // UTC, cut to milliseconds
}

// Uploads keeps audio files. Each belongs to one account; another account's is not found.
type Uploads interface {
	// NewUpload begins an upload of that id, of which nothing is to be found until it is committed.
	// Errors: ErrExists, ErrInvalid.
	NewUpload(ctx context.Context, id string) (UploadWriter, error)
	// Upload returns what is known of an upload. Errors: ErrNotFound.
	Upload(ctx context.Context, account, id string) (Upload, error)
	// OpenUpload opens an upload's bytes. Errors: ErrNotFound.
	OpenUpload(ctx context.Context, account, id string) (UploadFile, error)
	// DeleteUpload removes an upload. Errors: ErrNotFound, ErrUsed.
	DeleteUpload(ctx context.Context, account, id string) error
	// UnusedUploads lists at most limit uploads of all accounts that no record refers to and that
	// were made before a time, oldest first. A record may come to refer to one at any moment:
	// DeleteUpload tells.
	UnusedUploads(ctx context.Context, before time.Time, limit int) ([]Upload, error)
}

// UploadWriter receives an upload's bytes, from one goroutine. Bytes that are not committed are
// removed, by Discard, by the store's Close or after the death of the process.
type UploadWriter interface {
	// Write appends bytes. A full disk is recognised by errors.Is(err, syscall.ENOSPC). After an
	// error the upload cannot be committed.
	io.Writer
	// Path is a local file with the bytes written so far, for a decoder to probe. It is valid until
	// Commit or Discard, and must not be changed.
	Path() string
	// Commit makes the bytes an upload, wholly or not at all. ID and Size of u are not looked at:
	// they are the handle's, as in what is returned. After an error only Discard may follow.
	// Errors: ErrExists, ErrInvalid (no account), ErrLost (it was discarded).
	Commit(ctx context.Context, u Upload) (Upload, error)
	// Discard removes what was written. After a Commit that succeeded, or a Discard, it does
	// nothing.
	Discard() error
}

// UploadFile is an upload opened for reading, by one goroutine at a time. It stays readable after
// its deletion.
type UploadFile interface {
	Audio
	// Path is a local file for a decoder, which must not be changed: the upload itself, or a copy
	// fetched for the purpose. It is valid until Close, or until the upload is deleted; as long as
	// an unfinished record refers to it, that takes a Cancel.
	Path() string
}
