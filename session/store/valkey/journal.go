package valkey

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"steno/session/store"
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

// recording is a journal opened for reading, as long as it was then.
type recording struct {
	*io.SectionReader
	journal journal
	ahead   readAhead
	refresh func(context.Context) (journal, error) // where its objects are now
	life    context.Context                        // ends with Close
	end     context.CancelFunc
}

// recordingAhead is what a recording asks of blob storage at a time: it is mostly read as a whole.
const recordingAhead = 1 << 20

func newRecording(j journal, refresh func(context.Context) (journal, error)) *recording {
	r := &recording{journal: j, ahead: readAhead{size: recordingAhead}, refresh: refresh}
	r.life, r.end = context.WithCancel(context.Background())
	r.SectionReader = io.NewSectionReader(r, 0, j.tail.end())
	return r
}

// ReadAt implements io.ReaderAt for one goroutine at a time. The objects of a session that is archived meanwhile are others.
func (r *recording) ReadAt(p []byte, off int64) (int, error) {
	if r.life.Err() != nil {
		return 0, io.ErrClosedPipe
	}
	n, err := r.ahead.readAt(r.life, &r.journal, p, off)
	if !errors.Is(err, store.ErrNotFound) {
		return n, err
	}
	now, failed := r.refresh(r.life)
	if failed != nil || now.tail.end() < r.journal.tail.end() {
		return n, err
	}
	r.journal = now
	more, err := r.ahead.readAt(r.life, &r.journal, p[n:], off+int64(n))
	if errors.Is(err, store.ErrNotFound) { // the session is there, and its object is not
		err = fmt.Errorf("%w: %w", store.ErrMissing, err)
	}
	return n + more, err
}

// Close implements store.Audio.
func (r *recording) Close() error {
	r.end()
	return nil
}

var sessionAudio = script("session_audio", "record", "session")

// OpenAudio implements store.Sessions.
func (s *sessions) OpenAudio(ctx context.Context, account, id string) (store.Audio, error) {
	if account == "" {
		return nil, fmt.Errorf("open audio: %w", store.ErrNotFound)
	}
	j, err := s.journal(ctx, account, id)
	if err != nil {
		return nil, fmt.Errorf("open audio: %w", err)
	}
	r := newRecording(j, func(ctx context.Context) (journal, error) { return s.journal(ctx, account, id) })
	if j.tail.end() > 0 { // what is read now is kept for the first read
		if _, err := r.ReadAt(make([]byte, 1), 0); errors.Is(err, store.ErrMissing) {
			return nil, fmt.Errorf("open audio: %w", err)
		}
	}
	return r, nil
}

// journal finds the journal of a session; account is empty for any.
func (s *sessions) journal(ctx context.Context, account, id string) (journal, error) {
	m, err := s.look(ctx, sessionAudio, account, id)
	if err != nil {
		return journal{}, err
	}
	answer, err := m.ToArray()
	if err != nil || len(answer) != 4 {
		return journal{}, fmt.Errorf("%w: answer about a journal: %w", store.ErrAway, err)
	}
	j := journal{blobs: s.blobs}
	size, err := answer[0].AsInt64()
	if err == nil {
		j.tail.start, err = answer[1].AsInt64()
	}
	if err == nil {
		j.segments, j.tail, err = readJournal(j.tail.start, size, answer[2], answer[3])
	}
	return j, err
}
