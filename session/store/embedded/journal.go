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

// gather is how many bytes wait at most to be written together: an eighth of a second of most formats, so that an ack of 100 ms
// costs one write, however many frames it is for.
const gather = 4 << 10

// gathered holds the buffers that no journal needs at the moment.
var gathered = sync.Pool{New: func() any { return new([gather]byte) }}

// journal is a file that only grows. What flush has written is in the system's cache, which outlives the process. Up to gather
// bytes of what append has accepted wait for a flush.
type journal struct {
	file *os.File
	size atomic.Int64 // bytes accepted; no reader sees beyond

	mu      sync.Mutex // one append or flush at a time
	waiting *[gather]byte
	n       int  // bytes of waiting; they are the last of size. waiting is nil where there are none
	broken  bool // a failed write could not be cut off
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

// append adds p to the end. After an error the journal is as long as it was.
func (j *journal) append(p []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.n+len(p) > gather {
		if err := j.flushLocked(); err != nil {
			return err
		}
	}
	if len(p) >= gather {
		if err := j.write(p, j.size.Load()); err != nil {
			return err
		}
	} else {
		if j.waiting == nil {
			j.waiting = gathered.Get().(*[gather]byte)
		}
		j.n += copy(j.waiting[j.n:], p)
	}
	j.size.Add(int64(len(p)))
	return nil
}

// flush writes what waits. After an error it waits for the next flush.
func (j *journal) flush() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.flushLocked()
}

func (j *journal) flushLocked() error {
	if j.waiting == nil {
		return nil
	}
	if err := j.write(j.waiting[:j.n], j.size.Load()-int64(j.n)); err != nil {
		return err
	}
	gathered.Put(j.waiting)
	j.waiting, j.n = nil, 0
	return nil
}

// write puts p at the end of the file, or leaves that as long as it was.
func (j *journal) write(p []byte, end int64) error {
	if j.broken {
		return store.ErrBroken
	}
	if _, err := j.file.WriteAt(p, end); err != nil {
		err = fmt.Errorf("append to journal: %w", err)
		if cut := j.file.Truncate(end); cut != nil {
			j.broken = true
			err = errors.Join(err, fmt.Errorf("cut journal: %w", cut))
		}
		return err
	}
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
	if err := j.flush(); err != nil {
		return 0, err
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

func (j *journal) close() error { return errors.Join(j.flush(), j.file.Close()) }
