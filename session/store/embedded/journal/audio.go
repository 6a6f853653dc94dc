package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"steno/session/store"
)

// audio is a file that only grows. What was written is in the system's cache, which outlives the
// process; the last bytes are in a tail until it has no room for the next ones, or flush is called.
type audio struct {
	file *os.File
	size atomic.Int64 // bytes accepted; no reader sees beyond

	mu     sync.Mutex // one append or flush at a time
	tail   *tail      // ends where size ends
	broken bool       // a failed write could not be cut off
}

// openAudio opens or makes the file and takes all it holds.
func openAudio(path string, t *tail) (*audio, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("measure journal: %w", err), f.Close())
	}
	a := &audio{file: f, tail: t}
	a.size.Store(info.Size())
	t.reset(info.Size())
	return a, nil
}

// append adds p to the end. After an error the file is as long as it was.
func (a *audio) append(p []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(p) > a.tail.room() {
		if err := a.spill(p); err != nil {
			return err
		}
		a.tail.reset(a.size.Add(int64(len(p))))
		return nil
	}
	a.tail.append(p)
	a.size.Add(int64(len(p)))
	return nil
}

// spillSize is up to how many bytes are copied to be written in one call: two writes cost more.
const spillSize = 4 * audioTail

// spilled holds the buffers that no file needs at the moment.
var spilled = sync.Pool{New: func() any { return new([spillSize]byte) }}

// spill writes the tail and then p, which the tail has no room for. The caller resets the tail.
func (a *audio) spill(p []byte) error {
	base, size, held := a.tail.base(), a.size.Load(), a.tail.size()
	if held == 0 || held+len(p) > spillSize {
		if err := a.write(a.tail.bytes(), base, base); err != nil {
			return err
		}
		a.tail.reset(size)
		return a.write(p, size, size)
	}
	buf := spilled.Get().(*[spillSize]byte)
	defer spilled.Put(buf)
	n := copy(buf[:], a.tail.bytes())
	n += copy(buf[n:], p)
	return a.write(buf[:n], base, base)
}

// commit makes what was accepted outlive the process.
func (a *audio) commit() error {
	if a.tail.kept {
		return nil
	}
	return a.flush()
}

// flush writes the tail. After an error it waits for the next flush.
func (a *audio) flush() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tail.size() == 0 {
		return nil
	}
	if err := a.write(a.tail.bytes(), a.tail.base(), a.tail.base()); err != nil {
		return err
	}
	a.tail.reset(a.size.Load())
	return nil
}

// write puts p at a place of the file, or leaves the file as long as keep.
func (a *audio) write(p []byte, at, keep int64) error {
	if a.broken {
		return store.ErrBroken
	}
	if _, err := a.file.WriteAt(p, at); err != nil {
		err = fmt.Errorf("append to journal: %w", err)
		if cut := a.file.Truncate(keep); cut != nil {
			a.broken = true
			err = errors.Join(err, fmt.Errorf("cut journal: %w", cut))
		}
		return err
	}
	return nil
}

// readAt fills p as io.ReaderAt does, from what was accepted.
func (a *audio) readAt(p []byte, off int64) (int, error) {
	size := a.size.Load()
	if off < 0 {
		return 0, fmt.Errorf("read journal at %d: %w", off, store.ErrInvalid)
	}
	if off >= size {
		return 0, io.EOF
	}
	if err := a.flush(); err != nil {
		return 0, err
	}
	short := int64(len(p)) > size-off
	if short {
		p = p[:size-off]
	}
	n, err := a.file.ReadAt(p, off)
	if err == nil && short {
		err = io.EOF
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("read journal: %w", err)
	}
	return n, err
}

// close writes the tail, and closes the file. No other call may be running.
func (a *audio) close() error { return errors.Join(a.flush(), a.file.Close()) }
