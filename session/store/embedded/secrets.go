package embedded

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"steno/session/store"
)

// secrets is the table of what callbacks are signed with.
type secrets struct{ *database }

// AddSecret implements store.Secrets.
func (s secrets) AddSecret(ctx context.Context, secret store.Secret) error {
	if err := store.CheckSecret(secret); err != nil {
		return fmt.Errorf("add secret: %w", err)
	}
	return s.inTx(ctx, func(tx *sql.Tx) error {
		r, err := tx.ExecContext(ctx, `INSERT INTO secrets (account, secret, created_at) VALUES (?, ?, ?)
			ON CONFLICT DO NOTHING`, secret.Account, secret.Text, secret.CreatedAt.UnixMilli())
		if err := changedOne(r, err, "add secret", store.ErrExists); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM secrets WHERE account = ?1 AND n NOT IN
			(SELECT n FROM secrets WHERE account = ?1 ORDER BY n DESC LIMIT ?2)`, secret.Account, store.MaxSecrets)
		if err != nil {
			return fmt.Errorf("remove old secrets: %w", err)
		}
		return nil
	})
}

// Secrets implements store.Secrets.
func (s secrets) Secrets(ctx context.Context, account string) ([]store.Secret, error) {
	rows, err := s.read.QueryContext(ctx, `SELECT account, secret, created_at FROM secrets WHERE ?1 IN (account, '')
		ORDER BY account, n DESC`, account)
	return collect(rows, err, "list secrets", func(scan scanner) (store.Secret, error) {
		var secret store.Secret
		var at int64
		err := scan(&secret.Account, &secret.Text, &at)
		secret.CreatedAt = time.UnixMilli(at).UTC()
		return secret, err
	})
}

// RemoveSecret implements store.Secrets.
func (s secrets) RemoveSecret(ctx context.Context, account, text string) error {
	r, err := s.write.ExecContext(ctx, `DELETE FROM secrets WHERE account = ? AND secret = ?`, account, text)
	return changedOne(r, err, "remove secret", store.ErrNotFound)
}
