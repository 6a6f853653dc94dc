package valkey

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"steno/session/store"
	"steno/session/store/valkey/server"

	"github.com/valkey-io/valkey-go"
)

// journal reads what is stored of a recording: segments in blob storage, then the tail in memory.
type journal struct {
	blobs    blobs
	segments []segment
	tail     tail
}

// readAt fills p as io.ReaderAt does.
func (j *journal) readAt(ctx context.Context, p []byte, off int64) (n int, err error) {
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
func (j *journal) readSome(ctx context.Context, p []byte, off int64) (int, error) {
	if off >= j.tail.end() {
		return 0, io.EOF
	}
	if off >= j.tail.start {
		return copy(p, j.tail.bytes[off-j.tail.start:]), nil
	}
	i, _ := slices.BinarySearchFunc(j.segments, off, func(s segment, off int64) int {
		if s.end <= off {
			return -1
		}
		return 1
	})
	if i == len(j.segments) || j.segments[i].start > off {
		return 0, fmt.Errorf("journal has nothing at %d", off)
	}
	s := j.segments[i]
	p = p[:min(int64(len(p)), s.end-off)]
	n, err := j.blobs.ReadAt(ctx, s.object, p, off-s.start)
	if err == io.EOF && n == len(p) {
		err = nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// readAhead is the bytes of blob storage that were read last. What a journal has at a position never changes.
type readAhead struct {
	size int // how many bytes are asked of blob storage at a time

	mu    sync.Mutex
	block []byte
	at    int64 // of the first byte of block
}

// readAt fills p from a journal as io.ReaderAt does. The block is given up when the tail is reached.
func (r *readAhead) readAt(ctx context.Context, j *journal, p []byte, off int64) (n int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n < len(p) {
		at := off + int64(n)
		if at < 0 || at >= j.tail.start {
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
func (r *readAhead) fetch(ctx context.Context, j *journal, at int64) error {
	block := make([]byte, min(int64(r.size), j.tail.start-at))
	n, err := j.readAt(ctx, block, at)
	if err != nil && (err != io.EOF || n == 0) {
		return err
	}
	r.block, r.at = block[:n], at
	return nil
}

// tail is the end of a journal: the bytes from start on.
type tail struct {
	start int64
	bytes []byte
}

func (t *tail) end() int64 { return t.start + int64(len(t.bytes)) }

// slice returns the bytes of a range, which must be there. They are never changed.
func (t *tail) slice(from, to int64) []byte {
	return t.bytes[from-t.start : to-t.start : to-t.start]
}

// drop forgets the bytes before a position.
func (t *tail) drop(before int64) {
	if before > t.start {
		rest := t.bytes[before-t.start:]
		t.bytes = append(make([]byte, 0, len(rest)+segmentSize+segmentSize/4), rest...) // room until the next one is dropped
		t.start = before
	}
}

// readJournal reads segments, and the pieces of a tail that begin at start. What the segments have is not in the tail returned.
func readJournal(start, size int64, segments, pieces valkey.ValkeyMessage) ([]segment, tail, error) {
	var r server.Reader
	list := parseSegments(&r, segments)
	t := tail{start: start}
	for _, piece := range r.Texts(pieces) {
		t.bytes = append(t.bytes, piece...)
	}
	if r.Err == nil && t.end() != size {
		r.Err = fmt.Errorf("journal of %d bytes ends at %d", size, t.end())
	}
	if r.Err != nil {
		return nil, tail{}, r.Err
	}
	if len(list) > 0 {
		t.drop(list[len(list)-1].end)
	}
	return list, t, nil
}
