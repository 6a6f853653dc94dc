package valkey

import (
	"context"
	"errors"
	"fmt"
	"io"
	"steno/session/store"
)

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

var sessionAudio = scripts.Script("session_audio", "record", "session")

// OpenAudio implements store.Sessions.
func (t *tier) OpenAudio(ctx context.Context, account, id string) (store.Audio, error) {
	if account == "" {
		return nil, fmt.Errorf("open audio: %w", store.ErrNotFound)
	}
	j, err := t.journal(ctx, account, id)
	if err != nil {
		return nil, fmt.Errorf("open audio: %w", err)
	}
	r := newRecording(j, func(ctx context.Context) (journal, error) { return t.journal(ctx, account, id) })
	if j.tail.end() > 0 { // what is read now is kept for the first read
		if _, err := r.ReadAt(make([]byte, 1), 0); errors.Is(err, store.ErrMissing) {
			return nil, fmt.Errorf("open audio: %w", err)
		}
	}
	return r, nil
}

// journal finds the journal of a session; account is empty for any.
func (t *tier) journal(ctx context.Context, account, id string) (journal, error) {
	m, err := t.server.Look(ctx, sessionAudio, account, id)
	if err != nil {
		return journal{}, err
	}
	answer, err := m.ToArray()
	if err != nil || len(answer) != 4 {
		return journal{}, fmt.Errorf("%w: answer about a journal: %w", store.ErrAway, err)
	}
	j := journal{blobs: t.blobs}
	size, err := answer[0].AsInt64()
	if err == nil {
		j.tail.start, err = answer[1].AsInt64()
	}
	if err == nil {
		j.segments, j.tail, err = readJournal(j.tail.start, size, answer[2], answer[3])
	}
	return j, err
}
