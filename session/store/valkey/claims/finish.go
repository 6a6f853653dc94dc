package claims

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"time"

	"steno/messages"
	"steno/session/retry"
	"steno/session/store"
	"steno/session/store/valkey/server"
)

var sessionFinish = Scripts.Script("session_finish", "record", "session", "claim")

// Finish implements store.Live.
func (l *Live) Finish(ctx context.Context, o store.Outcome) error {
	if err := l.enter(ctx, "finish"); err != nil {
		return err
	}
	defer l.leave()
	err := l.AwaitDurable(ctx)
	if err == nil {
		err = l.keepOutcome(ctx, rand.Text(), o)
	}
	if err != nil {
		return fmt.Errorf("finish: %w", err)
	}
	return nil
}

// AwaitDurable waits until the server has everything accepted so far.
func (l *Live) AwaitDurable(ctx context.Context) error {
	for {
		l.mu.Lock()
		pending, cause, grown := l.accepted.pending(), l.cause, l.grown
		if pending {
			l.raiseLocked(wantNow)
		}
		l.mu.Unlock()
		switch {
		case cause != nil:
			return cause
		case !pending:
			return nil
		}
		select {
		case <-grown:
		case <-l.closing:
			return store.ErrLost
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// keepOutcome finishes the record, waiting for a server that is away. The outcome has a number so
// that it is known when the answer was lost.
func (l *Live) keepOutcome(ctx context.Context, number string, o store.Outcome) error {
	uses, err := server.Uses(o.Use)
	if err != nil {
		return err
	}
	args := append(l.claimArgs(), number)
	args = append(append(args, liveOutcome(o)...), uses...)
	pause := retry.Backoff{First: 20 * time.Millisecond, Longest: time.Second}
	for {
		m, err := l.room.writer.RunOutcome(ctx, sessionFinish, args...)
		switch {
		case err == nil:
			if answer, _ := m.ToString(); answer == "ok" {
				return nil
			}
			l.raise(wantNow) // the server has forgotten the claim: the flusher restores it
		case isEnd(err):
			l.lose(err)
			return err
		case !errors.Is(err, store.ErrAway):
			return err
		}
		select {
		case <-l.closing:
			return store.ErrLost
		case <-l.lost:
			return l.Cause()
		default:
		}
		if err := retry.Sleep(ctx, pause.Next()); err != nil {
			return err
		}
	}
}

// liveOutcome returns the status of an outcome, then names and values of the fields of the record
// that it sets or removes.
func liveOutcome(o store.Outcome) []string {
	status, code := messages.StatusDone, ""
	if o.ErrorCode != 0 {
		status, code = messages.StatusError, strconv.Itoa(o.ErrorCode)
	}
	fields := []string{
		string(status), "code", code, "message", o.Message, "result", string(o.Result),
		"seconds", strconv.FormatFloat(o.Seconds, 'g', -1, 64),
	}
	if o.Channels != 0 {
		fields = append(fields, "channels", strconv.Itoa(o.Channels))
	}
	return fields
}
