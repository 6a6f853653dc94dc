package journal

import (
	"os"
	"path/filepath"
)

// Copies copies the tails of sessions out of a file of tails that another process, or this one, is
// writing to. It is used by one goroutine.
type Copies struct {
	path  string
	slots map[string]int // numbers of slots, by the id that they had
}

// CopiesIn returns the copies of a data folder's tails.
func CopiesIn(dir string) *Copies { return &Copies{path: filepath.Join(dir, TailsFile)} }

// Tail returns a copy of the last bytes of one of a session's files, by its name, and the place of
// the first of them; none where they are in the file.
func (c *Copies) Tail(id, name string) (from int64, last []byte) {
	s := c.find(id)
	if s == nil {
		return 0, nil
	}
	t := &s.acks
	if name == AudioFile {
		t = &s.audio
	}
	return t.base(), t.bytes()
}

// find returns a copy of the slot of a session, nil if it has none.
func (c *Copies) find(id string) *slot {
	if s := c.read(c.slots[id], id); s != nil {
		return s
	}
	c.look()
	if n, ok := c.slots[id]; ok {
		return c.read(n, id)
	}
	return nil
}

// look notes which session has which slot.
func (c *Copies) look() {
	c.slots = map[string]int{}
	for i := 0; ; i++ {
		part := c.part(i)
		if part == nil {
			return
		}
		for k := range partSlots {
			if id := slotOf(part, k).id(); id != "" {
				c.slots[id] = i*partSlots + k
			}
		}
	}
}

// part reads a part of the file; nil if there is none.
func (c *Copies) part(i int) []byte {
	file, err := os.Open(c.path)
	if err != nil {
		return nil
	}
	defer file.Close()
	part := make([]byte, partSize)
	if _, err := file.ReadAt(part, int64(i)*partSize); err != nil {
		return nil
	}
	return part
}

// read returns a copy of a slot if it is that of a session. While it is being written to, its
// checksums do not fit; it is read again then.
func (c *Copies) read(n int, id string) *slot {
	const tries = 100
	for range tries {
		part := c.part(n / partSlots)
		if part == nil {
			return nil
		}
		s := slotOf(part, n%partSlots)
		if s.id() != id {
			return nil
		}
		if s.acks.whole() && s.audio.whole() {
			return s
		}
	}
	return nil
}
