package gateway

import (
	"crypto/sha256"
	"crypto/subtle"
	"time"

	"steno/gateway/web"
	"steno/session/store"
)

// DefaultAccount owns the keys that name no account.
const DefaultAccount = "default"

// Key is an API key of the configuration.
type Key struct {
	Account string       // whose records it opens; empty: DefaultAccount
	Text    string       // the key; empty where Hash stands for it
	Hash    web.KeyHash  // SHA-256 of the key where Text is empty
	Scopes  store.Scopes // what it allows; 0: everything
	Expires time.Time    // when it ends; zero: never
}

// keyring holds the configured keys by their hashes.
type keyring []store.Key

func newKeyring(keys []Key) keyring {
	var ring keyring
	for _, key := range keys {
		if key.Text == "" && key.Hash == (web.KeyHash{}) {
			continue
		}
		if key.Text != "" {
			key.Hash = sha256.Sum256([]byte(key.Text))
		}
		if key.Account == "" {
			key.Account = DefaultAccount
		}
		if key.Scopes == 0 {
			key.Scopes = store.AllScopes
		}
		ring = append(ring, store.Key{Hash: key.Hash[:], Account: key.Account, Scopes: key.Scopes,
			ExpiresAt: key.Expires})
	}
	return ring
}

// has reports whether the keyring has a key that has not expired.
func (k keyring) has(hash web.KeyHash) bool {
	found, ok := k.find(hash[:])
	return ok && !found.Expired(time.Now())
}

// find returns a key. It compares every key, so that its duration tells nothing about them.
func (k keyring) find(hash []byte) (found store.Key, ok bool) {
	for i := range k {
		if subtle.ConstantTimeCompare(k[i].Hash, hash) == 1 && !ok {
			found, ok = k[i], true
		}
	}
	return found, ok
}
