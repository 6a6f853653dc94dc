package valkey

import (
	"context"
	"errors"
	"fmt"
	"time"

	"steno/session/retry"
	"steno/session/store"
)

var (
	sessionCommit  = newDurableScript("session_commit", "record", "session", "account", "claim")
	sessionRestore = newDurableScript("session_restore", "record", "session", "claim")
	sessionRelease = script("session_release", "record", "session", "claim")
)

// flush makes durable what the handle accepts, until the claim ends or Release is called. It is the one goroutine that writes
// to the session.
func (l *live) flush() {
	pause := retry.Backoff{First: 20 * time.Millisecond, Longest: time.Second}
	for l.await() {
		err := l.step(l.life)
		switch {
		case err == nil:
			pause.Reset()
		case isEnd(err):
			l.lose(err)
		default: // a state of the server: what was accepted waits
			l.raise(wantNow)
			l.sleep(pause.Next())
		}
	}
}

// isEnd tells whether an error of the server says that a claim has ended.
func isEnd(err error) bool {
	return errors.Is(err, store.ErrTaken) || errors.Is(err, store.ErrLost) || errors.Is(err, store.ErrNotFound)
}

// await waits until a call is wanted and may be made. It returns false when the claim has ended or Release was called.
func (l *live) await() bool {
	for {
		var gathered <-chan time.Time
		l.mu.Lock()
		want := l.want
		l.mu.Unlock()
		if want == wantSoon {
			timer := time.NewTimer(gatherTime)
			defer timer.Stop()
			gathered = timer.C
		}
		if want == wantNow {
			return l.sleep(l.pace.Reserve().Delay())
		}
		select {
		case <-l.work:
		case <-gathered:
			return l.sleep(l.pace.Reserve().Delay())
		case <-l.closing:
			return false
		case <-l.life.Done():
			return false
		}
	}
}

// sleep returns false when the claim has ended or Release was called before d is over.
func (l *live) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-l.closing:
	case <-l.life.Done():
	}
	return false
}

// step makes one call: for a segment that is in blob storage, else for what was accepted. A server that has forgotten bytes of
// the segment is given these before.
func (l *live) step(ctx context.Context) error {
	l.mu.Lock()
	l.want = wantNothing
	s := l.upload.done
	ready := s != nil && l.accepted.durable >= s.end
	l.mu.Unlock()
	if ready {
		return l.commitSegment(ctx, *s)
	}
	return l.commit(ctx)
}

// commit makes a batch durable, which may be empty: then it asks whether the claim stands.
func (l *live) commit(ctx context.Context) error {
	l.mu.Lock()
	b := l.accepted.next()
	l.version++
	args := append(l.claimArgs(), ms(l.sessions.lease), ms(l.sessions.window), decimal(l.answered), decimal(l.version))
	args = l.accepted.appendArgs(args, b)
	l.mu.Unlock()
	asked := time.Now()
	m, err := l.sessions.writer.run(ctx, sessionCommit, args...)
	if err != nil {
		return err
	}
	answer, err := m.AsStrSlice()
	if err != nil || len(answer) == 0 {
		return fmt.Errorf("%w: answer to a commit: %w", store.ErrAway, err)
	}
	if answer[0] == "behind" {
		return l.restore(ctx)
	}
	return l.settle(b, asked, answer[1:])
}

// claimArgs are the first arguments of what the holder of a claim does.
func (l *live) claimArgs() []string { return []string{l.id, l.nonce, decimal(l.generation), l.folder} }

// settle notes that a batch is durable. The answer is the size of the journal, the number of the last event, the milliseconds
// that are left of the lease, and how many follow the unlogged events.
func (l *live) settle(b batch, asked time.Time, answer []string) error {
	n, err := integers(answer)
	if err != nil || len(n) != 4 {
		return fmt.Errorf("%w: answer to a commit: %w", store.ErrAway, err)
	}
	l.followed.Store(n[3] > 0)
	l.renewed(asked, time.Duration(n[2])*time.Millisecond)
	l.answered = l.version
	l.mu.Lock()
	a := &l.accepted
	l.asked = asked
	a.settle(b, time.Now())
	grown := b.seq > l.told.Seq || b.boundary > l.told.Boundary
	l.told = store.Progress{Seq: max(l.told.Seq, b.seq), Boundary: max(l.told.Boundary, b.boundary)}
	close(l.grown)
	l.grown = make(chan struct{})
	l.measure()
	if len(a.queue) > 0 || b.size-b.offset == maxBatchAudio {
		l.raiseLocked(wantNow)
	} else if a.pending() {
		l.raiseLocked(wantSoon)
	}
	if l.upload.done != nil {
		l.raiseLocked(wantNow)
	}
	l.beginUpload()
	l.mu.Unlock()
	if grown {
		l.call()
	}
	return nil
}

// call tells the session that more is durable, unless Release has begun.
func (l *live) call() {
	l.notifying.Lock()
	defer l.notifying.Unlock()
	select {
	case <-l.closing:
	default:
		if l.notify != nil {
			l.notify()
		}
	}
}

// restore writes to a server that has forgotten what it had: record, claim and manifest at once, everything else by the commits
// that follow.
func (l *live) restore(ctx context.Context) error {
	l.mu.Lock()
	a := &l.accepted
	l.version++
	args := append(l.claimArgs(), l.sessions.node, flag(l.seized), ms(l.sessions.lease), ms(l.sessions.window), decimal(l.version),
		decimal(a.journal.start), decimal(a.base()), decimal(int64(len(a.segments))))
	for _, s := range a.segments {
		args = append(args, s.String())
	}
	l.mu.Unlock()
	if err := l.sessions.restoreRecord(ctx, l.id, l.record); err != nil {
		return err
	}
	m, err := l.sessions.writer.run(ctx, sessionRestore, args...)
	if err != nil {
		return err
	}
	n, err := m.AsIntSlice()
	if err != nil || len(n) != 3 {
		return fmt.Errorf("%w: answer to a restoration: %w", store.ErrAway, err)
	}
	l.answered = l.version
	l.mu.Lock()
	defer l.mu.Unlock()
	a.rollBack(n[0], n[1])
	l.raiseLocked(wantNow)
	return nil
}

// Close implements store.Live.
func (l *live) Close() error { return l.Release(l.sessions.window) }

// releaseTime bounds what Release waits for a server that is away.
const releaseTime = 2 * time.Second

// Release implements store.Live.
func (l *live) Release(d time.Duration) error {
	l.mu.Lock()
	first, lost := !l.closed, l.cause != nil
	l.closed = true
	if first {
		close(l.closing)
		if l.full != nil {
			close(l.full)
			l.full = nil
		}
	}
	l.mu.Unlock()
	if !first {
		<-l.released
		return nil
	}
	defer close(l.released)
	l.reads.Wait()
	l.end() // ends calls that wait for a server that is away: what they were for is asked again
	l.flushing.Wait()
	l.Notify(nil)
	l.sessions.forget(l)
	if lost {
		return nil
	}
	if err := l.giveBack(d); err != nil {
		return fmt.Errorf("release session: %w", err)
	}
	return nil
}

// giveBack makes durable what is left and ends the claim. A claim that the server has ended is no error.
func (l *live) giveBack(d time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), releaseTime)
	defer cancel()
	for l.left() {
		err := l.step(ctx)
		if isEnd(err) {
			return nil
		}
		if err != nil {
			return errors.Join(err, l.sessions.release(ctx, l, d))
		}
	}
	return l.sessions.release(ctx, l, d)
}

// left tells whether the server lacks anything.
func (l *live) left() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.accepted.pending() || l.upload.done != nil
}

func (s *sessions) release(ctx context.Context, l *live, d time.Duration) error {
	_, err := s.run(ctx, sessionRelease, append(l.claimArgs(), ms(d))...)
	return err
}

// forget takes a handle that is closed off the list.
func (s *sessions) forget(l *live) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.handles, l)
	if s.holders[l.id] == l {
		delete(s.holders, l.id)
	}
}

// integers reads numbers.
func integers(texts []string) ([]int64, error) {
	n := make([]int64, len(texts))
	for i, text := range texts {
		var err error
		if n[i], err = parseInteger(text); err != nil {
			return nil, err
		}
	}
	return n, nil
}
