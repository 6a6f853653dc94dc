package embedded

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"steno/session/store"
)

// journal is a file that only grows. What append has accepted is in the system's cache, which outlives the process.
type journal struct {
	file *os.File
	size atomic.Int64 // bytes accepted; no reader sees beyond

	mu     sync.Mutex // one append at a time
	broken bool       // a failed write could not be cut off
}

// openJournal opens or makes the file and takes all it holds.
func openJournal(path string) (*journal, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("measure journal: %w", err), f.Close())
	}
	j := &journal{file: f}
	j.size.Store(info.Size())
	return j, nil
}

// append adds p to the end, or leaves the file as long as it was.
func (j *journal) append(p []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken {
		return store.ErrBroken
	}
	size := j.size.Load()
	if _, err := j.file.WriteAt(p, size); err != nil {
		err = fmt.Errorf("append to journal: %w", err)
		if cut := j.file.Truncate(size); cut != nil {
			j.broken = true
			err = errors.Join(err, fmt.Errorf("cut journal: %w", cut))
		}
		return err
	}
	j.size.Store(size + int64(len(p)))
	return nil
}

// readAt fills p as io.ReaderAt does, from what was accepted.
func (j *journal) readAt(p []byte, off int64) (int, error) {
	size := j.size.Load()
	if off < 0 {
		return 0, fmt.Errorf("read journal at %d: %w", off, store.ErrInvalid)
	}
	if off >= size {
		return 0, io.EOF
	}
	short := int64(len(p)) > size-off
	if short {
		p = p[:size-off]
	}
	n, err := j.file.ReadAt(p, off)
	if err == nil && short {
		err = io.EOF
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("read journal: %w", err)
	}
	return n, err
}

func (j *journal) close() error { return j.file.Close() }
