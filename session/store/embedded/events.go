package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"steno/messages"
	"steno/session/store"
)

// sessions implements store.Sessions.
type sessions struct {
	*database
	*files
	log          *eventLog
	feed         *feed
	resumeWindow time.Duration
}

// Events implements store.Sessions.
func (s *sessions) Events(ctx context.Context, account, id string, after int64, limit int) ([]messages.Event, error) {
	n, err := s.recordNumber(ctx, account, id)
	if err != nil {
		return nil, fmt.Errorf("list events: %w", err)
	}
	events, _, err := s.events(ctx, id, n, after, limit)
	return events, err
}

// recordNumber finds the account's record.
func (s *sessions) recordNumber(ctx context.Context, account, id string) (n int64, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT n FROM records WHERE account = ? AND id = ?`, account, id).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound
	}
	return n, err
}

// maxEvents is more events than a session has.
const maxEvents = 1 << 31

// events lists events of a session, without those that are damaged, and reports whether there were
// any. It reads at most limit events, damaged ones included.
func (s *sessions) events(ctx context.Context, id string, n, after int64, limit int) (events []messages.Event,
	damaged bool, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT seq, kind, key, body, sum FROM events
		WHERE record = ? AND seq > ? ORDER BY seq LIMIT ?`, n, after, max(limit, 0))
	found, err := collect(rows, err, "list events", scanEvent)
	for _, e := range found {
		if e.whole {
			events = append(events, e.Event)
			continue
		}
		s.damage.note(id, damagedEvent(e.Seq), false)
		damaged = true
	}
	return events, damaged, err
}

func damagedEvent(seq int64) string { return fmt.Sprintf("event %d is damaged", seq) }

// foundEvent is an event as it was found.
type foundEvent struct {
	messages.Event
	whole bool // as it was written
}

func scanEvent(scan scanner) (e foundEvent, err error) {
	var kind messages.Kind
	var key string
	var sum sql.NullInt64
	err = scan(&e.Seq, &kind, &key, &e.Body, &sum)
	e.Key = messages.ParseKey(kind, key)
	e.whole = fits(sum, []byte(key), e.Body)
	return e, err
}

// heal takes the damaged events out of a session's log and has its lanes begin from the beginning
// of the journal: what they emit then is what was lost, since the log knows the rest.
func (d *database) heal(ctx context.Context, n int64) error {
	rows, err := d.read.QueryContext(ctx, `SELECT seq, kind, key, body, sum FROM events WHERE record = ?`, n)
	found, err := collect(rows, err, "look for damaged events", scanEvent)
	if err != nil {
		return err
	}
	return d.inTx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`UPDATE events_end SET number = max(number, (SELECT coalesce(max(number), 0) FROM events))`)
		if err != nil {
			return fmt.Errorf("keep the numbers of events: %w", err)
		}
		for _, e := range found {
			if e.whole {
				continue
			}
			if _, err := tx.ExecContext(ctx, `DELETE FROM events WHERE record = ? AND seq = ?`, n, e.Seq); err != nil {
				return fmt.Errorf("remove damaged event: %w", err)
			}
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM checkpoints WHERE record = ?`, n); err != nil {
			return fmt.Errorf("remove checkpoints: %w", err)
		}
		return nil
	})
}

func (s *sessions) checkpoints(ctx context.Context, n int64) (map[int][]byte, error) {
	type one struct {
		lane int
		body []byte
	}
	rows, err := s.read.QueryContext(ctx, `SELECT lane, body FROM checkpoints WHERE record = ?`, n)
	all, err := collect(rows, err, "list checkpoints", func(scan scanner) (c one, err error) {
		err = scan(&c.lane, &c.body)
		return c, err
	})
	if err != nil {
		return nil, err
	}
	lanes := make(map[int][]byte, len(all))
	for _, c := range all {
		lanes[c.lane] = c.body
	}
	return lanes, nil
}
