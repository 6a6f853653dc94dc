package uploads

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"steno/session/store/blob"
	"steno/session/store/valkey/tier"
)

// copies are local files with the bytes of uploads, one for all who have the same upload open.
type copies struct {
	blobs *blob.Bucket
	spool *Spool

	mu   sync.Mutex
	open map[string]*localCopy // by folder
}

// localCopy is the file of one upload. Its path and error are set before ready is closed.
type localCopy struct {
	ready chan struct{}
	path  string
	err   error

	// What follows is guarded by the mutex of copies.

	users   int
	dropped bool // nobody may begin to use it
}

// get returns an open file with the bytes of an upload. Of several who ask at a time one fetches
// it, within its own context. The caller calls put with the copy when the file is closed.
func (c *copies) get(ctx context.Context, folder string) (*localCopy, *os.File, error) {
	for {
		mine, l := c.enter(folder)
		if mine {
			l.path, l.err = c.fetch(ctx, folder)
			close(l.ready)
		}
		select {
		case <-l.ready:
		case <-ctx.Done():
			return nil, nil, errors.Join(ctx.Err(), c.put(folder, l))
		}
		if l.err == nil {
			f, err := os.Open(l.path)
			if err != nil {
				return nil, nil, errors.Join(err, c.put(folder, l))
			}
			return l, f, nil
		}
		_ = c.put(folder, l) // there is no file
		if mine || ctx.Err() != nil {
			return nil, nil, l.err
		}
		// Another one's context may have ended: this one tries itself.
	}
}

// enter counts a user of a copy, and tells whether it is the one who fetches it.
func (c *copies) enter(folder string) (first bool, l *localCopy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.open[folder]; l != nil {
		l.users++
		return false, l
	}
	l = &localCopy{ready: make(chan struct{}), users: 1}
	c.open[folder] = l
	return true, l
}

// fetch copies an upload to a local file.
func (c *copies) fetch(ctx context.Context, folder string) (path string, err error) {
	r, err := c.blobs.Open(ctx, folder+tier.UploadBlob, 0, -1)
	if err != nil {
		return "", err
	}
	defer r.Close()
	f, err := c.spool.create()
	if err != nil {
		return "", fmt.Errorf("make copy: %w", err)
	}
	_, err = io.Copy(f, r)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// put releases what get has returned. The last user removes the file, as does one whose fetching
// failed.
func (c *copies) put(folder string, l *localCopy) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	l.users--
	if failed := l.isReady() && l.err != nil; l.users > 0 && !failed {
		return nil
	}
	if c.open[folder] == l {
		delete(c.open, folder)
	}
	if l.users > 0 || !l.isReady() || l.err != nil || l.dropped {
		return nil
	}
	return os.Remove(l.path)
}

func (l *localCopy) isReady() bool {
	select {
	case <-l.ready:
		return true
	default:
		return false
	}
}

// drop removes the copy of an upload that was deleted. Files that are open stay readable.
func (c *copies) drop(folder string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.open[folder]
	if l == nil || !l.isReady() {
		return // what is being fetched goes with its last user
	}
	delete(c.open, folder)
	if l.err == nil {
		l.dropped = true
		_ = os.Remove(l.path) // else it goes with the spool
	}
}
