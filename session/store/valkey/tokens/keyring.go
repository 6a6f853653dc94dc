package tokens

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"steno/session/store"
	"steno/session/store/valkey/server"
)

// Keyring implements store.Keys.
type Keyring struct {
	server *server.Conn
	writer server.Writer
}

func NewKeyring(w server.Writer) Keyring { return Keyring{w.Conn, w} }

var (
	keyAddScript    = Scripts.Script("key_add")
	keyListScript   = Scripts.Script("key_list")
	keyEndScript    = Scripts.Script("key_end")
	keyRemoveScript = Scripts.Script("key_remove", "token")
)

// AddKey implements store.Keys.
func (k Keyring) AddKey(ctx context.Context, key store.Key) error {
	if len(key.Hash) != sha256.Size || key.Account == "" || key.Scopes&^store.AllScopes != 0 {
		return fmt.Errorf("add key: %w", store.ErrInvalid)
	}
	if key.Scopes == 0 {
		key.Scopes = store.AllScopes
	}
	f := server.FieldList{}
	f.Add("account", key.Account)
	f.Add("name", key.Name)
	f.Add("created", server.Millis(key.CreatedAt))
	f.Add("scopes", strconv.Itoa(int(key.Scopes)))
	if !key.ExpiresAt.IsZero() {
		f.Add("expires", server.Millis(key.ExpiresAt))
	}
	if key.Outlived { // it is restored
		f.Add("outlived", "1")
	}
	f.Add("call", server.NewNumber())
	if err := k.writer.Persist(ctx, keyAddScript,
		append([]string{hex.EncodeToString(key.Hash), server.Millis(key.CreatedAt)}, f...)...); err != nil {
		return fmt.Errorf("add key: %w", err)
	}
	return nil
}

// decodeKey returns the key of a hash, in hex, from its fields.
func decodeKey(hash string, fields map[string]string) (key store.Key, err error) {
	n := server.Numbers{Fields: fields}
	key = store.Key{
		Account: fields["account"], Name: fields["name"], CreatedAt: time.UnixMilli(n.Integer("created")).UTC(),
		Scopes: store.Scopes(n.Integer("scopes")), Outlived: fields["outlived"] != "",
	}
	if fields["expires"] != "" {
		key.ExpiresAt = time.UnixMilli(n.Integer("expires")).UTC()
	}
	if key.Hash, err = hex.DecodeString(hash); err == nil {
		err = n.Err
	}
	return key, err
}

// Key implements store.Keys.
func (k Keyring) Key(ctx context.Context, hash []byte) (store.Key, error) {
	name := hex.EncodeToString(hash)
	fields, err := k.server.Hash(ctx, "key:"+name)
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
func (k Keyring) ListKeys(ctx context.Context) ([]store.Key, error) {
	var all []store.Key
	for more := true; more; {
		rows, err := k.server.Hashes(ctx, keyListScript, strconv.Itoa(len(all)), strconv.Itoa(server.MaxRows))
		if err != nil {
			return nil, fmt.Errorf("list keys: %w", err)
		}
		for _, row := range rows {
			key, err := decodeKey(row.ID, row.Fields)
			if err != nil {
				return nil, fmt.Errorf("list keys: %w", err)
			}
			all = append(all, key)
		}
		more = len(rows) == server.MaxRows
	}
	return all, nil
}

// RemoveKey implements store.Keys. The tokens of the key go before it, some at a time.
func (k Keyring) RemoveKey(ctx context.Context, hash []byte) error {
	for answer := "more"; answer == "more"; {
		m, err := k.writer.Run(ctx, keyRemoveScript, hex.EncodeToString(hash))
		if err == nil {
			answer, err = m.ToString()
		}
		if err != nil {
			return fmt.Errorf("remove key: %w", err)
		}
	}
	return nil
}

// EndKey implements store.Keys.
func (k Keyring) EndKey(ctx context.Context, hash []byte, at time.Time) error {
	end := ""
	if !at.IsZero() {
		end = server.Millis(at)
	}
	if _, err := k.writer.Run(ctx, keyEndScript, hex.EncodeToString(hash), end); err != nil {
		return fmt.Errorf("end key: %w", err)
	}
	return nil
}

// HasKeys implements store.Keys.
func (k Keyring) HasKeys(ctx context.Context) (bool, error) {
	some, err := k.server.Exists(ctx, "keys")
	if err != nil {
		return false, fmt.Errorf("look for keys: %w", err)
	}
	return some, nil
}
