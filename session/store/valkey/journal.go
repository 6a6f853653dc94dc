package valkey

import (
	"context"
	"fmt"
	"io"
	"slices"

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
	if i == len(j.segments) || j.segments[i].start > off || j.blobs == nil {
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

// recording is a journal opened for reading, as long as it was then.
type recording struct {
	*io.SectionReader
	journal journal
	life    context.Context // ends with Close
	end     context.CancelFunc
	block   []byte // bytes from blockAt on, read ahead
	blockAt int64
}

// readAhead is how many bytes are asked of blob storage at a time.
const readAhead = 1 << 20

func newRecording(j journal) *recording {
	r := &recording{journal: j}
	r.life, r.end = context.WithCancel(context.Background())
	r.SectionReader = io.NewSectionReader(r, 0, j.tail.end())
	return r
}

// ReadAt implements io.ReaderAt for one goroutine at a time.
func (r *recording) ReadAt(p []byte, off int64) (int, error) {
	if r.life.Err() != nil {
		return 0, io.ErrClosedPipe
	}
	if off >= r.journal.tail.start || len(p) >= readAhead {
		return r.journal.readAt(r.life, p, off)
	}
	if off < r.blockAt || off >= r.blockAt+int64(len(r.block)) {
		block := make([]byte, readAhead)
		n, err := r.journal.readAt(r.life, block, off)
		if err != nil && err != io.EOF {
			return 0, err
		}
		r.block, r.blockAt = block[:n], off
	}
	n := copy(p, r.block[off-r.blockAt:])
	if n < len(p) {
		more, err := r.ReadAt(p[n:], off+int64(n))
		return n + more, err
	}
	return n, nil
}

// Close implements store.Audio.
func (r *recording) Close() error {
	r.end()
	return nil
}

var sessionAudio = script("session_audio", "record", "session")

// OpenAudio implements store.Sessions.
func (s *sessions) OpenAudio(ctx context.Context, account, id string) (store.Audio, error) {
	j, err := s.journal(ctx, account, id)
	if err != nil {
		return nil, fmt.Errorf("open audio: %w", err)
	}
	return newRecording(j), nil
}

// journal finds the journal of a session; account is empty for any.
func (s *sessions) journal(ctx context.Context, account, id string) (journal, error) {
	m, err := s.run(ctx, sessionAudio, account, id)
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
