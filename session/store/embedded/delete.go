package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"steno/session/store"
)

// Delete implements store.Records. Files that could not be removed are tried again when the store
// is next opened.
func (s *Store) Delete(ctx context.Context, account, id string) error {
	if err := s.deleteRecord(ctx, account, id, true); err != nil {
		return fmt.Errorf("delete record: %w", err)
	}
	return nil
}

// Cancel implements store.Records. The job's place in the queue goes with the record.
func (s *Store) Cancel(ctx context.Context, account, id string) error {
	if err := s.deleteRecord(ctx, account, id, false); err != nil {
		return fmt.Errorf("cancel record: %w", err)
	}
	return nil
}

// deleteRecord removes a record, where asked only if it is finished.
func (s *Store) deleteRecord(ctx context.Context, account, id string, finished bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var upload string // that went with it
	err := s.deleting(ctx, func(tx *sql.Tx) (err error) {
		if upload, err = deleteIn(ctx, tx, account, id, finished); err == nil {
			err = s.noteErasure(ctx, tx, id, 0)
		}
		return err
	})
	if err != nil {
		return err
	}
	defer s.deleted()
	if !finished {
		s.jobQueue.changed.ring()
	}
	if l := s.claims[id]; l != nil {
		l.lose(store.ErrNotFound)
	}
	s.feed.logged(account, id, 0)
	// The record is gone: the rest is done even if the caller has stopped waiting.
	ctx = context.WithoutCancel(ctx)
	err = s.removeFiles(ctx, id)
	if upload != "" {
		err = errors.Join(err, s.removeUpload(ctx, upload))
	}
	return err
}

// deleteIn takes away a record's rows and, where no other record refers to it, its upload's, whose
// id it returns.
func deleteIn(ctx context.Context, tx *sql.Tx, account, id string, onlyFinished bool) (upload string, err error) {
	n, finished, err := lookUp(ctx, tx, account, id)
	if err != nil {
		return "", err
	}
	if onlyFinished && !finished {
		return "", store.ErrNotFinished
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO removals (id, account) VALUES (?, ?) ON CONFLICT DO NOTHING`,
		id, account); err != nil {
		return "", err
	}
	err = tx.QueryRowContext(ctx, `DELETE FROM records WHERE n = ? RETURNING coalesce(upload, '')`, n).Scan(&upload)
	if err != nil || upload == "" {
		return "", err
	}
	if gone, err := dropUpload(ctx, tx, upload); err != nil || !gone {
		return "", err
	}
	return upload, nil
}

func (s *Store) removeFiles(ctx context.Context, id string) error {
	if err := os.RemoveAll(s.folder(id)); err != nil {
		return fmt.Errorf("remove audio: %w", err)
	}
	if err := s.files.tails.Settle(id, ""); err != nil {
		return err
	}
	err := s.deleting(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM removals WHERE id = ?`, id)
		return err
	})
	if err != nil {
		return fmt.Errorf("remember removal: %w", err)
	}
	return nil
}

// removePending ends the deletions that an earlier process began.
func (s *Store) removePending(ctx context.Context) error {
	rows, err := s.write.QueryContext(ctx, `SELECT id FROM removals`)
	ids, err := collect(rows, err, "list removals", scanText)
	if err != nil {
		return err
	}
	var errs []error
	for _, id := range ids {
		errs = append(errs, s.removeFiles(ctx, id))
	}
	return errors.Join(errs...)
}
