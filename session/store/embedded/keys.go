package embedded

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"steno/session/store"
)

// keyring is the table of API keys.
type keyring struct{ *database }

// Keyring is the store's API keys alone, opened beside a process that has the rest.
type Keyring struct {
	keyring
	folder sharedDatabase
}

var _ store.Keys = (*Keyring)(nil)

// OpenKeys opens the API keys of a data folder, whether or not a process is using the folder: keys
// may be added and removed while it is. The folder is made if it is not there. Where no process has
// it, none may open it until Close.
func OpenKeys(ctx context.Context, dir string) (*Keyring, error) {
	b, err := openShared(ctx, dir)
	if err != nil {
		return nil, err
	}
	return &Keyring{keyring{b.database}, b}, nil
}

// HasKeys tells whether there are any API keys in a data folder that has a database. It changes
// nothing, whether or not a process is using the folder: a database of an earlier version stays
// one. Errors: ErrNewer.
func HasKeys(ctx context.Context, dir string) (has bool, err error) {
	path, err := filepath.Abs(filepath.Join(dir, "steno.db"))
	if err != nil {
		return false, fmt.Errorf("find database: %w", err)
	}
	db, err := connect(path, true)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	p, err := migrator(db)
	if err == nil {
		err = checkNotNewer(ctx, p)
	}
	if err != nil {
		return false, err
	}
	var table bool // the first versions have none
	err = db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'api_keys')`).Scan(&table)
	if err != nil {
		return false, fmt.Errorf("look for keys: %w", err)
	}
	if !table {
		return false, nil
	}
	return keyring{&database{read: db}}.HasKeys(ctx)
}

// Close releases the database.
func (k *Keyring) Close() error { return k.folder.close() }

// AddKey implements store.Keys.
func (k keyring) AddKey(ctx context.Context, key store.Key) error {
	if len(key.Hash) != sha256.Size || key.Account == "" || key.Scopes&^store.AllScopes != 0 {
		return fmt.Errorf("add key: %w", store.ErrInvalid)
	}
	if key.Scopes == 0 {
		key.Scopes = store.AllScopes
	}
	expires := sql.NullInt64{Int64: key.ExpiresAt.UnixMilli(), Valid: !key.ExpiresAt.IsZero()}
	r, err := k.write.ExecContext(ctx, `INSERT INTO api_keys (hash, account, name, created_at, scopes, expires_at)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		key.Hash, key.Account, key.Name, key.CreatedAt.UnixMilli(), int64(key.Scopes), expires)
	return changedOne(r, err, "add key", store.ErrExists)
}

// keyColumns are those of a key, in the order scanKey reads them.
const keyColumns = `hash, account, name, created_at, scopes, expires_at, outlived`

func scanKey(scan scanner) (store.Key, error) {
	var key store.Key
	var created int64
	var expires sql.NullInt64
	err := scan(&key.Hash, &key.Account, &key.Name, &created, &key.Scopes, &expires, &key.Outlived)
	key.CreatedAt = time.UnixMilli(created).UTC()
	if expires.Valid {
		key.ExpiresAt = time.UnixMilli(expires.Int64).UTC()
	}
	return key, err
}

// Key implements store.Keys.
func (k keyring) Key(ctx context.Context, hash []byte) (store.Key, error) {
	key, err := scanKey(k.read.QueryRowContext(ctx, `SELECT `+keyColumns+` FROM api_keys WHERE hash = ?`, hash).Scan)
	if err != nil {
		return store.Key{}, fmt.Errorf("look up key: %w", notFound(err))
	}
	return key, nil
}

// ListKeys implements store.Keys.
func (k keyring) ListKeys(ctx context.Context) ([]store.Key, error) {
	rows, err := k.read.QueryContext(ctx, `SELECT `+keyColumns+` FROM api_keys ORDER BY created_at, hash`)
	return collect(rows, err, "list keys", scanKey)
}

// RemoveKey implements store.Keys. The tokens of the key go by a trigger of the database.
func (k keyring) RemoveKey(ctx context.Context, hash []byte) error {
	defer k.deleted()
	return k.deleting(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, `DELETE FROM api_keys WHERE hash = ?`, hash)
		return changedOne(r, err, "remove key", store.ErrNotFound)
	})
}

// EndKey implements store.Keys.
func (k keyring) EndKey(ctx context.Context, hash []byte, at time.Time) error {
	expires := sql.NullInt64{Int64: at.UnixMilli(), Valid: !at.IsZero()}
	r, err := k.write.ExecContext(ctx, `UPDATE api_keys SET expires_at = ?, outlived = 1 WHERE hash = ?`, expires, hash)
	return changedOne(r, err, "end key", store.ErrNotFound)
}

// HasKeys implements store.Keys.
func (k keyring) HasKeys(ctx context.Context) (bool, error) {
	var has bool
	if err := k.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM api_keys)`).Scan(&has); err != nil {
		return false, fmt.Errorf("look for keys: %w", err)
	}
	return has, nil
}

// notFound turns the database's word for a row that is not there into the store's.
func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}
