package embedded

import (
	"context"
	"fmt"
	"slices"

	"steno/session/store"
)

// The statements of an account's log. They name the kinds of store.AccountKinds, so that the index
// of these is used.
const (
	accountEvents = `SELECT e.number, r.id, e.seq, e.kind, e.key, e.body, e.sum FROM events e JOIN records r ON r.n = e.record
		WHERE e.account = ? AND e.number > ? AND e.kind IN (4, 7, 11) ORDER BY e.number LIMIT ?`
	accountTail = `SELECT e.number, r.id, e.seq, e.kind, e.key, e.body, e.sum FROM events e JOIN records r ON r.n = e.record
		WHERE e.account = ? AND e.kind IN (4, 7, 11) ORDER BY e.number DESC LIMIT ?`
	accountEnd = `SELECT coalesce(max(number), 0) FROM events WHERE account = ? AND kind IN (4, 7, 11)`
)

// accountLog implements store.AccountLog.
type accountLog struct{ *database }

// AccountEvents implements store.AccountLog. Nothing goes but with its record, so the log is always
// whole.
func (l accountLog) AccountEvents(ctx context.Context, account string, after int64, limit int) ([]store.AccountEvent,
	bool, error) {
	rows, err := l.read.QueryContext(ctx, accountEvents, account, after, max(limit, 0))
	events, err := collect(rows, err, "list events of account", scanAccountEvent)
	return l.wholeOnly(events), err == nil, err
}

// foundAccountEvent is an event of an account's log as it was found.
type foundAccountEvent struct {
	store.AccountEvent
	whole bool
}

func scanAccountEvent(scan scanner) (a foundAccountEvent, err error) {
	e, err := scanEvent(func(dest ...any) error { return scan(append([]any{&a.N, &a.Session}, dest...)...) })
	a.Event, a.whole = e.Event, e.whole
	return a, err
}

// wholeOnly leaves out events that are damaged.
func (l accountLog) wholeOnly(found []foundAccountEvent) (events []store.AccountEvent) {
	for _, e := range found {
		if e.whole {
			events = append(events, e.AccountEvent)
			continue
		}
		l.damage.note(e.Session, damagedEvent(e.Seq), false)
	}
	return events
}

// AccountTail implements store.AccountLog.
func (l accountLog) AccountTail(ctx context.Context, account string, limit int) ([]store.AccountEvent, error) {
	rows, err := l.read.QueryContext(ctx, accountTail, account, max(limit, 0))
	events, err := collect(rows, err, "list last events of account", scanAccountEvent)
	slices.Reverse(events)
	return l.wholeOnly(events), err
}

// AccountEnd implements store.AccountLog.
func (l accountLog) AccountEnd(ctx context.Context, account string) (n int64, err error) {
	err = l.read.QueryRowContext(ctx, accountEnd, account).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("look for end of account's log: %w", err)
	}
	return n, nil
}

// Epoch implements store.AccountLog. What is committed is never lost while the folder is the same.
func (l accountLog) Epoch(ctx context.Context) (int64, error) { return 1, ctx.Err() }
