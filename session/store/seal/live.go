package seal

import (
	"context"
	"fmt"
	"time"

	"steno/messages"
	"steno/session"
	"steno/session/store"
)

// live is a handle that seals what another one keeps.
type live struct {
	store.Live
	store   *Store
	account string
	id      string
	journal *journal
	reader  *reader // guarded by journal.mu, as all that follows
	layout  *layout
}

// Claim implements store.Sessions.
func (s *Store) Claim(ctx context.Context, id string, intent store.Intent) (store.Live, error) {
	inner, err := s.Inner.Claim(ctx, id, intent)
	if err != nil {
		return nil, err
	}
	l := &live{Live: inner, store: s, id: id}
	if err := l.begin(ctx); err != nil {
		_ = inner.Close()
		return nil, fmt.Errorf("claim session: %w", err)
	}
	return l, nil
}

func (l *live) begin(ctx context.Context) error {
	named, ok := l.Live.(interface{ Account() string })
	if !ok {
		return store.ErrInvalid
	}
	l.account = named.Account()
	notes, err := l.Live.Notes(ctx)
	if err != nil {
		return err
	}
	known, err := l.store.ring.journalNotes(ctx, l.account, l.id, notes)
	if err != nil {
		return err
	}
	l.layout = &known
	l.journal = &journal{live: l.Live, note: l.note, layout: l.layout}
	return nil
}

// note seals a note and keeps it. It is called with journal.mu held.
func (l *live) note(ctx context.Context, at int64, p []byte) error {
	sealed, err := l.store.ring.Seal(ctx, l.account, noteAbout(l.id, l.layout.notes), p)
	if err == nil {
		err = l.Live.AddNote(ctx, session.Note{At: at, Body: sealed})
	}
	if err == nil {
		l.layout.notes++
	}
	return err
}

// AppendAudio implements store.Live.
func (l *live) AppendAudio(ctx context.Context, p []byte) error { return l.journal.append(ctx, p) }

// ReadAudioAt implements store.Live.
func (l *live) ReadAudioAt(ctx context.Context, p []byte, off int64) (int, error) {
	l.journal.mu.Lock()
	defer l.journal.mu.Unlock()
	if len(l.layout.segments) == 0 {
		return l.Live.ReadAudioAt(ctx, p, off)
	}
	if l.reader == nil {
		l.reader = &reader{layout: l.layout, size: l.Live.AudioSize}
	}
	l.reader.read = func(p []byte, off int64) (int, error) { return l.Live.ReadAudioAt(ctx, p, off) }
	return l.reader.ReadAt(p, off)
}

// AppendEvent implements store.Live.
func (l *live) AppendEvent(ctx context.Context, e messages.Event, lane int, checkpoint []byte) (seq int64, fresh bool,
	err error) {
	if e.Body, err = l.store.ring.Seal(ctx, l.account, eventAbout(l.id, e.Key), e.Body); err != nil {
		return 0, false, err
	}
	if lane >= 0 {
		if checkpoint, err = l.store.ring.Seal(ctx, l.account, checkpointAbout(l.id, lane), checkpoint); err != nil {
			return 0, false, err
		}
	}
	return l.Live.AppendEvent(ctx, e, lane, checkpoint)
}

func checkpointAbout(id string, lane int) string {
	return fmt.Sprintf("checkpoint\x00%s\x00%d", id, lane)
}

// Events implements store.Live.
func (l *live) Events(ctx context.Context, after int64, limit int) ([]messages.Event, error) {
	list, err := l.Live.Events(ctx, after, limit)
	return l.store.ring.events(ctx, l.account, l.id, append([]messages.Event(nil), list...), err)
}

// Checkpoints implements store.Live.
func (l *live) Checkpoints(ctx context.Context) (map[int][]byte, error) {
	all, err := l.Live.Checkpoints(ctx)
	opened := make(map[int][]byte, len(all))
	for lane, sealed := range all {
		if opened[lane], err = l.store.ring.Open(ctx, l.account, checkpointAbout(l.id, lane), sealed); err != nil {
			return nil, err
		}
	}
	return opened, err
}

// AddNote implements store.Live.
func (l *live) AddNote(ctx context.Context, n session.Note) error {
	if n.At < 0 || len(n.Body) > session.MaxNote {
		return fmt.Errorf("add note at %d: %w", n.At, store.ErrInvalid)
	}
	l.journal.mu.Lock()
	defer l.journal.mu.Unlock()
	if err := l.note(ctx, n.At, append([]byte{clientNote}, n.Body...)); err != nil {
		return err
	}
	l.layout.client = append(l.layout.client, session.Note{At: n.At, Body: append([]byte{}, n.Body...)})
	return nil
}

// Notes implements store.Live.
func (l *live) Notes(ctx context.Context) ([]session.Note, error) {
	if _, err := l.Live.Stopped(ctx); err != nil { // as any call is answered
		return nil, err
	}
	l.journal.mu.Lock()
	defer l.journal.mu.Unlock()
	return append([]session.Note(nil), l.layout.client...), nil
}

// Finish implements store.Live.
func (l *live) Finish(ctx context.Context, o store.Outcome) (err error) {
	if err := l.journal.finish(ctx); err != nil {
		return err
	}
	if o.Result, err = l.store.ring.sealResult(ctx, l.account, l.id, o.Result); err != nil {
		return err
	}
	return l.Live.Finish(ctx, o)
}

// Release implements store.Live. What is left to be sealed is sealed by the next claim where that
// fails.
func (l *live) Release(d time.Duration) error {
	_ = l.journal.finish(context.Background())
	return l.Live.Release(d)
}

// Close implements store.Live.
func (l *live) Close() error {
	_ = l.journal.finish(context.Background())
	return l.Live.Close()
}
