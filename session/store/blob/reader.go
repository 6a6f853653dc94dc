package blob

import (
	"context"
	"fmt"
	"io"
	"time"

	"steno/session/store"
)

// Open opens an object for reading length bytes from off, fewer where the object ends before, all
// that follow where length is negative. Reading ends with ctx, and with ErrAway when no byte comes
// for too long. The reader is for one goroutine, who must close it; it holds one connection or file
// and a few KiB. Errors: ErrNotFound, ErrInvalid (a negative off).
func (b *Bucket) Open(ctx context.Context, name string, off, length int64) (io.ReadCloser, error) {
	err := checkName(name)
	if err == nil && off < 0 {
		err = fmt.Errorf("offset: %w", store.ErrInvalid)
	}
	if err != nil {
		return nil, fmt.Errorf("open %q: %w", name, err)
	}
	if length == 0 {
		_, err := b.Size(ctx, name)
		return emptyReader{}, err
	}
	r := &reader{parent: ctx, name: name}
	r.ctx, r.cancel = context.WithCancel(ctx)
	r.idle = time.AfterFunc(answerTimeout, r.cancel)
	r.from, err = b.driver.open(r.ctx, name, off, length)
	if err != nil {
		err = r.explain(err)
		r.end()
		return nil, fmt.Errorf("open %q: %w", name, err)
	}
	r.idle.Stop() // until the first Read
	return r, nil
}

// reader reads an object, and fails when that stalls.
type reader struct {
	parent context.Context // the caller's
	ctx    context.Context // ends with parent, or when reading stalls
	cancel context.CancelFunc
	idle   *time.Timer
	from   io.ReadCloser
	name   string
}

func (r *reader) Read(p []byte) (int, error) {
	r.idle.Reset(answerTimeout)
	n, err := r.from.Read(p)
	r.idle.Stop()
	if err != nil && err != io.EOF {
		err = fmt.Errorf("read %q: %w", r.name, r.explain(err))
	}
	return n, err
}

// explain makes the context's error of one that comes of its end, and ErrAway of a stall.
func (r *reader) explain(err error) error {
	switch {
	case r.parent.Err() != nil:
		return r.parent.Err()
	case r.ctx.Err() != nil:
		return fmt.Errorf("%w: no bytes within %s", store.ErrAway, answerTimeout)
	}
	return err
}

func (r *reader) end() {
	r.idle.Stop()
	r.cancel()
}

func (r *reader) Close() error {
	r.end()
	return r.from.Close()
}

// emptyReader is a range of no bytes.
type emptyReader struct{}

func (emptyReader) Read([]byte) (int, error) { return 0, io.EOF }
func (emptyReader) Close() error             { return nil }
