package gateway

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"

	"steno/session/store"
)

// defaultAccount owns the keys of the configuration.
const defaultAccount = "default"

// maxKey bounds an API key, in bytes: a longer one is none of ours.
const maxKey = 512

// keyring holds the hashes of the configured keys.
type keyring [][sha256.Size]byte

func newKeyring(keys []string) keyring {
	var k keyring
	for _, key := range keys {
		if key != "" {
			k = append(k, sha256.Sum256([]byte(key)))
		}
	}
	return k
}

// has looks at every key, so that the time taken tells nothing.
func (k keyring) has(hash [sha256.Size]byte) bool {
	found := 0
	for i := range k {
		found |= subtle.ConstantTimeCompare(k[i][:], hash[:])
	}
	return found == 1
}

type accountKey struct{}

// account is whose key the request carried.
func account(r *http.Request) string {
	name, _ := r.Context().Value(accountKey{}).(string)
	return name
}

// withKey lets requests pass that carry a known API key.
func (s *Server) withKey(next handlerFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		key := s.givenKey(r)
		if key == "" {
			return problem(http.StatusUnauthorized, "API key is missing")
		}
		name, err := s.accountOf(r.Context(), key)
		if err != nil {
			return err
		}
		return next(w, r.WithContext(context.WithValue(r.Context(), accountKey{}, name)))
	}
}

func (s *Server) givenKey(r *http.Request) string {
	for _, name := range s.cfg.KeyHeaders {
		if key := r.Header.Get(name); key != "" {
			return key
		}
	}
	return ""
}

func (s *Server) accountOf(ctx context.Context, key string) (string, error) {
	unknown := problem(http.StatusUnauthorized, "API key is unknown")
	if len(key) > maxKey {
		return "", unknown
	}
	hash := sha256.Sum256([]byte(key))
	if s.keys.has(hash) {
		return defaultAccount, nil
	}
	name, err := s.deps.Store.KeyAccount(ctx, hash[:])
	if errors.Is(err, store.ErrNotFound) {
		return "", unknown
	}
	if err != nil {
		return "", internal(err)
	}
	return name, nil
}
