package tier

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
	"steno/session/store/valkey/server"
)

// Journal reads what is stored of a recording: segments in blob storage, then the tail in memory.
type Journal struct {
	Blobs    Blobs
	Segments []Segment
	Tail     Tail
}

// ReadAt fills p as io.ReaderAt does.
func (j *Journal) readAt(ctx context.Context, p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("at %d: %w", off, store.ErrInvalid)
	}
	for n < len(p) && err == nil {
		var more int
		more, err = j.readSome(ctx, p[n:], off+int64(n))
		n += more
	}
	return n, err
}

// readSome reads what one segment or the tail has from a position on.
func (j *Journal) readSome(ctx context.Context, p []byte, off int64) (int, error) {
	if off >= j.Tail.End() {
		return 0, io.EOF
	}
	if off >= j.Tail.Start {
		return copy(p, j.Tail.Bytes[off-j.Tail.Start:]), nil
	}
	i, _ := slices.BinarySearchFunc(j.Segments, off, func(s Segment, off int64) int {
		if s.End <= off {
			return -1
		}
		return 1
	})
	if i == len(j.Segments) || j.Segments[i].Start > off {
		return 0, fmt.Errorf("journal has nothing at %d", off)
	}
	s := j.Segments[i]
	p = p[:min(int64(len(p)), s.End-off)]
	n, err := j.Blobs.ReadAt(ctx, s.Object, p, off-s.Start)
	if err == io.EOF && n == len(p) {
		err = nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// ReadAhead is the bytes of blob storage that were read last. What a journal has at a position
// never changes.
type ReadAhead struct {
	Size int // how many bytes are asked of blob storage at a time

	mu    sync.Mutex
	block []byte
	at    int64 // of the first byte of block
}

// ReadAt fills p from a journal as io.ReaderAt does. The block is released when the tail is
// reached.
func (r *ReadAhead) ReadAt(ctx context.Context, j *Journal, p []byte, off int64) (n int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n < len(p) {
		at := off + int64(n)
		if at < 0 || at >= j.Tail.Start {
			r.block = nil
			more, err := j.readAt(ctx, p[n:], at)
			return n + more, err
		}
		if at < r.at || at >= r.at+int64(len(r.block)) {
			if err := r.fetch(ctx, j, at); err != nil {
				return n, err
			}
		}
		n += copy(p[n:], r.block[at-r.at:])
	}
	return n, nil
}

// fetch reads the block from a position on, which is before the tail.
func (r *ReadAhead) fetch(ctx context.Context, j *Journal, at int64) error {
	block := make([]byte, min(int64(r.Size), j.Tail.Start-at))
	n, err := j.readAt(ctx, block, at)
	if err != nil && (err != io.EOF || n == 0) {
		return err
	}
	r.block, r.at = block[:n], at
	return nil
}

// Tail is the end of a journal: the bytes from start on.
type Tail struct {
	Start int64
	Bytes []byte
}

func (t *Tail) End() int64 { return t.Start + int64(len(t.Bytes)) }

// Slice returns the bytes of a range, which must be there. They are never changed.
func (t *Tail) Slice(from, to int64) []byte {
	return t.Bytes[from-t.Start : to-t.Start : to-t.Start]
}

// Drop forgets the bytes before a position.
func (t *Tail) Drop(before int64) {
	if before > t.Start {
		rest := t.Bytes[before-t.Start:]
		// room until the next one is dropped
		t.Bytes = append(make([]byte, 0, len(rest)+SegmentSize+SegmentSize/4), rest...)
		t.Start = before
	}
}

// ReadJournal reads segments, and the pieces of a tail that begin at start. What the segments have
// is not in the tail returned.
func ReadJournal(start, size int64, segments, pieces valkey.ValkeyMessage) ([]Segment, Tail, error) {
	var r server.Reader
	list := ParseSegments(&r, segments)
	t := Tail{Start: start}
	for _, piece := range r.Texts(pieces) {
		t.Bytes = append(t.Bytes, piece...)
	}
	if r.Err == nil && t.End() != size {
		r.Err = fmt.Errorf("journal of %d bytes ends at %d", size, t.End())
	}
	if r.Err != nil {
		return nil, Tail{}, r.Err
	}
	if len(list) > 0 {
		t.Drop(list[len(list)-1].End)
	}
	return list, t, nil
}
