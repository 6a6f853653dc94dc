package claims

import (
	"context"
	"errors"
	"fmt"
	"time"

	"steno/session/store/valkey/server"
)

var sessionRelease = Scripts.Script("session_release", "record", "session", "claim")

// Close implements store.Live.
func (l *Live) Close() error { return l.Release(l.room.window) }

// releaseTime bounds what Release waits for a server that is away.
const releaseTime = 2 * time.Second

// Release implements store.Live.
func (l *Live) Release(d time.Duration) error {
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
	l.forget(l)
	if lost {
		return nil
	}
	if err := l.giveBack(d); err != nil {
		return fmt.Errorf("release session: %w", err)
	}
	return nil
}

// giveBack makes durable what is left and ends the claim. A claim that the server has ended is no
// error.
func (l *Live) giveBack(d time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), releaseTime)
	defer cancel()
	for l.left() {
		err := l.step(ctx)
		if isEnd(err) {
			return nil
		}
		if err != nil {
			return errors.Join(err, l.room.release(ctx, l, d))
		}
	}
	return l.room.release(ctx, l, d)
}

func (r *room) release(ctx context.Context, l *Live, d time.Duration) error {
	_, err := r.server.Run(ctx, sessionRelease, append(l.claimArgs(), server.Milliseconds(d))...)
	return err
}
