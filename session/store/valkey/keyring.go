package valkey

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"steno/session/store"
)

// keyring implements store.Keys.
type keyring struct {
	server *server
	writer writer
}

func newKeyring(w writer) keyring { return keyring{w.server, w} }

var (
	keyAddScript    = Scripts.Script("key_add")
	keyListScript   = Scripts.Script("key_list")
	keyRemoveScript = Scripts.Script("key_remove", "token")
)

// AddKey implements store.Keys.
func (k keyring) AddKey(ctx context.Context, key store.Key) error {
	if len(key.Hash) != sha256.Size || key.Account == "" || key.Scopes&^store.AllScopes != 0 {
		return fmt.Errorf("add key: %w", store.ErrInvalid)
	}
	if key.Scopes == 0 {
		key.Scopes = store.AllScopes
	}
	f := fieldList{}
	f.text("account", key.Account)
	f.text("name", key.Name)
	f.text("created", millis(key.CreatedAt))
	f.text("scopes", strconv.Itoa(int(key.Scopes)))
	if !key.ExpiresAt.IsZero() {
		f.text("expires", millis(key.ExpiresAt))
	}
	f.text("call", newNumber())
	if err := k.writer.persist(ctx, keyAddScript, append([]string{hex.EncodeToString(key.Hash), millis(key.CreatedAt)}, f...)...); err != nil {
		return fmt.Errorf("add key: %w", err)
	}
	return nil
}

// decodeKey returns the key of a hash, in hex, from its fields.
func decodeKey(hash string, fields map[string]string) (key store.Key, err error) {
	n := fieldNumbers{fields: fields}
	key = store.Key{
		Account: fields["account"], Name: fields["name"], CreatedAt: time.UnixMilli(n.integer("created")).UTC(),
		Scopes: store.Scopes(n.integer("scopes")),
	}
	if fields["expires"] != "" {
		key.ExpiresAt = time.UnixMilli(n.integer("expires")).UTC()
	}
	if key.Hash, err = hex.DecodeString(hash); err == nil {
		err = n.err
	}
	return key, err
}

// Key implements store.Keys.
func (k keyring) Key(ctx context.Context, hash []byte) (store.Key, error) {
	name := hex.EncodeToString(hash)
	fields, err := k.server.hash(ctx, "key:"+name)
	if err == nil && len(fields) == 0 {
		err = store.ErrNotFound
	}
	var key store.Key
	if err == nil {
		key, err = decodeKey(name, fields)
	}
	if err != nil {
		return store.Key{}, fmt.Errorf("look up key: %w", err)
	}
	return key, nil
}

// ListKeys implements store.Keys.
func (k keyring) ListKeys(ctx context.Context) ([]store.Key, error) {
	var all []store.Key
	for more := true; more; {
		rows, err := k.server.hashes(ctx, keyListScript, strconv.Itoa(len(all)), strconv.Itoa(rowsAtOnce))
		if err != nil {
			return nil, fmt.Errorf("list keys: %w", err)
		}
		for _, row := range rows {
			key, err := decodeKey(row.id, row.fields)
			if err != nil {
				return nil, fmt.Errorf("list keys: %w", err)
			}
			all = append(all, key)
		}
		more = len(rows) == rowsAtOnce
	}
	return all, nil
}

// RemoveKey implements store.Keys. The tokens of the key go before it, some at a time.
func (k keyring) RemoveKey(ctx context.Context, hash []byte) error {
	for answer := "more"; answer == "more"; {
		m, err := k.writer.run(ctx, keyRemoveScript, hex.EncodeToString(hash))
		if err == nil {
			answer, err = m.ToString()
		}
		if err != nil {
			return fmt.Errorf("remove key: %w", err)
		}
	}
	return nil
}

// HasKeys implements store.Keys.
func (k keyring) HasKeys(ctx context.Context) (bool, error) {
	some, err := k.server.exists(ctx, "keys")
	if err != nil {
		return false, fmt.Errorf("look for keys: %w", err)
	}
	return some, nil
}
