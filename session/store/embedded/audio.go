package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"steno/session/store"
	"steno/session/store/embedded/journal"
)

// recording is a journal opened for reading, as long as it was then.
type recording struct {
	*io.SectionReader
	file *os.File // nil for a session that has no journal
}

// OpenAudio implements store.Sessions.
func (s *sessions) OpenAudio(ctx context.Context, account, id string) (store.Audio, error) {
	var seconds float64
	var stripped store.Parts
	err := s.read.QueryRowContext(ctx,
		`SELECT coalesce(seconds, 0), stripped FROM records WHERE account = ? AND id = ?`, account, id).Scan(&seconds, &stripped)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound
	}
	if err == nil && stripped.Has(store.PartAudio) {
		err = store.ErrErased
	}
	if err != nil {
		return nil, fmt.Errorf("open audio: %w", err)
	}
	f, err := os.Open(filepath.Join(s.folder(id), journal.AudioFile))
	if errors.Is(err, os.ErrNotExist) {
		if err := s.checkEmpty(id, seconds); err != nil {
			return nil, fmt.Errorf("open audio: %w", err)
		}
		return &recording{SectionReader: io.NewSectionReader(nil, 0, 0)}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open audio: %w", err)
	}
	accepted, claimed := s.accepted(ctx, id)
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("measure audio: %w", err), f.Close())
	}
	size := info.Size()
	if claimed {
		size = min(size, accepted)
	}
	if size == 0 {
		if err := s.checkEmpty(id, seconds); err != nil {
			return nil, errors.Join(fmt.Errorf("open audio: %w", err), f.Close())
		}
	}
	return &recording{SectionReader: io.NewSectionReader(f, 0, size), file: f}, nil
}

// checkEmpty returns ErrMissing where a session that has no audio had some, which its record shows
// once it is finished, and before that the acknowledgements to its client.
func (s *sessions) checkEmpty(id string, seconds float64) error {
	if seconds == 0 {
		if _, acked, err := journal.Measure(s.folder(id)); err != nil || acked == 0 {
			return err
		}
	}
	s.damage.note(id, "the recording is missing", false)
	return store.ErrMissing
}

// accepted is how much of a claimed session's journal is there to stay, all of it written: what a
// write in progress has put into the file may be cut off again.
func (s *sessions) accepted(ctx context.Context, id string) (size int64, claimed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.claims[id]
	if l == nil {
		return 0, false
	}
	if l.enter(ctx, "flush audio") == nil { // else the claim has ended, and everything is written
		defer l.leave()
		_ = l.journal.Flush() // what cannot be written is not read yet
	}
	return l.AudioSize(), true
}

func (r *recording) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}
