package embedded

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"steno/session"
	"steno/session/store"
)

// DataKeyList is the data keys of a store, opened beside a process that has the rest.
type DataKeyList struct {
	dataKeys
	folder sharedDatabase
}

// OpenDataKeys opens the data keys of a data folder as OpenKeys does the API keys.
func OpenDataKeys(ctx context.Context, dir string) (*DataKeyList, error) {
	b, err := openShared(ctx, dir)
	if err != nil {
		return nil, err
	}
	return &DataKeyList{dataKeys{b.database}, b}, nil
}

// Close releases the database.
func (l *DataKeyList) Close() error { return l.folder.close() }

// dataKeys implements store.DataKeys.
type dataKeys struct{ *database }

// DataKeys implements store.DataKeys.
func (k dataKeys) DataKeys(ctx context.Context, account string) ([]store.DataKey, error) {
	rows, err := k.read.QueryContext(ctx, `SELECT account, number, wrapped, created_at FROM data_keys
		WHERE ?1 IN (account, '') ORDER BY account, number`, account)
	return collect(rows, err, "list data keys", func(scan scanner) (d store.DataKey, err error) {
		var at int64
		err = scan(&d.Account, &d.Number, &d.Wrapped, &at)
		d.CreatedAt = time.UnixMilli(at).UTC()
		return d, err
	})
}

// AddDataKey implements store.DataKeys.
func (k dataKeys) AddDataKey(ctx context.Context, d store.DataKey) error {
	r, err := k.write.ExecContext(ctx, `INSERT INTO data_keys (account, number, wrapped, created_at) VALUES (?, ?, ?, ?)
		ON CONFLICT DO NOTHING`, d.Account, d.Number, notNull(d.Wrapped), d.CreatedAt.UnixMilli())
	return changedOne(r, err, "add data key", store.ErrExists)
}

// WrapDataKey implements store.DataKeys.
func (k dataKeys) WrapDataKey(ctx context.Context, d store.DataKey) error {
	r, err := k.write.ExecContext(ctx, `UPDATE data_keys SET wrapped = ?
		WHERE account = ? AND number = ? AND length(wrapped) > 0`, d.Wrapped, d.Account, d.Number)
	return changedOne(r, err, "wrap data key", store.ErrNotFound)
}

// ForgetDataKeys implements store.DataKeys.
func (k dataKeys) ForgetDataKeys(ctx context.Context, account string) error {
	defer k.deleted()
	return k.deleting(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE data_keys SET wrapped = x'' WHERE account = ?`, account)
		if err != nil {
			return fmt.Errorf("forget data keys: %w", err)
		}
		return k.noteErasure(ctx, tx, store.KeysOf(account), 0)
	})
}

// SessionNotes returns the notes of a session of an account; it needs no claim.
func (s *sessions) SessionNotes(ctx context.Context, account, id string) ([]session.Note, error) {
	n, err := s.recordNumber(ctx, account, id)
	if err != nil {
		return nil, fmt.Errorf("list notes: %w", err)
	}
	return s.notes(ctx, n)
}
