package valkey

import (
	"context"
	"fmt"
	"strings"

	"github.com/valkey-io/valkey-go"

	"steno/messages"
	"steno/session/store"
)

var sessionEvents = script("session_events", "record", "session")

// eventPage is how many events one call lists.
const eventPage = 256

// Events implements store.Sessions.
func (s *sessions) Events(ctx context.Context, account, id string, after int64, limit int) ([]messages.Event, error) {
	if account == "" {
		return nil, fmt.Errorf("list events: %w", store.ErrNotFound)
	}
	events, err := s.events(ctx, account, id, after, limit)
	if err != nil {
		return nil, fmt.Errorf("list events: %w", err)
	}
	return events, nil
}

// events lists events; account is empty for any.
func (s *sessions) events(ctx context.Context, account, id string, after int64, limit int) (list []messages.Event, err error) {
	for first := true; first || len(list) < limit; first = false {
		page := max(0, min(limit-len(list), eventPage))
		m, err := s.look(ctx, sessionEvents, account, id, decimal(after), decimal(int64(max(page, 1))))
		if err != nil {
			return nil, err
		}
		logged, archive, err := readEvents(m)
		if err != nil {
			return nil, err
		}
		if archive.last > after {
			if logged, err = s.archived(ctx, archive, after); err != nil {
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
	var r answerReader
	archive := eventArchive{object: r.text(answer[0]), last: r.integer(answer[1])}
	entries, err := answer[2].AsXRange()
	r.keep(err)
	var list []messages.Event
	for _, entry := range entries {
		number, _, _ := strings.Cut(entry.ID, "-")
		seq, err := parseInteger(number)
		r.keep(err)
		e, err := eventOf(seq, entry.FieldValues["kind"], entry.FieldValues["key"], entry.FieldValues["body"])
		r.keep(err)
		list = append(list, e)
	}
	return list, archive, r.err
}
