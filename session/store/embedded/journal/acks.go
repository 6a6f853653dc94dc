package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"slices"
	"sync"

	"steno/session/store"
)

// The acks file is a row of entries of one size:
//
//	0   kind: 's' boundary sent, 'c' boundary and event confirmed
//	1   boundary, 8 bytes, big-endian
//	9   event number, 8 bytes, 0 for 's'
//	17  CRC-32C of the above
//
// The first entry that is cut short or does not sum up ends the file: it was being written when the
// process died.
const (
	entrySize     = 21
	entrySent     = 's'
	entryConfirm  = 'c'
	compactBeyond = 4096 * entrySize // bytes; a compacted file has MaxSent+1 entries at most
)

// acks is the file of ack marks: what a session's client was sent and has confirmed. The last
// entries are in a tail until that is full; one that does not outlive the process is written with
// every change.
type acks struct {
	path string

	mu    sync.Mutex
	file  *os.File
	size  int64 // bytes of whole entries, those of the tail included
	found int64 // bytes that the file had when it was read
	marks store.Marks
	tail  *tail
	spare int             // bytes of the tail that are not used the first time
	buf   [entrySize]byte // in which an entry is made
}

// readAcks reads the file, as far as its entries are whole; one that is not there is empty.
func readAcks(path string) (*acks, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("read acks: %w", err)
	}
	a := &acks{path: path, found: int64(len(data))}
	for len(data) >= entrySize && a.take(data[:entrySize]) {
		data = data[entrySize:]
		a.size += entrySize
	}
	return a, nil
}

// openAcks opens or makes the file, reads it, and cuts off a torn end. The tail has room for a
// number of entries.
func openAcks(path string, t *tail) (*acks, error) {
	a, err := readAcks(path)
	if err != nil {
		return nil, err
	}
	// Of sessions that are opened together not all are to write their files together.
	a.tail, a.spare = t, rand.IntN(len(t.data))
	if a.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, fileMode); err != nil {
		return nil, fmt.Errorf("open acks: %w", err)
	}
	// only then: ext4 writes a file to the disk when it is closed that was cut to nothing, and
	// close waits
	if a.found > a.size {
		if err := a.file.Truncate(a.size); err != nil {
			return nil, errors.Join(fmt.Errorf("cut acks: %w", err), a.file.Close())
		}
	}
	t.reset(a.size)
	return a, nil
}

// take reads one entry and tells whether it is a whole one.
func (a *acks) take(e []byte) bool {
	if crc32.Checksum(e[:17], castagnoli()) != binary.BigEndian.Uint32(e[17:]) {
		return false
	}
	boundary, seq := int64(binary.BigEndian.Uint64(e[1:])), int64(binary.BigEndian.Uint64(e[9:]))
	switch {
	case boundary < 0 || seq < 0:
		return false
	case e[0] == entrySent:
		addSent(&a.marks, boundary)
	case e[0] == entryConfirm:
		addConfirmed(&a.marks, boundary, seq)
	default:
		return false
	}
	return true
}

// castagnoli is the table of CRC-32C, which package crc32 makes once.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

func appendEntry(b []byte, kind byte, boundary, seq int64) []byte {
	from := len(b)
	b = append(b, kind)
	b = binary.BigEndian.AppendUint64(b, uint64(boundary))
	b = binary.BigEndian.AppendUint64(b, uint64(seq))
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b[from:], castagnoli()))
}

// newSent tells whether a boundary is not known yet.
func newSent(m *store.Marks, boundary int64) bool {
	_, known := slices.BinarySearch(m.Sent, boundary)
	return boundary > m.Boundary && !known
}

// addSent remembers a boundary unless it is known.
func addSent(m *store.Marks, boundary int64) {
	at, known := slices.BinarySearch(m.Sent, boundary)
	if known || boundary <= m.Boundary {
		return
	}
	m.Sent = slices.Insert(m.Sent, at, boundary)
	if len(m.Sent) > store.MaxSent {
		m.Sent = slices.Delete(m.Sent, store.MaxSent/2, store.MaxSent/2+1)
	}
}

// addConfirmed remembers what was confirmed.
func addConfirmed(m *store.Marks, boundary, seq int64) {
	m.Boundary, m.Seq = max(m.Boundary, boundary), max(m.Seq, seq)
	above, known := slices.BinarySearch(m.Sent, m.Boundary)
	if known {
		above++
	}
	m.Sent = slices.Delete(m.Sent, 0, above)
}

func (a *acks) sent(boundary int64) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if boundary < 0 {
		return fmt.Errorf("mark ack: %w", store.ErrInvalid)
	}
	if !newSent(&a.marks, boundary) {
		return nil
	}
	if err := a.write(entrySent, boundary, 0); err != nil {
		return err
	}
	addSent(&a.marks, boundary)
	return a.compactLong()
}

func (a *acks) confirm(boundary, seq int64) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if boundary < 0 || seq < 0 {
		return fmt.Errorf("confirm ack: %w", store.ErrInvalid)
	}
	if boundary <= a.marks.Boundary && seq <= a.marks.Seq {
		return nil
	}
	if err := a.write(entryConfirm, boundary, seq); err != nil {
		return err
	}
	addConfirmed(&a.marks, boundary, seq)
	return a.compactLong()
}

// write adds an entry.
func (a *acks) write(kind byte, boundary, seq int64) error {
	if a.tail.room() < entrySize+a.spare {
		if err := a.flush(); err != nil {
			return err
		}
		a.spare = 0
	}
	entry := appendEntry(a.buf[:0], kind, boundary, seq)
	if a.tail.kept {
		a.tail.append(entry)
	} else {
		if err := a.put(entry, a.size); err != nil {
			return err
		}
		a.tail.reset(a.size + entrySize)
	}
	a.size += entrySize
	return nil
}

// flush writes the tail.
func (a *acks) flush() error {
	if a.tail.size() > 0 {
		if err := a.put(a.tail.bytes(), a.tail.base()); err != nil {
			return err
		}
	}
	a.tail.reset(a.size)
	return nil
}

// put writes to the file. A failed write is overwritten by the next, and ends the file where there
// is none.
func (a *acks) put(p []byte, at int64) error {
	if _, err := a.file.WriteAt(p, at); err != nil {
		return fmt.Errorf("write ack: %w", err)
	}
	return nil
}

// compactLong compacts the file if it has become long.
func (a *acks) compactLong() error {
	if a.size <= compactBeyond {
		return nil
	}
	return a.compact()
}

// compact replaces the file by one with the same content in fewer entries.
func (a *acks) compact() error {
	all := appendEntry(nil, entryConfirm, a.marks.Boundary, a.marks.Seq)
	for _, b := range a.marks.Sent {
		all = appendEntry(all, entrySent, b, 0)
	}
	next := a.path + ".new"
	f, err := os.OpenFile(next, os.O_RDWR|os.O_CREATE|os.O_TRUNC, fileMode)
	if err != nil {
		return fmt.Errorf("compact acks: %w", err)
	}
	_, err = f.WriteAt(all, 0)
	if err == nil {
		err = os.Rename(next, a.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("compact acks: %w", err), f.Close())
	}
	old := a.file
	a.file, a.size = f, int64(len(all))
	a.tail.reset(a.size) // until here it belongs to a place that the new file does not reach
	return old.Close()
}

func (a *acks) snapshot() store.Marks {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := a.marks
	m.Sent = slices.Clone(m.Sent)
	return m
}

// close writes the tail, and closes the file. No other call may be running.
func (a *acks) close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return errors.Join(a.flush(), a.file.Close())
}
