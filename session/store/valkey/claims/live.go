package claims

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"steno/messages"
	"steno/session"
	"steno/session/store"
	"steno/session/store/valkey/tier"
)

// Live is the handle on one session. See the package comment for its goroutines and locks.
type Live struct {
	*flusher
	released chan struct{}  // closed when Release has done its work
	forget   func(*Live)    // takes the handle off the list of those that are not closed
	reads    sync.WaitGroup // calls that ask the server
	ahead    tier.ReadAhead // of the journal, while a session is restored
}

var _ store.Live = (*Live)(nil)

// enter begins a call that asks the server, which leave ends if there was no error. Calls that only
// change memory hold mu.
func (l *Live) enter(ctx context.Context, what string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.check(ctx, what); err != nil {
		return err
	}
	l.reads.Add(1)
	return nil
}

func (l *Live) leave() { l.reads.Done() }

// accept has f change what is accepted, and wants a call for it.
func (l *Live) accept(ctx context.Context, what string, want wanted, f func(*acceptedState) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.check(ctx, what); err != nil {
		return err
	}
	if err := f(&l.accepted); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if want == wantSoon {
		l.soonLocked()
	} else {
		l.raiseLocked(want)
	}
	return nil
}

// AppendAudio implements store.Live.
func (l *Live) AppendAudio(ctx context.Context, p []byte) error {
	return l.accept(ctx, "append audio", wantSoon, func(a *acceptedState) error {
		a.journal.Bytes = append(a.journal.Bytes, p...)
		l.measure()
		return nil
	})
}

// AudioSize implements store.Live.
func (l *Live) AudioSize() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.accepted.journal.End()
}

// Local implements store.Live.
func (l *Live) Local() bool { return false }

// ReadAudioAt implements store.Live. What is not in memory comes from blob storage.
func (l *Live) ReadAudioAt(ctx context.Context, p []byte, off int64) (int, error) {
	if err := l.enter(ctx, "read audio"); err != nil {
		return 0, err
	}
	defer l.leave()
	l.mu.Lock()
	j := tier.Journal{Blobs: l.room.tier.Blobs, Segments: l.accepted.segments, Tail: l.accepted.journal}
	l.mu.Unlock()
	n, err := l.ahead.ReadAt(ctx, &j, p, off)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("read audio: %w", err)
	}
	return n, err
}

// AppendEvent implements store.Live.
func (l *Live) AppendEvent(
	ctx context.Context, e messages.Event, lane int, checkpoint []byte,
) (seq int64, fresh bool, err error) {
	err = l.accept(ctx, "append event", wantNow, func(a *acceptedState) error {
		if e.Kind == 0 {
			return fmt.Errorf("kind: %w", store.ErrInvalid)
		}
		seq, fresh = a.addEvent(e, lane, checkpoint)
		return nil
	})
	return seq, fresh, err
}

// Events implements store.Live. The newest come from memory, also where the server has forgotten
// them.
func (l *Live) Events(ctx context.Context, after int64, limit int) ([]messages.Event, error) {
	if err := l.enter(ctx, "list events"); err != nil {
		return nil, err
	}
	defer l.leave()
	last := l.Durable().Seq
	events, whole := l.eventsAfter(after, last, limit)
	if whole {
		return events, nil
	}
	events, err := l.room.tier.ListEvents(ctx, "", l.id, after, limit)
	if err != nil {
		return nil, fmt.Errorf("list events: %w", err)
	}
	events = slices.DeleteFunc(events, func(e messages.Event) bool { return e.Seq > last })
	if n := len(events); n > 0 {
		after = events[n-1].Seq
	}
	rest, _ := l.eventsAfter(after, last, limit-len(events))
	return append(events, rest...), nil
}

// eventsAfter is that of what is accepted.
func (l *Live) eventsAfter(after, last int64, limit int) ([]messages.Event, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.accepted.eventsAfter(after, last, limit)
}

// Checkpoints implements store.Live.
func (l *Live) Checkpoints(ctx context.Context) (map[int][]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.accepted.checkpoints), l.check(ctx, "list checkpoints")
}

// Confirm implements store.Live.
func (l *Live) Confirm(ctx context.Context, boundary, seq int64) error {
	return l.accept(ctx, "confirm ack", wantSoon, func(a *acceptedState) error {
		if boundary < 0 || seq < 0 {
			return store.ErrInvalid
		}
		a.addConfirmed(boundary, seq)
		return nil
	})
}

// Marks implements store.Live.
func (l *Live) Marks(ctx context.Context) (store.Marks, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.accepted.marks
	m.Sent = slices.Clone(m.Sent)
	return m, l.check(ctx, "list acks")
}

// MarkSilence implements store.Live.
func (l *Live) MarkSilence(ctx context.Context, at int64) error {
	return l.accept(ctx, "mark silence", wantNow, func(a *acceptedState) error {
		if at < 0 {
			return fmt.Errorf("at %d: %w", at, store.ErrInvalid)
		}
		a.addSilence(at)
		return nil
	})
}

// Silences implements store.Live.
func (l *claim) Silences(ctx context.Context) ([]int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.check(ctx, "list silences"); err != nil {
		return nil, err
	}
	return slices.Clone(l.accepted.silences), nil
}

// AddNote implements store.Live.
func (l *Live) AddNote(ctx context.Context, n session.Note) error {
	return l.accept(ctx, "add note", wantNow, func(a *acceptedState) error {
		if n.At < 0 || len(n.Body) > session.MaxNote+store.SealRoom {
			return fmt.Errorf("at %d: %w", n.At, store.ErrInvalid)
		}
		a.addNote(n)
		return nil
	})
}

// Notes implements store.Live.
func (l *claim) Notes(ctx context.Context) ([]session.Note, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.check(ctx, "list notes"); err != nil {
		return nil, err
	}
	return slices.Clone(l.accepted.notes), nil
}

// SetStopped implements store.Live.
func (l *Live) SetStopped(ctx context.Context) error {
	return l.accept(ctx, "set stopped", wantNow, func(a *acceptedState) error {
		if !a.stopped {
			a.stopped = true
			a.add(change{kind: changeStopped})
		}
		return nil
	})
}

// Stopped implements store.Live.
func (l *Live) Stopped(ctx context.Context) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.accepted.stopped, l.check(ctx, "ask for stop")
}

// Sync implements store.Live.
func (l *Live) Sync(boundary int64) error {
	return l.accept(context.Background(), "mark ack", wantNow, func(a *acceptedState) error {
		if boundary < 0 {
			return store.ErrInvalid
		}
		a.addBoundary(boundary)
		return nil
	})
}

// Durable implements store.Live.
func (l *Live) Durable() session.Progress {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.told
}

// Notify implements store.Live.
func (l *Live) Notify(f func()) {
	l.notifying.Lock()
	defer l.notifying.Unlock()
	l.notify = f
}

// Full implements store.Live.
func (l *Live) Full() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.full
}

// Lost implements store.Live.
func (l *Live) Lost() <-chan struct{} { return l.lost }

// Cause implements store.Live.
func (l *Live) Cause() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cause
}

// Account returns the account of the session.
func (l *Live) Account() string { return l.record["account"] }
