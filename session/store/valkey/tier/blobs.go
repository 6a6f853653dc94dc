// Package tier is what a store on a Valkey server keeps of sessions, records and uploads on both
// sides: on the server as long as it is new and small, then in blob storage. It has journals with
// their segments, pages and archives of events, the folders of records and uploads, and the
// descriptions from which a lost server is rebuilt. It holds no claim and has no goroutine.
//
// readAhead.mu is held while a block of a journal is read, archives.mu guards the archives read
// last; nothing is taken while that is held.
package tier

import (
	"bytes"
	"context"
	"io"
	"time"

	"steno/session/retry"
	"steno/session/semaphore"
	"steno/session/store/valkey/server"
)

// Blobs is what sessions and records need of blob storage.
type Blobs interface {
	Put(ctx context.Context, name string, body *io.SectionReader) error
	ReadAt(ctx context.Context, name string, p []byte, off int64) (int, error)
	ReadAll(ctx context.Context, name string, limit int64) ([]byte, error)
	Delete(ctx context.Context, name string) error
	DeletePrefix(ctx context.Context, prefix string) error
}

// Tier is what is kept of sessions, records and uploads on both sides: on the server as long as it
// is new and small, then in blob storage. It holds no claim. Its methods may be called from any
// goroutine.
type Tier struct {
	server   *server.Conn
	Blobs    Blobs
	archives archives
	uploads  *semaphore.Semaphore
}

func New(s *server.Conn, b Blobs) *Tier {
	return &Tier{server: s, Blobs: b, uploads: semaphore.New(maxUploads, 0, 1<<20)}
}

// Section is bytes as blob storage takes them.
func Section(p []byte) *io.SectionReader {
	return io.NewSectionReader(bytes.NewReader(p), 0, int64(len(p)))
}

// maxUploads bounds the segments of this process that are written to blob storage at a time.
const maxUploads = 32

// Put writes an object, again and again until the context ends.
func (t *Tier) Put(ctx context.Context, object string, p []byte) error {
	if err := t.uploads.Acquire(ctx, "", 1); err != nil {
		return err
	}
	defer t.uploads.Release("", 1)
	pause := retry.Backoff{First: 100 * time.Millisecond, Longest: 5 * time.Second}
	return retry.Do(ctx, pause, func() error { return t.Blobs.Put(ctx, object, Section(p)) }, nil)
}

// discardTime bounds how long one who has written objects for nothing waits for their removal,
// whoever waits for Release.
const discardTime = 2 * time.Second

// Discard removes objects that the server does not know of, such as those of a claim that has
// ended. What it cannot remove goes with the record.
func (t *Tier) Discard(ctx context.Context, objects ...string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), discardTime)
	defer cancel()
	for _, object := range objects {
		_ = t.Blobs.Delete(ctx, object)
	}
}
