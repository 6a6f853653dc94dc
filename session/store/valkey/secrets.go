package valkey

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"steno/session/store"
)

// secrets implements store.Secrets.
type secrets struct {
	*server
	writer writer
}

var (
	secretAddScript    = newDurableScript("secret_add")
	secretListScript   = script("secret_list")
	secretRemoveScript = newDurableScript("secret_remove")
)

// AddSecret implements store.Secrets.
func (s secrets) AddSecret(ctx context.Context, secret store.Secret) error {
	err := store.ErrInvalid
	if secret.Account != "" && secret.Text != "" {
		_, err = s.writer.run(ctx, secretAddScript, secret.Account, secret.Text, millis(secret.CreatedAt), strconv.Itoa(store.MaxSecrets))
	}
	if err != nil {
		return fmt.Errorf("add secret: %w", err)
	}
	return nil
}

// Secrets implements store.Secrets.
func (s secrets) Secrets(ctx context.Context, account string) ([]store.Secret, error) {
	var all []store.Secret
	for after, more := "", true; more; {
		m, err := s.run(ctx, secretListScript, account, after, strconv.Itoa(rowsAtOnce))
		if err != nil {
			return nil, fmt.Errorf("list secrets: %w", err)
		}
		rows, err := m.ToArray()
		if err != nil {
			return nil, fmt.Errorf("list secrets: %w", err)
		}
		more = false
		for _, row := range rows {
			var r reader
			parts, err := row.ToArray()
			if err != nil || len(parts)%2 != 1 {
				return nil, fmt.Errorf("list secrets: row of %d parts: %w", len(parts), err)
			}
			after = r.text(parts[0])
			for i := 1; i < len(parts); i += 2 {
				all = append(all, store.Secret{Account: after, Text: r.text(parts[i]), CreatedAt: time.UnixMilli(r.integer(parts[i+1])).UTC()})
			}
			if r.err != nil {
				return nil, fmt.Errorf("list secrets: %w", r.err)
			}
		}
		more = account == "" && len(rows) == rowsAtOnce
	}
	return all, nil
}

// RemoveSecret implements store.Secrets.
func (s secrets) RemoveSecret(ctx context.Context, account, text string) error {
	if _, err := s.writer.run(ctx, secretRemoveScript, account, text); err != nil {
		return fmt.Errorf("remove secret: %w", err)
	}
	return nil
}
