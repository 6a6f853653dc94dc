package claims

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkey/tier"
)

var accountEvents = Scripts.Script("account_events", "record", "session")

// AccountLog implements store.AccountLog. The log of an account names events of sessions; the
// events themselves are in the logs of these, or in their archives.
type AccountLog struct {
	server *server.Conn
	tier   *tier.Tier
}

func NewAccountLog(s *server.Conn, t *tier.Tier) AccountLog { return AccountLog{s, t} }

// AccountEvents implements store.AccountLog.
func (l AccountLog) AccountEvents(
	ctx context.Context, account string, after int64, limit int,
) (list []store.AccountEvent, whole bool, err error) {
	whole = true
	for len(list) < limit {
		page := min(limit-len(list), tier.EventPage)
		entries, trimmed, last, err := l.page(ctx, account, server.Decimal(after), server.Decimal(int64(page)))
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

// AccountTail implements store.AccountLog.
func (l AccountLog) AccountTail(ctx context.Context, account string, limit int) (list []store.AccountEvent, err error) {
	for before := int64(1 << 53); len(list) < limit; {
		page := min(limit-len(list), tier.EventPage)
		entries, _, last, err := l.page(ctx, account, server.Decimal(before), server.Decimal(int64(page)), "back")
		if err != nil {
			return nil, fmt.Errorf("list last events of account: %w", err)
		}
		list = append(list, entries...)
		if last == before {
			break
		}
		before = last
	}
	slices.Reverse(list)
	return list, nil
}

// page runs account_events. It lists the events of the entries, the number up to which entries are
// not kept, and that of the last one looked at.
func (l AccountLog) page(
	ctx context.Context, args ...string,
) (list []store.AccountEvent, trimmed, last int64, err error) {
	m, err := l.server.Look(ctx, accountEvents, args...)
	if err != nil {
		return nil, 0, 0, err
	}
	answer, err := m.ToArray()
	if err != nil || len(answer) != 3 {
		return nil, 0, 0, fmt.Errorf("%w: answer about an account: %w", store.ErrAway, err)
	}
	var r server.Reader
	trimmed, last = r.Integer(answer[0]), r.Integer(answer[2])
	entries, err := answer[1].ToArray()
	r.Keep(err)
	list, err = l.entries(ctx, entries, &r)
	return list, trimmed, last, err
}

// entries reads entries of an account's log. The events that have left the server are read session
// by session: the log has those of many sessions in turn, and few archives are in memory. Entries
// of records that were deleted meanwhile are left out.
func (l AccountLog) entries(
	ctx context.Context, rows []valkey.ValkeyMessage, r *server.Reader,
) ([]store.AccountEvent, error) {
	list := make([]store.AccountEvent, len(rows))
	var gone []*store.AccountEvent
	for i, m := range rows {
		if list[i] = readEntry(m, r); list[i].Kind == 0 {
			gone = append(gone, &list[i])
		}
	}
	if r.Err != nil {
		return nil, r.Err
	}
	slices.SortStableFunc(gone, func(a, b *store.AccountEvent) int { return strings.Compare(a.Session, b.Session) })
	for _, a := range gone {
		events, err := l.tier.ListEvents(ctx, "", a.Session, a.Seq-1, 1)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		if len(events) == 1 && events[0].Seq == a.Seq {
			a.Event = events[0]
		}
	}
	return slices.DeleteFunc(list, func(a store.AccountEvent) bool { return a.Kind == 0 }), nil
}

// readEntry reads an entry, which has no kind where its event has left the server.
func readEntry(m valkey.ValkeyMessage, r *server.Reader) (a store.AccountEvent) {
	parts, err := m.ToArray()
	if r.Keep(err); len(parts) < 3 {
		r.Keep(fmt.Errorf("entry of an account's log has %d parts", len(parts)))
		return a
	}
	a.N, a.Session, a.Seq = r.Integer(parts[0]), r.Text(parts[1]), r.Integer(parts[2])
	if len(parts) == 4 {
		if fields := r.Texts(parts[3]); len(fields) == 6 {
			a.Event, err = tier.ParseEvent(a.Seq, fields[1], fields[3], fields[5])
			r.Keep(err)
		}
	}
	return a
}

// AccountEnd implements store.AccountLog.
func (l AccountLog) AccountEnd(ctx context.Context, account string) (int64, error) {
	n, err := l.number(ctx, "accounts", account)
	if err != nil {
		return 0, fmt.Errorf("look for end of account's log: %w", err)
	}
	return n, nil
}

// Epoch implements store.AccountLog.
func (l AccountLog) Epoch(ctx context.Context) (int64, error) {
	n, err := l.number(ctx, "server", "epoch")
	if err != nil {
		return 0, fmt.Errorf("look for epoch: %w", err)
	}
	return 1 + n, nil
}

// number returns the number in a field of a hash; 0 where there is none.
func (l AccountLog) number(ctx context.Context, key, field string) (int64, error) {
	m, err := l.server.Field(ctx, key, field)
	if err != nil || m.IsNil() {
		return 0, err
	}
	return m.AsInt64()
}
