package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// The last bytes of the two files of each claimed session are in a slot of one file, which is
// mapped into memory. Data put there is in the operating system's cache like written data, without
// a system call. The file consists of parts: partSlots heads of slots, followed, at a multiple of
// every usual page size, by as many blocks of audio.
const (
	slotHead    = 1 << 10
	audioTail   = 4 << 10 // bytes, a page: an eighth of a second of most formats
	partSlots   = 64
	partSize    = partSlots * (slotHead + audioTail)
	slotID      = 64 // bytes of a head: the length of the session's id, and the id; 0: the slot is free
	acksAt      = slotID + tailHeadSize
	acksEntries = acksAt + tailHeadSize
	acksTail    = (slotHead - acksEntries) / entrySize * entrySize
)

// slot is a session's part of the file of tails, or memory that ends with the process.
type slot struct {
	name  []byte // of slotID bytes; nil: no part of the file
	audio tail
	acks  tail
}

// slotOf is the slot of a number within a part.
func slotOf(part []byte, i int) *slot {
	head := part[i*slotHead : (i+1)*slotHead]
	data := part[partSlots*slotHead:]
	return &slot{
		name: head[:slotID],
		audio: tail{head: headAt(head[slotID:]), data: data[i*audioTail : (i+1)*audioTail : (i+1)*audioTail],
			kept: true},
		acks: tail{head: headAt(head[acksAt:]), data: head[acksEntries : acksEntries+acksTail : acksEntries+acksTail],
			kept: true},
	}
}

// id is the session that has the slot, "" for none.
func (s *slot) id() string { return string(s.name[1 : 1+min(int(s.name[0]), slotID-1)]) }

// clear leaves nothing in the slot.
func (s *slot) clear() {
	s.audio.reset(0)
	s.acks.reset(0)
	clear(s.audio.data)
	clear(s.acks.data)
	clear(s.name)
}

// write adds to a session's files what they lack of the slot's contents. Where they end before
// that, or the slot is not what was written, the machine has died, and what is missing there is
// lost: audio from the place on that lost is called with.
func (s *slot) write(folder string, lost func(from int64)) error {
	for name, t := range map[string]*tail{AudioFile: &s.audio, AcksFile: &s.acks} {
		if t.size() == 0 {
			continue
		}
		size, completed, err := complete(filepath.Join(folder, name), t)
		if err != nil {
			return fmt.Errorf("complete %s: %w", name, err)
		}
		if !completed && name == AudioFile {
			lost(size)
		}
	}
	return nil
}

// complete writes a tail to its file, and reports whether the file has all that the tail holds, or
// else its length. A file that is not there was deleted.
func complete(path string, t *tail) (size int64, completed bool, err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return 0, true, nil
	}
	if err != nil {
		return 0, false, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, false, errors.Join(err, f.Close())
	}
	size, completed = info.Size(), t.whole() && info.Size() >= t.base()
	if completed && size < t.end() {
		_, err = f.WriteAt(t.bytes(), t.base())
	}
	return size, completed, errors.Join(err, f.Close())
}
