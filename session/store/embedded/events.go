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

// statements are those of the live path, prepared once.
type statements struct {
	insertEvent, knownEvent, setCheckpoint, insertAccountEvent *sql.Stmt
}

func (s *statements) prepare(ctx context.Context, db *sql.DB) (err error) {
	for _, p := range []struct {
		at  **sql.Stmt
		sql string
	}{
		{&s.insertEvent, `INSERT INTO events (account, record, seq, kind, key, body)
			SELECT account, n, (SELECT coalesce(max(seq), 0) + 1 FROM events WHERE record = n), ?, ?, ? FROM records WHERE n = ?
			ON CONFLICT (record, key) DO NOTHING RETURNING seq`},
		{&s.knownEvent, `SELECT seq FROM events WHERE record = ? AND key = ?`},
		{&s.setCheckpoint, `INSERT INTO checkpoints (account, record, lane, body)
			SELECT account, n, ?, ? FROM records WHERE n = ?
			ON CONFLICT (record, lane) DO UPDATE SET body = excluded.body`},
		{&s.insertAccountEvent, `INSERT INTO account_events (account, record, seq) SELECT account, n, ? FROM records WHERE n = ?`},
	} {
		if *p.at, err = db.PrepareContext(ctx, p.sql); err != nil {
			return fmt.Errorf("prepare statement: %w", err)
		}
	}
	return nil
}

func (s *statements) close() error {
	var errs []error
	for _, one := range []*sql.Stmt{s.insertEvent, s.knownEvent, s.setCheckpoint, s.insertAccountEvent} {
		if one != nil {
			errs = append(errs, one.Close())
		}
	}
	return errors.Join(errs...)
}

// sessions implements store.Sessions.
type sessions struct {
	*database
	*files
	prepared     statements
	feed         *feed
	resumeWindow time.Duration
}

// insertEvent logs an event of record n, or finds the one of the same key.
func (s *sessions) insertEvent(ctx context.Context, tx *sql.Tx, n int64, e messages.Event) (seq int64, fresh bool, err error) {
	body := e.Body
	if body == nil {
		body = []byte{}
	}
	err = tx.StmtContext(ctx, s.prepared.insertEvent).QueryRowContext(ctx, int64(e.Kind), e.Key.String(), body, n).Scan(&seq)
	if err == nil {
		return seq, true, s.prepared.logForAccount(ctx, tx, n, seq, e.Kind)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return 0, false, err
	}
	err = tx.StmtContext(ctx, s.prepared.knownEvent).QueryRowContext(ctx, n, e.Key.String()).Scan(&seq)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrNotFound // neither new nor known: the record is gone
	}
	return seq, false, err
}

// Events implements store.Sessions.
func (s *sessions) Events(ctx context.Context, account, id string, after int64, limit int) ([]messages.Event, error) {
	n, err := s.number(ctx, account, id)
	if err != nil {
		return nil, fmt.Errorf("list events: %w", err)
	}
	return s.events(ctx, n, after, limit)
}

// number finds the account's record.
func (s *sessions) number(ctx context.Context, account, id string) (n int64, err error) {
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
