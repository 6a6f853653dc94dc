package gateway

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"

	"steno/session/store"
)

// DefaultAccount owns the keys that name no account.
const DefaultAccount = "default"

// maxKey bounds an API key, in bytes: a longer one is none of ours.
const maxKey = 512

// Key is an API key and whose records it opens.
type Key struct {
	Account string // empty: DefaultAccount
	Text    string
}

// keyHash is the SHA-256 of an API key.
type keyHash [sha256.Size]byte

// keyring holds the hashes of the configured keys.
type keyring []principal

// principal is who makes a request: an account, by one of its keys.
type principal struct {
	account string
	key     keyHash
}

func newKeyring(keys []Key) keyring {
	var k keyring
	for _, key := range keys {
		if key.Account == "" {
			key.Account = DefaultAccount
		}
		if key.Text != "" {
			k = append(k, principal{key.Account, sha256.Sum256([]byte(key.Text))})
		}
	}
	return k
}

// find looks at every key, so that the time taken tells nothing.
func (k keyring) find(hash keyHash) (account string, ok bool) {
	for i := range k {
		if subtle.ConstantTimeCompare(k[i].key[:], hash[:]) == 1 && !ok {
			account, ok = k[i].account, true
		}
	}
	return account, ok
}

type principalKey struct{}

// callerOf is whose key the request carried, and which.
func principalOf(r *http.Request) principal {
	p, _ := r.Context().Value(principalKey{}).(principal)
	return p
}

// account is whose key the request carried.
func account(r *http.Request) string { return principalOf(r).account }

// withKey lets requests pass that carry a known API key.
func (s *Server) withKey(next handlerFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		key := s.givenKey(r)
		if key == "" {
			return problem(http.StatusUnauthorized, "API key is missing")
		}
		p, err := s.authenticate(r, key)
		if err != nil {
			return err
		}
		return next(w, r.WithContext(context.WithValue(r.Context(), principalKey{}, p)))
	}
}

// givenKey is the API key of a request: that of a configured header, else that of Authorization. Empty: it has none.
func (s *Server) givenKey(r *http.Request) string {
	for _, name := range s.cfg.KeyHeaders {
		if key := r.Header.Get(name); key != "" {
			return key
		}
	}
	return authorizationKey(r)
}

// authorizationKey is the credential of the Authorization header under the schemes Bearer and Token, and the password under
// Basic: what clients send that can be given an address (http://any:KEY@host) but no header.
func authorizationKey(r *http.Request) string {
	if _, password, ok := r.BasicAuth(); ok {
		return password
	}
	scheme, credential, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") || strings.EqualFold(scheme, "Token") {
		return strings.TrimSpace(credential)
	}
	return ""
}

// authenticate finds the account of a key. Keys that are not known here slow their address down: see guesses.
func (s *Server) authenticate(r *http.Request, key string) (principal, error) {
	p := principal{key: sha256.Sum256([]byte(key[:min(len(key), maxKey+1)]))}
	given := provenKey{siteOf(s.clientAddr(r)), p.key}
	if err := s.guesses.wait(r.Context(), given); err != nil {
		return p, err
	}
	var err error
	switch p.account, err = s.accountOf(r.Context(), p.key); {
	case errors.Is(err, store.ErrNotFound):
		return p, s.guesses.wrong(given)
	case err != nil:
		return p, internal(err)
	}
	s.guesses.right(given)
	return p, nil
}

// accountOf finds the account of a key. Errors: store.ErrNotFound, and those of the store.
func (s *Server) accountOf(ctx context.Context, hash keyHash) (string, error) {
	if name, ok := s.keys.find(hash); ok {
		return name, nil
	}
	return s.deps.Store.KeyAccount(ctx, hash[:])
}
