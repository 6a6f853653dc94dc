package tier

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
	journal Journal
	ahead   ReadAhead
	refresh func(context.Context) (Journal, error) // where its objects are now
	life    context.Context                        // ends with Close
	end     context.CancelFunc
}

// recordingAhead is what a recording asks of blob storage at a time: it is mostly read as a whole.
const recordingAhead = 1 << 20

func newRecording(j Journal, refresh func(context.Context) (Journal, error)) *recording {
	r := &recording{journal: j, ahead: ReadAhead{Size: recordingAhead}, refresh: refresh}
	r.life, r.end = context.WithCancel(context.Background())
	r.SectionReader = io.NewSectionReader(r, 0, j.Tail.End())
	return r
}

// ReadAt implements io.ReaderAt for one goroutine at a time. The objects of a session that is
// archived meanwhile are others.
func (r *recording) ReadAt(p []byte, off int64) (int, error) {
	if r.life.Err() != nil {
		return 0, io.ErrClosedPipe
	}
	n, err := r.ahead.ReadAt(r.life, &r.journal, p, off)
	if !errors.Is(err, store.ErrNotFound) {
		return n, err
	}
	now, failed := r.refresh(r.life)
	if failed != nil || now.Tail.End() < r.journal.Tail.End() {
		return n, err
	}
	r.journal = now
	more, err := r.ahead.ReadAt(r.life, &r.journal, p[n:], off+int64(n))
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

var sessionAudio = Scripts.Script("session_audio", "record", "session")

// OpenAudio implements store.Sessions.
func (t *Tier) OpenAudio(ctx context.Context, account, id string) (store.Audio, error) {
	if account == "" {
		return nil, fmt.Errorf("open audio: %w", store.ErrNotFound)
	}
	j, err := t.journal(ctx, account, id)
	if err != nil {
		return nil, fmt.Errorf("open audio: %w", err)
	}
	r := newRecording(j, func(ctx context.Context) (Journal, error) { return t.journal(ctx, account, id) })
	if j.Tail.End() > 0 { // what is read now is kept for the first read
		if _, err := r.ReadAt(make([]byte, 1), 0); errors.Is(err, store.ErrMissing) {
			return nil, fmt.Errorf("open audio: %w", err)
		}
	}
	return r, nil
}

// Journal finds the journal of a session; account is empty for any.
func (t *Tier) journal(ctx context.Context, account, id string) (Journal, error) {
	m, err := t.server.Look(ctx, sessionAudio, account, id)
	if err != nil {
		return Journal{}, err
	}
	answer, err := m.ToArray()
	if err != nil || len(answer) != 4 {
		return Journal{}, fmt.Errorf("%w: answer about a journal: %w", store.ErrAway, err)
	}
	j := Journal{Blobs: t.Blobs}
	size, err := answer[0].AsInt64()
	if err == nil {
		j.Tail.Start, err = answer[1].AsInt64()
	}
	if err == nil {
		j.Segments, j.Tail, err = ReadJournal(j.Tail.Start, size, answer[2], answer[3])
	}
	return j, err
}

// AccountOf returns the account of a record; empty: there is none.
func (t *Tier) AccountOf(ctx context.Context, id string) (string, error) {
	m, err := t.server.Field(ctx, "record:"+id, "account")
	if err != nil || m.IsNil() {
		return "", err
	}
	return m.ToString()
}

// Notes returns the notes of a session as the server has them.
func (t *Tier) Notes(ctx context.Context, id string) (map[string]string, error) {
	return t.server.Hash(ctx, "session:"+id+":notes")
}
