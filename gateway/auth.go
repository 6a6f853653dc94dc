package gateway

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"

	"steno/gateway/web"
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

// keyring holds the hashes of the configured keys.
type keyring []web.Principal

func newKeyring(keys []Key) keyring {
	var k keyring
	for _, key := range keys {
		if key.Account == "" {
			key.Account = DefaultAccount
		}
		if key.Text != "" {
			k = append(k, web.Principal{Account: key.Account, Key: sha256.Sum256([]byte(key.Text))})
		}
	}
	return k
}

// has reports whether the keyring has a key.
func (k keyring) has(hash web.KeyHash) bool {
	_, ok := k.find(hash)
	return ok
}

// find looks at every key, so that the time taken tells nothing.
func (k keyring) find(hash web.KeyHash) (account string, ok bool) {
	for i := range k {
		if subtle.ConstantTimeCompare(k[i].Key[:], hash[:]) == 1 && !ok {
			account, ok = k[i].Account, true
		}
	}
	return account, ok
}

// withKey lets requests pass that carry a known API key.
func (s *Server) withKey(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		key := s.givenKey(r)
		if key == "" {
			return web.Problem(http.StatusUnauthorized, "API key is missing")
		}
		p, err := s.authenticate(r, key)
		if err != nil {
			return err
		}
		return next(w, web.WithPrincipal(r, p))
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
func (s *Server) authenticate(r *http.Request, key string) (web.Principal, error) {
	p := web.Principal{Key: sha256.Sum256([]byte(key[:min(len(key), maxKey+1)]))}
	given := provenKey{web.NetworkOf(s.proxies.Client(r)), p.Key}
	if err := s.guesses.wait(r.Context(), given); err != nil {
		return p, err
	}
	var err error
	switch p.Account, err = s.accountOf(r.Context(), p.Key); {
	case errors.Is(err, store.ErrNotFound):
		return p, s.guesses.wrong(given)
	case err != nil:
		return p, web.Internal(err)
	}
	s.guesses.right(given)
	return p, nil
}

// accountOf finds the account of a key. Errors: store.ErrNotFound, and those of the store.
func (s *Server) accountOf(ctx context.Context, hash web.KeyHash) (string, error) {
	if name, ok := s.keys.find(hash); ok {
		return name, nil
	}
	return s.deps.Store.KeyAccount(ctx, hash[:])
}
