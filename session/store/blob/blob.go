// Package blob keeps objects that are too large for a database: in a folder, or in a bucket of S3
// or of a server that speaks its protocol. An object is whole or not there; it has a name and
// bytes, nothing else.
//
// Errors are those of package store: ErrNotFound, ErrExists, ErrInvalid, and ErrAway where the
// service is out of reach or refuses for now. A disk that is full is recognised by errors.Is(err,
// syscall.ENOSPC).
package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"steno/session/store"
)

const (
	// maxName bounds a name, in bytes.
	maxName = 512
	// MaxPage is the most objects that List returns and that DeletePrefix removes at a time.
	MaxPage = 1000

	// answerTimeout bounds calls that move no bytes of objects, and each wait for bytes of one.
	answerTimeout = 20 * time.Second
	// slowest is the rate, in bytes a second, below which Put fails.
	slowest = 128 << 10
)

// Object is an entry of a list.
type Object struct {
	Name string
	Size int64 // bytes
}

// driver is a place for objects. Names and prefixes it is given are valid.
type driver interface {
	// put keeps the whole of body under a name, in place of what is there; with ifAbsent it answers
	// ErrExists then.
	put(ctx context.Context, name string, body *io.SectionReader, ifAbsent bool) error
	// open returns length bytes from off, fewer where the object ends before, all that follow where
	// length is negative. Reading ends with ctx.
	open(ctx context.Context, name string, off, length int64) (io.ReadCloser, error)
	size(ctx context.Context, name string) (int64, error)
	// remove removes an object; that it is not there is no error.
	remove(ctx context.Context, name string) error
	// removeSome removes at most MaxPage objects whose names begin with prefix, and tells whether
	// there may be more.
	removeSome(ctx context.Context, prefix string) (more bool, err error)
	list(ctx context.Context, prefix, after string, limit int) ([]Object, error)
	free(ctx context.Context) (int64, error)
	close()
}

// Bucket is a place for objects. Its methods may be called from any goroutine; each is bounded in
// time. Names are parts divided by slashes, at most 512 bytes; a part is of letters, digits and
// "-_.=", and does not begin with a dot.
type Bucket struct{ driver driver }

// Open opens a bucket: a folder by its path or as file:///path, which is made if it is not there,
// or s3://bucket/prefix?region=…&endpoint=…&s3ForcePathStyle=true. The endpoint is the URL of a
// server, by default Amazon's; the credentials are those of the environment (AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY), of ~/.aws/credentials, or of the machine's role. Open does not ask the
// service for anything: see Ping. The caller must close the bucket.
func Open(address string) (*Bucket, error) {
	d, err := openDriver(address)
	if err != nil {
		return nil, fmt.Errorf("open blob storage: %w", err)
	}
	return &Bucket{d}, nil
}

// CheckAddress returns what Open has against an address, without making or opening anything.
func CheckAddress(address string) error {
	folder, bucket, err := parse(address)
	switch {
	case err != nil:
		return err
	case bucket != nil:
		_, err = parseS3(bucket)
		return err
	case folder == "":
		return errNoFolder
	}
	return nil
}

// Folder returns the folder that an address names; empty where it is another address, or none.
func Folder(address string) string {
	folder, _, err := parse(address)
	if err != nil {
		return ""
	}
	return folder
}

func openDriver(address string) (driver, error) {
	folder, bucket, err := parse(address)
	switch {
	case err != nil:
		return nil, err
	case bucket != nil:
		return openS3(bucket)
	}
	return openFolder(folder)
}

// parse returns what an address names: a bucket of S3, or where that is nil a folder.
func parse(address string) (folder string, bucket *url.URL, err error) {
	if !strings.Contains(address, "://") {
		return address, nil, nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", nil, errors.New("address is not a URL") // the cause may have a password
	}
	switch u.Scheme {
	case "file":
		if u.Host != "" || u.RawQuery != "" {
			return "", nil, errors.New("address of a folder is file:///path")
		}
		return u.Path, nil, nil
	case "s3":
		return "", u, nil
	}
	return "", nil, fmt.Errorf("address begins with %q, not file or s3", u.Scheme)
}

// Close releases what the bucket holds. Readers must be closed before.
func (b *Bucket) Close() { b.driver.close() }

// Bytes is a body for Put.
func Bytes(p []byte) *io.SectionReader {
	return io.NewSectionReader(bytes.NewReader(p), 0, int64(len(p)))
}

// Put keeps the whole of body under a name, in place of what is there. Body is read by several
// goroutines at a time, never beyond its end, and not after Put has returned. Objects of any size
// take little memory.
func (b *Bucket) Put(ctx context.Context, name string, body *io.SectionReader) error {
	return b.put(ctx, name, body, false)
}

// Create is Put of an object that is not there. Errors: ErrExists, also where an earlier try of the
// same call made it.
func (b *Bucket) Create(ctx context.Context, name string, body *io.SectionReader) error {
	return b.put(ctx, name, body, true)
}

func (b *Bucket) put(ctx context.Context, name string, body *io.SectionReader, ifAbsent bool) error {
	return b.call(ctx, "put", name, answerTimeout+time.Duration(body.Size()/slowest)*time.Second,
		func(ctx context.Context) error {
			return b.driver.put(ctx, name, body, ifAbsent)
		})
}

// Size returns an object's length in bytes. Errors: ErrNotFound.
func (b *Bucket) Size(ctx context.Context, name string) (size int64, err error) {
	err = b.call(ctx, "look for", name, answerTimeout, func(ctx context.Context) error {
		size, err = b.driver.size(ctx, name)
		return err
	})
	return size, err
}

// ReadAt fills p from an object as io.ReaderAt does. Errors: ErrNotFound.
func (b *Bucket) ReadAt(ctx context.Context, name string, p []byte, off int64) (n int, err error) {
	r, err := b.Open(ctx, name, off, int64(len(p)))
	if err != nil {
		return 0, err
	}
	defer r.Close()
	n, err = io.ReadFull(r, p)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// ReadAll returns an object of at most limit bytes. Errors: ErrNotFound, ErrTooLarge.
func (b *Bucket) ReadAll(ctx context.Context, name string, limit int64) ([]byte, error) {
	r, err := b.Open(ctx, name, 0, limit+1)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	p, err := io.ReadAll(r)
	if err == nil && int64(len(p)) > limit {
		err = fmt.Errorf("read %s: %w", name, store.ErrTooLarge)
	}
	return p, err
}

// Delete removes an object; that it is not there is no error.
func (b *Bucket) Delete(ctx context.Context, name string) error {
	return b.call(ctx, "delete", name, answerTimeout, func(ctx context.Context) error {
		return b.driver.remove(ctx,
			name)
	})
}

// DeletePrefix removes the objects whose names begin with a prefix, which ends in a slash. One that
// is made while it works may stay.
func (b *Bucket) DeletePrefix(ctx context.Context, prefix string) error {
	for more := true; more; {
		err := b.call(ctx, "delete", strings.TrimSuffix(prefix, "/"), answerTimeout,
			func(ctx context.Context) (err error) {
				if !strings.HasSuffix(prefix, "/") {
					return store.ErrInvalid
				}
				more, err = b.driver.removeSome(ctx, prefix)
				return err
			})
		if err != nil {
			return err
		}
	}
	return nil
}

// List returns at most limit objects, no more than MaxPage, whose names begin with a prefix and
// come after a name, in the order of the names' bytes. The prefix is empty or ends in a slash;
// after is empty for the first page.
func (b *Bucket) List(ctx context.Context, prefix, after string, limit int) (page []Object, err error) {
	if prefix != "" && (!strings.HasSuffix(prefix, "/") || checkName(strings.TrimSuffix(prefix, "/")) != nil) {
		return nil, fmt.Errorf("list objects: prefix: %w", store.ErrInvalid)
	}
	err = b.bounded(ctx, answerTimeout, func(ctx context.Context) error {
		page, err = b.driver.list(ctx, prefix, after, min(limit, MaxPage))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list objects: %w", err)
	}
	return page, nil
}

// Free returns how many bytes more can be kept; math.MaxInt64 where nothing is known to bound them.
func (b *Bucket) Free(ctx context.Context) (free int64, err error) {
	err = b.bounded(ctx, answerTimeout, func(ctx context.Context) error {
		free, err = b.driver.free(ctx)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("look for room: %w", err)
	}
	return free, nil
}

// Ping tells whether objects can be listed now.
func (b *Bucket) Ping(ctx context.Context) error {
	_, err := b.List(ctx, "", "", 1)
	return err
}

// call runs f, which is about an object, for a limited time.
func (b *Bucket) call(ctx context.Context, what, name string, limit time.Duration,
	f func(context.Context) error) error {
	err := checkName(name)
	if err == nil {
		err = b.bounded(ctx, limit, f)
	}
	if err != nil {
		return fmt.Errorf("%s %q: %w", what, name, err)
	}
	return nil
}

// bounded runs f for a limited time. It returns ErrAway where the limit passes before ctx ends.
func (b *Bucket) bounded(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := f(bounded)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case bounded.Err() != nil:
		return fmt.Errorf("%w: no answer within %s", store.ErrAway, limit)
	}
	return err
}

// checkName refuses what is no name of an object.
func checkName(name string) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.="
	if len(name) > maxName {
		return fmt.Errorf("name: %w", store.ErrInvalid)
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] == '.' || strings.Trim(part, letters) != "" {
			return fmt.Errorf("name: %w", store.ErrInvalid)
		}
	}
	return nil
}
