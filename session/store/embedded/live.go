package embedded

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"steno/messages"
	"steno/session"
	"steno/session/store"
	"steno/session/store/embedded/journal"
)

// live is the handle on one session. Its journal is open as long as it is.
type live struct {
	sessions *sessions
	id       string
	name     string // of the claim
	n        int64  // the record's number
	localJournal

	lost     chan struct{} // closed when the claim has ended otherwise than by Close
	losses   []session.Loss
	seq      atomic.Int64 // number of the last event
	boundary atomic.Int64 // the last one of Sync

	// mu is held shared by every call and exclusively by what ends them. Nothing is taken while it
	// is held exclusively, and files.mu never while it is held shared.
	mu     sync.RWMutex
	cause  error // why the claim has ended otherwise than by Close
	closed bool
	fault  error // of closing the files, which end with the claim
}

// localJournal is the journal of a session on the local disk.
type localJournal struct {
	journal *journal.Journal
	account string // of the session
}

// Account returns the account of the session.
func (l *localJournal) Account() string { return l.account }

// Local implements session.State.
func (l *localJournal) Local() bool { return true }

// AudioSize implements session.State.
func (l *localJournal) AudioSize() int64 { return l.journal.Size() }

var _ store.Live = (*live)(nil)

// Claim implements store.Sessions.
func (s *sessions) Claim(ctx context.Context, id string, intent store.Intent) (store.Live, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	former := s.claims[id]
	if former != nil && intent != store.TakeOver && intent != store.TakeFrom(former.name) {
		return nil, fmt.Errorf("claim session: %w", store.ClaimedError{Holder: former.name})
	}
	if former != nil { // before the journal is measured: it may be appending
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("claim session: %w", err)
		}
		ctx = context.WithoutCancel(ctx) // where the former claim has ended this one is made
		former.lose(store.ErrTaken)
		delete(s.claims, id)
	}
	l, err := s.openLive(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("claim session: %w", err)
	}
	s.claims[id] = l
	return l, nil
}

// openLive opens a handle on a session.
func (s *sessions) openLive(ctx context.Context, id string) (*live, error) {
	l := &live{sessions: s, id: id, name: rand.Text(), lost: make(chan struct{})}
	var seq int64
	var losses sql.NullString
	var finished bool
	err := s.read.QueryRowContext(ctx, `SELECT n, account, (SELECT coalesce(max(seq), 0) FROM events WHERE record = n), losses,
		status IN ('done', 'error') FROM records WHERE id = ?`, id).Scan(&l.n, &l.account, &seq, &losses, &finished)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	l.seq.Store(seq)
	if l.losses, err = readLosses(losses); err != nil {
		return nil, err
	}
	if l.journal, err = s.tails.Open(id, s.folder(id)); err != nil {
		return nil, err
	}
	if err := l.inspect(ctx, finished); err != nil {
		return nil, errors.Join(err, l.journal.Close())
	}
	return l, nil
}

// inspect checks whether the disk has lost audio that was acknowledged to the session's client, and
// repairs the log of a session that is not finished.
func (l *live) inspect(ctx context.Context, finished bool) (err error) {
	if kept, acked := l.journal.Size(), l.journal.Marks().Last(); acked > kept {
		l.sessions.damage.note(l.id, shortJournal(kept, acked), false)
		if l.losses, err = l.sessions.addLoss(ctx, l.id, kept); err != nil {
			return err
		}
	}
	if finished {
		return nil
	}
	_, damaged, err := l.sessions.events(ctx, l.id, l.n, 0, maxEvents)
	if err != nil || !damaged {
		return err
	}
	return l.sessions.heal(ctx, l.n)
}

func shortJournal(kept, acked int64) string {
	return fmt.Sprintf("the recording has %d bytes, %d were acknowledged", kept, acked)
}

// enterCommitted is enter for a call that makes something durable which refers to the audio before
// it: that audio is made durable first.
func (l *live) enterCommitted(ctx context.Context, what string) error {
	if err := l.enter(ctx, what); err != nil {
		return err
	}
	if err := l.journal.Commit(); err != nil {
		l.leave()
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// enter begins a call, which leave ends if there was no error.
func (l *live) enter(ctx context.Context, what string) error {
	err := ctx.Err()
	if err == nil {
		l.mu.RLock()
		if err = l.ended(); err == nil {
			return nil
		}
		l.mu.RUnlock()
	}
	return fmt.Errorf("%s: %w", what, err)
}

// ended is what calls are answered with once the claim has ended, nil before. It is called with mu
// held.
func (l *live) ended() error {
	if l.closed {
		return store.ErrLost
	}
	return l.cause
}

func (l *live) leave() { l.mu.RUnlock() }

// Lost implements store.Live.
func (l *live) Lost() <-chan struct{} { return l.lost }

// Cause implements store.Live.
func (l *live) Cause() error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.cause
}

// Losses implements store.Live: what the disk has lost.
func (l *live) Losses() []session.Loss { return l.losses }

// lose ends the claim of a handle that was not asked, which still has to be closed. It waits for
// the calls that are running.
func (l *live) lose(cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended() == nil {
		l.fault = l.journal.Close()
		l.cause = cause
		close(l.lost)
	}
}

// Close implements store.Live.
func (l *live) Close() error { return l.Release(l.sessions.resumeWindow) }

// Release implements store.Live.
func (l *live) Release(d time.Duration) error {
	held, first := l.end()
	if !first {
		return nil
	}
	err := l.fault
	if held {
		err = errors.Join(err, l.sessions.release(context.Background(), l.n, d))
	}
	l.sessions.mu.Lock()
	defer l.sessions.mu.Unlock()
	if l.sessions.claims[l.id] == l {
		delete(l.sessions.claims, l.id)
	}
	return err
}

// end waits for the calls that are running and has later ones answered with ErrLost. It tells
// whether the claim was held until then, and whether this is the first call.
func (l *live) end() (held, first bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	held, first = l.ended() == nil, !l.closed
	if held {
		l.fault = l.journal.Close()
	}
	l.closed = true
	return held, first
}

func (l *live) AppendAudio(ctx context.Context, p []byte) error {
	if err := l.enter(ctx, "append audio"); err != nil {
		return err
	}
	defer l.leave()
	return l.journal.Append(p)
}

func (l *live) ReadAudioAt(ctx context.Context, p []byte, off int64) (int, error) {
	if err := l.enter(ctx, "read audio"); err != nil {
		return 0, err
	}
	defer l.leave()
	return l.journal.ReadAt(p, off)
}

func (l *live) AppendEvent(ctx context.Context, e messages.Event, lane int, checkpoint []byte) (seq int64, fresh bool,
	err error) {
	if err := l.enterCommitted(ctx, "append event"); err != nil {
		return 0, false, err
	}
	defer l.leave()
	if e.Kind == 0 {
		return 0, false, fmt.Errorf("append event: kind: %w", store.ErrInvalid)
	}
	seq, fresh, err = l.sessions.log.append(l.n, e, lane, checkpoint)
	if err != nil {
		return 0, false, fmt.Errorf("append event: %w", err)
	}
	raise(&l.seq, seq)
	if fresh {
		l.sessions.feed.logged(l.account, l.id, e.Kind)
	}
	return seq, fresh, nil
}

func (l *live) Events(ctx context.Context, after int64, limit int) ([]messages.Event, error) {
	if err := l.enter(ctx, "list events"); err != nil {
		return nil, err
	}
	defer l.leave()
	events, _, err := l.sessions.events(ctx, l.id, l.n, after, limit)
	return events, err
}

func (l *live) Checkpoints(ctx context.Context) (map[int][]byte, error) {
	if err := l.enter(ctx, "list checkpoints"); err != nil {
		return nil, err
	}
	defer l.leave()
	return l.sessions.checkpoints(ctx, l.n)
}

func (l *live) Confirm(ctx context.Context, boundary, seq int64) error {
	if err := l.enter(ctx, "confirm ack"); err != nil {
		return err
	}
	defer l.leave()
	return l.journal.Confirm(boundary, seq)
}

func (l *live) Marks(ctx context.Context) (store.Marks, error) {
	if err := l.enter(ctx, "list acks"); err != nil {
		return store.Marks{}, err
	}
	defer l.leave()
	return l.journal.Marks(), nil
}

func (l *live) SetStopped(ctx context.Context) error {
	if err := l.enterCommitted(ctx, "set stopped"); err != nil {
		return err
	}
	defer l.leave()
	r, err := l.sessions.write.ExecContext(ctx, `UPDATE records SET stopped = 1 WHERE n = ?`, l.n)
	return changedOne(r, err, "set stopped", store.ErrNotFound)
}

func (l *live) Stopped(ctx context.Context) (stopped bool, err error) {
	if err := l.enter(ctx, "ask for stop"); err != nil {
		return false, err
	}
	defer l.leave()
	err = l.sessions.read.QueryRowContext(ctx, `SELECT stopped FROM records WHERE n = ?`, l.n).Scan(&stopped)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound
	}
	if err != nil {
		return false, fmt.Errorf("ask for stop: %w", err)
	}
	return stopped, nil
}

func (l *live) Finish(ctx context.Context, o store.Outcome) error {
	if err := l.enterCommitted(ctx, "finish"); err != nil {
		return err
	}
	defer l.leave()
	err := l.sessions.inTx(ctx, func(tx *sql.Tx) error {
		var kind messages.JobKind
		err := tx.QueryRowContext(ctx, `SELECT kind FROM records WHERE n = ?`, l.n).Scan(&kind)
		if errors.Is(err, sql.ErrNoRows) {
			return store.ErrNotFound
		}
		if err == nil && kind != messages.JobLive {
			return store.ErrInvalid
		}
		if err != nil {
			return err
		}
		return l.sessions.finishIn(ctx, tx, l.n, o, &o.Seconds)
	})
	if err != nil {
		return fmt.Errorf("finish: %w", err)
	}
	return nil
}
