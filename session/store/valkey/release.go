package valkey

import (
	"context"
	"errors"
	"fmt"
	"steno/session/store/valkey/server"
	"time"
)

var sessionRelease = scripts.Script("session_release", "record", "session", "claim")

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
		l.stopGathering()
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
	return l.accepted.pending() || l.upload.done != nil || l.paging.done != nil
}

func (s *sessions) release(ctx context.Context, l *live, d time.Duration) error {
	_, err := s.server.Run(ctx, sessionRelease, append(l.claimArgs(), server.Milliseconds(d))...)
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
