package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"steno/session/store"
)

// Delete implements store.Records. Files that could not be removed are tried again when the store is next opened.
func (s *Store) Delete(ctx context.Context, account, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		n, finished, err := lookUp(ctx, tx, account, id)
		if err == nil && !finished {
			err = store.ErrNotFinished
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `INSERT INTO removals (id, account) VALUES (?, ?)`, id, account)
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM records WHERE n = ?`, n)
		}
		if err != nil {
			return fmt.Errorf("delete record: %w", err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if l := s.claims[id]; l != nil {
		l.forget()
	}
	// The record is gone: the rest is done even if the caller has stopped waiting.
	return s.removeFiles(context.WithoutCancel(ctx), id)
}

func (s *Store) removeFiles(ctx context.Context, id string) error {
	if err := os.RemoveAll(s.folder(id)); err != nil {
		return fmt.Errorf("remove audio: %w", err)
	}
	if _, err := s.write.ExecContext(ctx, `DELETE FROM removals WHERE id = ?`, id); err != nil {
		return fmt.Errorf("remember removal: %w", err)
	}
	return nil
}

// removePending ends the deletions that an earlier process began.
func (s *Store) removePending(ctx context.Context) error {
	rows, err := s.write.QueryContext(ctx, `SELECT id FROM removals`)
	ids, err := collect(rows, err, "list removals", func(scan scanner) (id string, err error) {
		err = scan(&id)
		return id, err
	})
	if err != nil {
		return err
	}
	var errs []error
	for _, id := range ids {
		errs = append(errs, s.removeFiles(ctx, id))
	}
	return errors.Join(errs...)
}

// folder is where a session's files are. Two letters of the id are a level of their own, so that no folder holds more
// than a few thousand others.
func (s *Store) folder(id string) string {
	return filepath.Join(s.dir, "sessions", id[:2], id)
}
