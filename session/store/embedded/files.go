package embedded

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"syscall"

	"steno/session/store/embedded/journal"
)

// files are the folders of sessions and uploads, and the handles that are open on them.
type files struct {
	dir   string
	tails *journal.Tails

	// mu is held over a whole claim and over the part of a deletion that takes the files away, so
	// that no claim makes a folder for a record just deleted; likewise over an upload's commit and
	// its opening. Taken before any lock of a handle; never while a transaction is open.
	mu      sync.Mutex
	claims  map[string]*live
	writers map[string]*uploadWriter
}

// Free implements store.Store: the room that the data folder's file system has for this process's
// user.
func (f *files) Free(ctx context.Context) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("look for room: %w", err)
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(f.dir, &fs); err != nil {
		return 0, fmt.Errorf("look for room in %s: %w", f.dir, err)
	}
	return int64(fs.Bavail) * int64(fs.Bsize), nil
}

// folder is where a session's files are. Two letters of the id are a level of their own, so that no
// folder holds more than a few thousand others.
func (f *files) folder(id string) string {
	return filepath.Join(f.dir, "sessions", id[:2], id)
}

// uploadPath is where an upload's bytes are, spread over folders as sessions are.
func (f *files) uploadPath(id string) string {
	return filepath.Join(f.dir, "uploads", id[:2], id)
}

// openHandles lists what ends each handle that is open.
func (f *files) openHandles() (all []func() error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.claims {
		all = append(all, l.Close)
	}
	for _, w := range f.writers {
		all = append(all, w.Discard)
	}
	return all
}
