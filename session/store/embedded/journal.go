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

// journal is a file that only grows. What was written is in the system's cache, which outlives the
// process; the last bytes are in a tail until it has no room for the next ones, or flush is called.
type journal struct {
	file *os.File
	size atomic.Int64 // bytes accepted; no reader sees beyond

	mu     sync.Mutex // one append or flush at a time
	tail   *tail      // ends where size ends
	broken bool       // a failed write could not be cut off
}

// openJournal opens or makes the file and takes all it holds.
func openJournal(path string, t *tail) (*journal, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("measure journal: %w", err), f.Close())
	}
	j := &journal{file: f, tail: t}
	j.size.Store(info.Size())
	t.reset(info.Size())
	return j, nil
}

// append adds p to the end. After an error the journal is as long as it was.
func (j *journal) append(p []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(p) > j.tail.room() {
		if err := j.spill(p); err != nil {
			return err
		}
		j.tail.reset(j.size.Add(int64(len(p))))
		return nil
	}
	j.tail.append(p)
	j.size.Add(int64(len(p)))
	return nil
}

// spillSize is up to how many bytes are copied to be written in one call: two writes cost more.
const spillSize = 4 * audioTail

// spilled holds the buffers that no journal needs at the moment.
var spilled = sync.Pool{New: func() any { return new([spillSize]byte) }}

// spill writes the tail and then p, which the tail has no room for. The caller resets the tail.
func (j *journal) spill(p []byte) error {
	base, size, held := j.tail.base(), j.size.Load(), j.tail.size()
	if held == 0 || held+len(p) > spillSize {
		if err := j.write(j.tail.bytes(), base, base); err != nil {
			return err
		}
		j.tail.reset(size)
		return j.write(p, size, size)
	}
	buf := spilled.Get().(*[spillSize]byte)
	defer spilled.Put(buf)
	n := copy(buf[:], j.tail.bytes())
	n += copy(buf[n:], p)
	return j.write(buf[:n], base, base)
}

// commit makes what was accepted outlive the process.
func (j *journal) commit() error {
	if j.tail.kept {
		return nil
	}
	return j.flush()
}

// flush writes the tail. After an error it waits for the next flush.
func (j *journal) flush() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.tail.size() == 0 {
		return nil
	}
	if err := j.write(j.tail.bytes(), j.tail.base(), j.tail.base()); err != nil {
		return err
	}
	j.tail.reset(j.size.Load())
	return nil
}

// write puts p at a place of the file, or leaves the file as long as keep.
func (j *journal) write(p []byte, at, keep int64) error {
	if j.broken {
		return store.ErrBroken
	}
	if _, err := j.file.WriteAt(p, at); err != nil {
		err = fmt.Errorf("append to journal: %w", err)
		if cut := j.file.Truncate(keep); cut != nil {
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

// close writes the tail, and closes the file. No other call may be running.
func (j *journal) close() error { return errors.Join(j.flush(), j.file.Close()) }
