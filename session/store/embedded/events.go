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
	return s.events(ctx, n, after, limit)
}

// recordNumber finds the account's record.
func (s *sessions) recordNumber(ctx context.Context, account, id string) (n int64, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT n FROM records WHERE account = ? AND id = ?`, account, id).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound
	}
	return n, err
}

func (s *sessions) events(ctx context.Context, n, after int64, limit int) ([]messages.Event, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT seq, kind, key, body FROM events
		WHERE record = ? AND seq > ? ORDER BY seq LIMIT ?`, n, after, max(limit, 0))
	return collect(rows, err, "list events", scanEvent)
}

func scanEvent(scan scanner) (messages.Event, error) {
	var e messages.Event
	var kind messages.Kind
	var key string
	err := scan(&e.Seq, &kind, &key, &e.Body)
	e.Key = messages.ParseKey(kind, key)
	return e, err
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
