package journal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// TailsFile is the file of tails, in the data folder.
const TailsFile = "tails"

// Tails hands out the slots of the file of tails. Its methods may be called from any goroutine.
type Tails struct {
	dir string

	mu    sync.Mutex
	file  *os.File // nil until the first slot
	parts [][]byte
	free  []*slot
	left  map[string]*slot // of sessions whose files could not be completed when they were closed
	unfit bool             // the data folder cannot have the file
}

// NewTails returns the tails of a data folder. Its file is made for the first slot. The caller must
// call Close.
func NewTails(dir string) *Tails { return &Tails{dir: dir} }

// take returns an empty slot for a session. If the file cannot be extended, as on a full disk, the
// slot is in memory that does not outlive the process.
func (p *Tails) take(id string) *slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(id) >= slotID || len(p.free) == 0 && !p.grow() {
		return &slot{audio: newTail(audioTail), acks: newTail(acksTail)}
	}
	s := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	copy(s.name[1:], id)
	s.name[0] = byte(len(id))
	return s
}

// grow adds a part to the file, and reports whether it could. It is called with mu held.
func (p *Tails) grow() bool {
	if p.unfit {
		return false
	}
	if p.file == nil {
		f, err := os.OpenFile(filepath.Join(p.dir, TailsFile), os.O_RDWR|os.O_CREATE, fileMode)
		if err != nil {
			return false
		}
		if !canMap(f) {
			p.unfit = true
			_ = errors.Join(f.Close(), os.Remove(f.Name())) // it has nothing
			return false
		}
		p.file = f
	}
	part, err := mapPart(p.file, int64(len(p.parts)*partSize), partSize)
	if err != nil {
		return false
	}
	p.parts = append(p.parts, part)
	for i := range partSlots {
		p.free = append(p.free, slotOf(part, i))
	}
	return true
}

// put returns a slot to the pool. complete means that the session's files have all of its data;
// otherwise the slot is kept for Settle.
func (p *Tails) put(s *slot, complete bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case s.name == nil:
	case complete:
		p.reuse(s)
	default:
		if p.left == nil {
			p.left = map[string]*slot{}
		}
		p.left[s.id()] = s
	}
}

// Settle completes the files of a session for which that failed when it was closed. folder is ""
// for a deleted session.
func (p *Tails) Settle(id, folder string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.left[id]
	if s == nil {
		return nil
	}
	if folder != "" {
		if err := s.write(folder, func(int64) {}); err != nil { // this process has written it
			return err
		}
	}
	delete(p.left, id)
	p.reuse(s)
	return nil
}

// reuse makes a slot free. It is called with mu held.
func (p *Tails) reuse(s *slot) {
	s.clear()
	p.free = append(p.free, s)
}

// Recover completes the files of the sessions that an earlier process had, and removes the file of
// tails. It calls lost for each session of which audio is lost, with the place from which on it is.
func (p *Tails) Recover(folder func(id string) string, lost func(id string, from int64)) error {
	f, err := os.OpenFile(filepath.Join(p.dir, TailsFile), os.O_RDONLY, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open tails: %w", err)
	}
	part := make([]byte, partSize)
	for {
		_, err = io.ReadFull(f, part)
		if err == io.EOF || err == io.ErrUnexpectedEOF { // a part that was being made
			err = nil
			break
		}
		if err == nil {
			err = recoverPart(part, folder, lost)
		}
		if err != nil {
			break
		}
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("recover tails: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return fmt.Errorf("remove tails: %w", err)
	}
	return nil
}

func recoverPart(part []byte, folder func(id string) string, lost func(id string, from int64)) error {
	for i := range partSlots {
		s := slotOf(part, i)
		if id := s.id(); isID(id) {
			if err := s.write(folder(id), func(from int64) { lost(id, from) }); err != nil {
				return fmt.Errorf("session %s: %w", id, err)
			}
		}
	}
	return nil
}

// isID reports whether a session may have this id: what was found may be anything.
func isID(id string) bool {
	return len(id) >= 2 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// Close unmaps the file, and removes it unless something in it is still to be written. No slot may
// be in use.
func (p *Tails) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file == nil {
		return nil
	}
	var errs []error
	for _, p := range p.parts {
		errs = append(errs, unmap(p))
	}
	errs = append(errs, p.file.Close())
	if len(p.left) == 0 {
		errs = append(errs, os.Remove(p.file.Name()))
	}
	p.file, p.parts, p.free, p.unfit = nil, nil, nil, true
	return errors.Join(errs...)
}
