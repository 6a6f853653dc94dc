package tier

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/valkey-io/valkey-go"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkey/server"
)

var sessionEvents = Scripts.Script("session_events", "record", "session")

// EventPage is how many events one call lists.
const EventPage = 256

// Events implements store.Sessions.
func (t *Tier) Events(ctx context.Context, account, id string, after int64, limit int) ([]messages.Event, error) {
	if account == "" {
		return nil, fmt.Errorf("list events: %w", store.ErrNotFound)
	}
	events, err := t.ListEvents(ctx, account, id, after, limit)
	if err != nil {
		return nil, fmt.Errorf("list events: %w", err)
	}
	return events, nil
}

// ListEvents lists events; account is empty for any.
func (t *Tier) ListEvents(
	ctx context.Context, account, id string, after int64, limit int,
) (list []messages.Event, err error) {
	for first := true; first || len(list) < limit; first = false {
		page := max(0, min(limit-len(list), EventPage))
		m, err := t.server.Look(ctx, sessionEvents, account, id, server.Decimal(after),
			server.Decimal(int64(max(page, 1))))
		if err != nil {
			return nil, err
		}
		logged, archive, err := readEvents(m)
		if err != nil {
			return nil, err
		}
		if archive.last > after {
			if logged, err = t.archived(ctx, archive, after); err != nil {
				return nil, err
			}
		}
		logged = logged[:min(len(logged), max(limit-len(list), 0))]
		list = append(list, logged...)
		if archive.last <= after && len(logged) < page || len(logged) == 0 {
			break
		}
		after = logged[len(logged)-1].Seq
	}
	return list, nil
}

// readEvents reads the answer of session_events.
func readEvents(m valkey.ValkeyMessage) ([]messages.Event, eventArchive, error) {
	answer, err := m.ToArray()
	if err != nil || len(answer) != 3 {
		return nil, eventArchive{}, fmt.Errorf("%w: answer about events: %w", store.ErrAway, err)
	}
	var r server.Reader
	archive := eventArchive{object: r.Text(answer[0]), last: r.Integer(answer[1])}
	entries, err := answer[2].AsXRange()
	r.Keep(err)
	var list []messages.Event
	for _, entry := range entries {
		number, _, _ := strings.Cut(entry.ID, "-")
		seq, err := server.ParseInteger(number)
		r.Keep(err)
		e, err := ParseEvent(seq, entry.FieldValues["kind"], entry.FieldValues["key"], entry.FieldValues["body"])
		r.Keep(err)
		list = append(list, e)
	}
	return list, archive, r.Err
}

// ParseEvent reads an event of the log.
func ParseEvent(seq int64, kind, key, body string) (messages.Event, error) {
	k, err := strconv.Atoi(kind)
	if err != nil {
		return messages.Event{}, err
	}
	return messages.Event{Seq: seq, Key: messages.ParseKey(messages.Kind(k), key), Body: []byte(body)}, nil
}

// archived returns the events of an archive above a number.
func (t *Tier) archived(ctx context.Context, archive eventArchive, after int64) ([]messages.Event, error) {
	events, ok := t.archives.find(archive.object)
	if !ok {
		compressed, err := t.Blobs.ReadAll(ctx, archive.object, maxEventArchive)
		if err != nil {
			return nil, fmt.Errorf("read archive of events: %w", err)
		}
		if events, err = readArchive(compressed); err != nil {
			return nil, err
		}
		t.archives.add(archive.object, events)
	}
	first, _ := slices.BinarySearchFunc(events, after+1, func(e messages.Event, n int64) int { return int(e.Seq - n) })
	end, _ := slices.BinarySearchFunc(events, archive.last+1,
		func(e messages.Event, n int64) int { return int(e.Seq - n) })
	return events[first:max(first, end)], nil
}
