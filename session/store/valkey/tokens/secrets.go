package tokens

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/valkey-io/valkey-go"

	"steno/session/store"
	"steno/session/store/valkey/server"
)

// SecretList implements store.Secrets.
type SecretList struct {
	server *server.Conn
	writer server.Writer
}

func NewSecrets(w server.Writer) SecretList { return SecretList{w.Conn, w} }

var (
	secretAddScript    = Scripts.Script("secret_add")
	secretListScript   = Scripts.Script("secret_list")
	secretRemoveScript = Scripts.Script("secret_remove")
)

// AddSecret implements store.Secrets.
func (s SecretList) AddSecret(ctx context.Context, secret store.Secret) error {
	err := store.CheckSecret(secret)
	if err == nil {
		_, err = s.writer.Run(ctx, secretAddScript, secret.Account, secret.Text, server.Millis(secret.CreatedAt),
			strconv.Itoa(store.MaxSecrets))
	}
	if err != nil {
		return fmt.Errorf("add secret: %w", err)
	}
	return nil
}

// Secrets implements store.Secrets.
func (s SecretList) Secrets(ctx context.Context, account string) ([]store.Secret, error) {
	var all []store.Secret
	for after, more := "", true; more; {
		m, err := s.server.Look(ctx, secretListScript, account, after, strconv.Itoa(server.MaxRows))
		var rows []valkey.ValkeyMessage
		if err == nil {
			rows, err = m.ToArray()
		}
		for i := 0; err == nil && i < len(rows); i++ {
			var some []store.Secret
			after, some, err = decodeSecrets(rows[i])
			all = append(all, some...)
		}
		if err != nil {
			return nil, fmt.Errorf("list secrets: %w", err)
		}
		more = account == "" && len(rows) == server.MaxRows
	}
	return all, nil
}

// decodeSecrets reads the secrets of an account.
func decodeSecrets(row valkey.ValkeyMessage) (account string, list []store.Secret, err error) {
	parts, err := row.ToArray()
	if err != nil || len(parts)%2 != 1 {
		return "", nil, fmt.Errorf("row of %d parts: %w", len(parts), err)
	}
	var r server.Reader
	account = r.Text(parts[0])
	for pair := range slices.Chunk(parts[1:], 2) {
		created := time.UnixMilli(r.Integer(pair[1])).UTC()
		list = append(list, store.Secret{Account: account, Text: r.Text(pair[0]), CreatedAt: created})
	}
	return account, list, r.Err
}

// RemoveSecret implements store.Secrets.
func (s SecretList) RemoveSecret(ctx context.Context, account, text string) error {
	if _, err := s.writer.Run(ctx, secretRemoveScript, account, text); err != nil {
		return fmt.Errorf("remove secret: %w", err)
	}
	return nil
}
