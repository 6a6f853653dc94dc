package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"syscall"

	"steno/gateway/accounts"
	"steno/gateway/callbacks"
	"steno/gateway/client"
	"steno/gateway/tracing"
	"steno/messages"
	"steno/session"
	"steno/session/store"
)

// ledger stores a session, and enqueues its callbacks before its outcome.
type ledger struct {
	store.Live
	callbacks *callbacks.Sink // nil if none are requested
	span      *tracing.Span   // of the session in this process
	request   *messages.LiveRequest
	finished  atomic.Bool
	code      atomic.Int64 // of the outcome
}

var (
	_ session.Ledger = (*ledger)(nil)
	_ client.Ledger  = (*ledger)(nil)
)

// Finish stores the outcome. A session that was finished before a crash and runs again keeps its
// first outcome.
func (l *ledger) Finish(ctx context.Context, o session.Outcome) error {
	result, err := json.Marshal(o.Result)
	if err != nil {
		return fmt.Errorf("encode result: %w", err)
	}
	kept := store.Outcome{Result: result, Seconds: o.Seconds, Use: accounts.LiveUse(l.request, &o.Result, o.Seconds)}
	if o.Failure != nil {
		kept.ErrorCode, kept.Message = o.Failure.Reason.Status(), o.Failure.Message
	}
	return l.conclude(ctx, kept)
}

// conclude enqueues the callbacks and stores the outcome unless there is one.
func (l *ledger) conclude(ctx context.Context, o store.Outcome) error {
	if l.callbacks != nil {
		if err := l.callbacks.Finish(ctx); err != nil {
			return err
		}
	}
	if err := l.Live.Finish(ctx, o); err != nil && !errors.Is(err, store.ErrFinished) {
		return err
	}
	l.code.Store(int64(o.ErrorCode))
	l.finished.Store(true)
	return nil
}

// Finished reports whether the session has an outcome.
func (l *ledger) Finished() bool { return l.finished.Load() }

// isAway reports whether an error means that the store is out of reach for a while.
func isAway(err error) bool { return errors.Is(err, store.ErrAway) }

// reasonOf classifies an error of the ledger.
func reasonOf(err error) messages.Reason {
	if errors.Is(err, syscall.ENOSPC) {
		return messages.DiskFull
	}
	return messages.InternalError
}
