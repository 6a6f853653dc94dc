package embedded

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"steno/session/store"
)

// Expired implements store.Records.
func (t *records) Expired(ctx context.Context, q store.Expired, limit int) ([]store.RecordID, error) {
	if q.Transient {
		return t.expired(ctx, `completed_at IS NOT NULL AND transient & ~stripped <> 0 AND completed_at < ?`, limit,
			q.Before.UnixMilli())
	}
	except, err := json.Marshal(append([]string{}, q.Except...))
	if err != nil {
		return nil, fmt.Errorf("list finished records: %w", err)
	}
	where, args := `completed_at < ?`, []any{q.Before.UnixMilli()}
	if !q.From.IsZero() {
		where, args = where+` AND completed_at >= ?`, append(args, q.From.UnixMilli())
	}
	if q.Parts != 0 {
		where, args = where+` AND ~stripped & ? <> 0`, append(args, q.Parts)
	}
	if q.Account != "" {
		where, args = where+` AND account = ?`, append(args, q.Account)
	} else if len(q.Except) > 0 {
		where, args = where+` AND account NOT IN (SELECT value FROM json_each(?))`, append(args, string(except))
	}
	return t.expired(ctx, where, limit, args...)
}

func (t *records) expired(ctx context.Context, where string, limit int, args ...any) ([]store.RecordID, error) {
	rows, err := t.read.QueryContext(ctx, `SELECT account, id FROM records WHERE `+where+
		` ORDER BY completed_at, n LIMIT ?`, append(args, max(limit, 0))...)
	return collect(rows, err, "list finished records", func(scan scanner) (r store.RecordID, err error) {
		err = scan(&r.Account, &r.ID)
		return r, err
	})
}

// Strip implements store.Records. Files that could not be removed are tried again when the store is
// next opened.
func (s *Store) Strip(ctx context.Context, account, id string, parts store.Parts) error {
	if err := s.strip(ctx, account, id, parts); err != nil {
		return fmt.Errorf("erase %s of a record: %w", parts, err)
	}
	return nil
}

func (s *Store) strip(ctx context.Context, account, id string, parts store.Parts) error {
	if err := store.CheckParts(parts); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var upload string // that went
	err := s.deleting(ctx, func(tx *sql.Tx) (err error) {
		n, finished, err := lookUp(ctx, tx, account, id)
		switch {
		case err != nil:
			return err
		case !finished:
			return store.ErrNotFinished
		case s.claims[id] != nil:
			return store.ErrClaimed
		}
		if upload, err = stripIn(ctx, tx, n, parts); err == nil {
			err = s.noteErasure(ctx, tx, id, parts)
		}
		return err
	})
	if err != nil {
		return err
	}
	defer s.deleted()
	ctx = context.WithoutCancel(ctx) // the rows are gone: the rest is done in any case
	if parts.Has(store.PartAudio) {
		err = s.removeFiles(ctx, id)
	}
	if upload != "" {
		err = errors.Join(err, s.removeUpload(ctx, upload))
	}
	return err
}

// stripIn takes away the rows of parts of a finished record. It returns the id of its upload, where
// no other record refers to that.
func stripIn(ctx context.Context, tx *sql.Tx, n int64, parts store.Parts) (upload string, err error) {
	if parts.Has(store.PartTranscripts) {
		err = run(ctx, tx, n, `UPDATE records SET result = NULL, result_sum = NULL WHERE n = ?`,
			`UPDATE deliveries SET body = x'', failure = '' WHERE record = ? AND state IN ('sent', 'dead')`)
	}
	if err == nil && parts.Has(store.PartMessages) {
		err = run(ctx, tx, n,
			`UPDATE events_end SET number = max(number, (SELECT coalesce(max(number), 0) FROM events
				WHERE record = ?))`,
			`DELETE FROM events WHERE record = ?`, `DELETE FROM checkpoints WHERE record = ?`,
			`DELETE FROM silences WHERE record = ?`, `DELETE FROM notes WHERE record = ?`)
	}
	if err == nil && parts.Has(store.PartAudio) {
		upload, err = stripAudio(ctx, tx, n)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE records SET stripped = stripped | ? WHERE n = ?`, parts, n)
	}
	return upload, err
}

// stripAudio has the files of a session removed, and takes the record's upload away.
func stripAudio(ctx context.Context, tx *sql.Tx, n int64) (upload string, err error) {
	err = run(ctx, tx, n,
		`INSERT INTO removals (id, account) SELECT id, account FROM records WHERE n = ? ON CONFLICT DO NOTHING`)
	if err != nil {
		return "", err
	}
	err = tx.QueryRowContext(ctx, `SELECT coalesce(upload, '') FROM records WHERE n = ?`, n).Scan(&upload)
	if err != nil || upload == "" {
		return "", err
	}
	if err := run(ctx, tx, n, `UPDATE records SET upload = NULL WHERE n = ?`); err != nil {
		return "", err
	}
	if gone, err := dropUpload(ctx, tx, upload); err != nil || !gone {
		return "", err
	}
	return upload, nil
}

// run executes statements about a record.
func run(ctx context.Context, tx *sql.Tx, n int64, statements ...string) error {
	for _, one := range statements {
		if _, err := tx.ExecContext(ctx, one, n); err != nil {
			return err
		}
	}
	return nil
}
