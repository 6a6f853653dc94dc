package seal

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"steno/session"
	"steno/session/store"
)

// A journal is as long in the store as in the clear, so that places in it stay the same: what is
// kept of each chunk is the ciphertext that AES-256-GCM makes of it, and its tag is in a note. Each
// claim that appends begins a segment with a key of its own, so no place is ever encrypted twice
// with the same key. Within a segment the number of a chunk is its nonce, and the end of a segment
// is a tag of its length and its last chunk: pieces cannot be swapped or cut.
const (
	chunkSize   = 64 << 10
	tagsInNote  = 16 // about a note for each MiB
	segmentNote = 's'
	tagsNote    = 't'
	endNote     = 'e'
	clientNote  = 'n'
)

// segment is a range of the journal under one key.
type segment struct {
	start int64
	key   [keySize]byte
	tags  [][tagSize]byte // of its chunks that are full
	ended bool
	size  int64 // where it has ended
	tag   [tagSize]byte
	block cipher.Block
	aead  cipher.AEAD
}

func (s *segment) open() (err error) {
	if s.block, err = aes.NewCipher(s.key[:]); err == nil {
		s.aead, err = cipher.NewGCM(s.block)
	}
	return err
}

func nonce(chunk int64) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, 4, nonceSize), uint64(chunk))
}

// stream is what AES-GCM encrypts a chunk with, from a place in the chunk on.
func (s *segment) stream(chunk int64, skip int) cipher.Stream {
	iv := binary.BigEndian.AppendUint32(nonce(chunk), 2+uint32(skip/aes.BlockSize))
	stream := cipher.NewCTR(s.block, iv)
	if rest := skip % aes.BlockSize; rest > 0 {
		var unused [aes.BlockSize]byte
		stream.XORKeyStream(unused[:rest], unused[:rest])
	}
	return stream
}

// seal returns the tag of a chunk. last is the length of the segment where the chunk is its end.
func (s *segment) seal(chunk int64, clear, room []byte, last int64) (tag [tagSize]byte) {
	sealed := s.aead.Seal(room[:0], nonce(chunk), clear, endOf(last))
	copy(tag[:], sealed[len(clear):])
	return tag
}

func endOf(last int64) []byte {
	if last < 0 {
		return nil
	}
	return binary.BigEndian.AppendUint64(nil, uint64(last))
}

// layout is the segments of a journal, of its notes.
type layout struct {
	segments []*segment
	client   []session.Note
	notes    int // in the store
}

// journalNotes opens the notes of a session.
func (r *Ring) journalNotes(ctx context.Context, account, id string, list []session.Note) (l layout, err error) {
	for i, n := range list {
		clear, err := r.Open(ctx, account, noteAbout(id, i), n.Body)
		if err != nil {
			return l, err
		}
		l.notes++
		if len(clear) == len(n.Body) { // it was never sealed
			l.client = append(l.client, n)
		} else if err := l.add(n.At, clear); err != nil {
			return l, fmt.Errorf("note %d of %s: %w", i, id, err)
		}
	}
	return l, nil
}

func noteAbout(id string, number int) string { return fmt.Sprintf("note\x00%s\x00%d", id, number) }

func (l *layout) add(at int64, p []byte) error {
	if len(p) == 0 {
		return store.ErrDamaged
	}
	kind, p := p[0], p[1:]
	if kind == clientNote {
		l.client = append(l.client, session.Note{At: at, Body: p})
		return nil
	}
	if kind == segmentNote && len(p) == keySize {
		s := &segment{start: at, key: [keySize]byte(p)}
		l.segments = append(l.segments, s)
		return s.open()
	}
	if len(l.segments) == 0 {
		return store.ErrDamaged
	}
	s := l.segments[len(l.segments)-1]
	switch {
	case kind == tagsNote && len(p)%tagSize == 0 && !s.ended:
		for ; len(p) > 0; p = p[tagSize:] {
			s.tags = append(s.tags, [tagSize]byte(p))
		}
	case kind == endNote && len(p) == 8+tagSize && !s.ended:
		s.ended, s.size, s.tag = true, int64(binary.BigEndian.Uint64(p)), [tagSize]byte(p[8:])
		s.tags = s.tags[:min(int64(len(s.tags)), s.size/chunkSize)]
	default:
		return store.ErrDamaged
	}
	return nil
}

// readAt reads the ciphertext of a journal.
type readAt func(p []byte, off int64) (int, error)

// reader decrypts a journal. It keeps the chunk read last.
type reader struct {
	layout *layout
	read   readAt
	size   func() int64

	of    *segment
	chunk int64
	clear []byte
}

// ReadAt fills p as io.ReaderAt does.
func (r *reader) ReadAt(p []byte, off int64) (n int, err error) {
	size := r.size()
	if off < 0 {
		return 0, store.ErrInvalid
	}
	for n < len(p) && off+int64(n) < size {
		more, err := r.some(p[n:min(int64(len(p)), size-off)], off+int64(n), size)
		if n += more; err != nil {
			return n, err
		}
	}
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}

// some reads from the segment that a place is in.
func (r *reader) some(p []byte, off, size int64) (int, error) {
	i := len(r.layout.segments) - 1
	for i >= 0 && r.layout.segments[i].start > off {
		i--
	}
	end := size
	if i+1 < len(r.layout.segments) {
		end = min(end, r.layout.segments[i+1].start)
	}
	if i < 0 { // from before there was a key
		n, err := r.read(p[:min(int64(len(p)), end-off)], off)
		if err == io.EOF && n > 0 {
			err = nil
		}
		return n, err
	}
	s := r.layout.segments[i]
	if s.ended && end-s.start != s.size {
		return 0, fmt.Errorf("the recording is not as long as it was: %w", store.ErrDamaged)
	}
	chunk := (off - s.start) / chunkSize
	at := s.start + chunk*chunkSize
	if r.of != s || r.chunk != chunk || at+int64(len(r.clear)) <= off {
		if err := r.decrypt(s, chunk, min(chunkSize, end-at)); err != nil {
			return 0, err
		}
	}
	return copy(p, r.clear[off-at:]), nil
}

// decrypt reads a chunk of a length. The end of one that is appended to has no tag yet.
func (r *reader) decrypt(s *segment, chunk, length int64) error {
	r.of, r.chunk, r.clear = nil, 0, nil
	sealed := make([]byte, length, length+tagSize)
	n, err := r.read(sealed, s.start+chunk*chunkSize)
	if int64(n) < length {
		return errors.Join(io.ErrUnexpectedEOF, err)
	}
	switch {
	case chunk < int64(len(s.tags)) && length == chunkSize:
		sealed, err = s.aead.Open(sealed[:0], nonce(chunk), append(sealed, s.tags[chunk][:]...), nil)
	case s.ended && chunk == s.size/chunkSize:
		sealed, err = s.aead.Open(sealed[:0], nonce(chunk), append(sealed, s.tag[:]...), endOf(s.size))
	case s.ended || chunk < int64(len(s.tags)):
		err = store.ErrDamaged
	default:
		s.stream(chunk, 0).XORKeyStream(sealed, sealed)
		err = nil
	}
	if err != nil {
		return fmt.Errorf("the recording at %d: %w", s.start+chunk*chunkSize, store.ErrDamaged)
	}
	r.of, r.chunk, r.clear = s, chunk, sealed
	return nil
}

// journal encrypts what a handle appends.
type journal struct {
	mu     sync.Mutex
	live   store.Live
	note   func(ctx context.Context, at int64, p []byte) error // keeps a sealed note
	layout *layout

	current *segment
	chunk   []byte // in the clear, of the chunk that is not full yet
	untold  int    // tags that are in no note yet
	out     []byte // room for ciphertext
	room    []byte // for a chunk and its tag
}

// append encrypts p and appends it. After an error the next call begins another segment.
func (j *journal) append(ctx context.Context, p []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(p) == 0 {
		return j.live.AppendAudio(ctx, p)
	}
	if j.current == nil {
		if err := j.begin(ctx); err != nil {
			return err
		}
	}
	s := j.current
	out := j.out[:0]
	at := int64(len(s.tags))*chunkSize + int64(len(j.chunk))
	for rest := p; len(rest) > 0; {
		chunk, skip := at/chunkSize, int(at%chunkSize)
		n := min(len(rest), chunkSize-skip)
		out = j.encrypt(out, s, chunk, skip, rest[:n])
		rest, at = rest[n:], at+int64(n)
	}
	j.out = out
	if err := j.live.AppendAudio(ctx, out); err != nil {
		_ = j.end(context.WithoutCancel(ctx)) // else the next claim does it
		return err
	}
	return j.seal(ctx, p)
}

// encrypt appends the ciphertext of p, which begins so many bytes after the beginning of a chunk.
func (j *journal) encrypt(out []byte, s *segment, chunk int64, skip int, p []byte) []byte {
	from := len(out)
	out = append(out, p...)
	s.stream(chunk, skip).XORKeyStream(out[from:], p)
	return out
}

// seal gathers what was appended, and has tags of the chunks that are full.
func (j *journal) seal(ctx context.Context, p []byte) error {
	s := j.current
	for len(p) > 0 {
		n := min(len(p), chunkSize-len(j.chunk))
		j.chunk, p = append(j.chunk, p[:n]...), p[n:]
		if len(j.chunk) < chunkSize {
			break
		}
		s.tags = append(s.tags, s.seal(int64(len(s.tags)), j.chunk, j.room, -1))
		j.chunk = j.chunk[:0]
		if j.untold++; j.untold >= tagsInNote {
			if err := j.tell(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// tell keeps the tags that are in no note.
func (j *journal) tell(ctx context.Context) error {
	if j.untold == 0 {
		return nil
	}
	p := []byte{tagsNote}
	for _, tag := range j.current.tags[len(j.current.tags)-j.untold:] {
		p = append(p, tag[:]...)
	}
	if err := j.note(ctx, j.current.start, p); err != nil {
		return err
	}
	j.untold = 0
	return nil
}

// begin begins a segment at the end of the journal.
func (j *journal) begin(ctx context.Context) error {
	if err := j.recover(ctx); err != nil {
		return err
	}
	s := &segment{start: j.live.AudioSize()}
	_, _ = rand.Read(s.key[:]) // never fails
	if err := s.open(); err != nil {
		return err
	}
	if err := j.note(ctx, s.start, append([]byte{segmentNote}, s.key[:]...)); err != nil {
		return err
	}
	j.layout.segments = append(j.layout.segments, s)
	j.take(s)
	return nil
}

// take makes a segment the one that is appended to.
func (j *journal) take(s *segment) {
	if j.chunk == nil {
		j.chunk, j.room = make([]byte, 0, chunkSize), make([]byte, 0, chunkSize+tagSize)
	}
	j.current, j.chunk, j.untold = s, j.chunk[:0], 0
}

// recover ends the segment of a handle that did not: its bytes are taken as they are.
func (j *journal) recover(ctx context.Context) error {
	n := len(j.layout.segments)
	if n == 0 || j.current != nil || j.layout.segments[n-1].ended {
		return nil
	}
	s := j.layout.segments[n-1]
	size := max(j.live.AudioSize()-s.start, 0)
	s.tags = s.tags[:min(int64(len(s.tags)), size/chunkSize)]
	known := len(s.tags)
	read := func(p []byte, off int64) (int, error) { return j.live.ReadAudioAt(ctx, p, off) }
	r := reader{layout: j.layout, read: read, size: j.live.AudioSize}
	j.take(s)
	for at := int64(known) * chunkSize; at < size; at += chunkSize {
		if err := r.decrypt(s, at/chunkSize, min(chunkSize, size-at)); err != nil {
			return err
		}
		if err := j.seal(ctx, r.clear); err != nil {
			return err
		}
	}
	return j.end(ctx)
}

// end ends the segment, where there is one.
func (j *journal) end(ctx context.Context) error {
	s := j.current
	if s == nil {
		return nil
	}
	if err := j.tell(ctx); err != nil {
		return err
	}
	size := int64(len(s.tags))*chunkSize + int64(len(j.chunk))
	tag := s.seal(int64(len(s.tags)), j.chunk, j.room, size)
	p := append(binary.BigEndian.AppendUint64([]byte{endNote}, uint64(size)), tag[:]...)
	if err := j.note(ctx, s.start, p); err != nil {
		return err
	}
	s.ended, s.size, s.tag = true, size, tag
	j.current, j.chunk, j.room = nil, nil, nil
	return nil
}

// finish ends the segment before the outcome is kept, or the claim is given back.
func (j *journal) finish(ctx context.Context) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.recover(ctx); err != nil {
		return err
	}
	return j.end(ctx)
}
