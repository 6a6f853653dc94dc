package valkey

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/valkey-io/valkey-go"

	"steno/messages"
	"steno/session/store"
)

var accountEvents = script("account_events", "record", "session")

// accountLog implements store.AccountLog. The log of an account names events of sessions; the events themselves are in the logs
// of these, or in their archives.
type accountLog struct{ *sessions }

// AccountEvents implements store.AccountLog.
func (l accountLog) AccountEvents(ctx context.Context, account string, after int64, limit int) (list []store.AccountEvent, whole bool, err error) {
	whole = true
	for len(list) < limit {
		page := min(limit-len(list), eventPage)
		entries, trimmed, last, err := l.page(ctx, account, after, page)
		if err != nil {
			return nil, false, fmt.Errorf("list events of account: %w", err)
		}
		whole = whole && trimmed <= after
		list = append(list, entries...)
		if last == after {
			break
		}
		after = last
	}
	return list, whole, nil
}

// page lists the events of at most limit entries, the number up to which entries are not kept, and that of the last one looked at.
func (l accountLog) page(ctx context.Context, account string, after int64, limit int) (list []store.AccountEvent, trimmed, last int64, err error) {
	m, err := l.look(ctx, accountEvents, account, decimal(after), decimal(int64(limit)))
	if err != nil {
		return nil, 0, 0, err
	}
	answer, err := m.ToArray()
	if err != nil || len(answer) != 3 {
		return nil, 0, 0, fmt.Errorf("%w: answer about an account: %w", store.ErrAway, err)
	}
	var r answerReader
	trimmed, last = r.integer(answer[0]), r.integer(answer[2])
	entries, err := answer[1].ToArray()
	r.keep(err)
	for _, entry := range entries {
		a, err := l.entry(ctx, entry)
		if errors.Is(err, store.ErrNotFound) {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, 0, 0, err
		}
		list = append(list, a)
	}
	return list, trimmed, last, r.err
}

// entry reads an entry, and its event where that has left the server.
func (l accountLog) entry(ctx context.Context, m valkey.ValkeyMessage) (a store.AccountEvent, err error) {
	parts, err := m.ToArray()
	if err != nil || len(parts) < 3 {
		return a, fmt.Errorf("%w: entry of an account's log: %w", store.ErrAway, err)
	}
	var r answerReader
	a.N, a.Session, a.Seq = r.integer(parts[0]), r.text(parts[1]), r.integer(parts[2])
	if r.err != nil {
		return a, r.err
	}
	if len(parts) == 4 {
		fields := r.texts(parts[3])
		if len(fields) == 6 {
			a.Event, err = eventOf(a.Seq, fields[1], fields[3], fields[5])
			return a, err
		}
	}
	events, err := l.events(ctx, "", a.Session, a.Seq-1, 1)
	at := slices.IndexFunc(events, func(e messages.Event) bool { return e.Seq == a.Seq })
	if err == nil && at < 0 {
		err = store.ErrNotFound
	}
	if err == nil {
		a.Event = events[at]
	}
	return a, err
}

// AccountEnd implements store.AccountLog.
func (l accountLog) AccountEnd(ctx context.Context, account string) (int64, error) {
	n, err := l.number(ctx, "accounts", account)
	if err != nil {
		return 0, fmt.Errorf("look for end of account's log: %w", err)
	}
	return n, nil
}

// Epoch implements store.AccountLog.
func (l accountLog) Epoch(ctx context.Context) (int64, error) {
	n, err := l.number(ctx, "server", "epoch")
	if err != nil {
		return 0, fmt.Errorf("look for epoch: %w", err)
	}
	return 1 + n, nil
}

// number returns the number in a field of a hash; 0 where there is none.
func (l accountLog) number(ctx context.Context, key, field string) (int64, error) {
	m, err := l.field(ctx, key, field)
	if err != nil || m.IsNil() {
		return 0, err
	}
	return m.AsInt64()
}
