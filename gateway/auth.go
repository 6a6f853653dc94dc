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

// maxKey is the length in bytes above which a key cannot be valid.
const maxKey = 512

// Key is an API key and the account whose records it opens.
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

// find returns the account of a key. It compares every key, so that its duration tells nothing about them.
func (k keyring) find(hash web.KeyHash) (account string, ok bool) {
	for i := range k {
		if subtle.ConstantTimeCompare(k[i].Key[:], hash[:]) == 1 && !ok {
			account, ok = k[i].Account, true
		}
	}
	return account, ok
}

// authenticator finds out who makes a request. Its methods may be called from any goroutine.
type authenticator struct {
	headers []string // that may carry the API key
	keys    keyring  // of the configuration
	store   store.Keys
	limiter *keyLimiter
	proxies *web.Proxies
}

// require returns a handler that passes on requests with a known API key.
func (a *authenticator) require(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		key := a.keyOf(r)
		if key == "" {
			return web.Problem(http.StatusUnauthorized, "API key is missing")
		}
		p, err := a.authenticate(r, key)
		if err != nil {
			return err
		}
		return next(w, web.WithPrincipal(r, p))
	}
}

// keyOf returns the API key of a request: that of a configured header, else that of Authorization, empty if it has none.
func (a *authenticator) keyOf(r *http.Request) string {
	for _, name := range a.headers {
		if key := r.Header.Get(name); key != "" {
			return key
		}
	}
	return authorizationKey(r)
}

// authorizationKey returns the credential of the Authorization header under the schemes Bearer and Token, and the password under
// Basic, which clients send that can be given an address (http://any:KEY@host) but no header.
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

// authenticate returns the principal of a key. Unknown keys slow their address down, see [keyLimiter].
func (a *authenticator) authenticate(r *http.Request, key string) (web.Principal, error) {
	p := web.Principal{Key: sha256.Sum256([]byte(key[:min(len(key), maxKey+1)]))}
	from := originKey{web.NetworkOf(a.proxies.Client(r)), p.Key}
	if err := a.limiter.wait(r.Context(), from); err != nil {
		return p, err
	}
	var err error
	switch p.Account, err = a.account(r.Context(), p.Key); {
	case errors.Is(err, store.ErrNotFound):
		return p, a.limiter.reject(from)
	case err != nil:
		return p, web.Internal(err)
	}
	a.limiter.accept(from)
	return p, nil
}

// account returns the account of a key. Errors: store.ErrNotFound, and those of the store.
func (a *authenticator) account(ctx context.Context, hash web.KeyHash) (string, error) {
	if name, ok := a.keys.find(hash); ok {
		return name, nil
	}
	k, err := a.store.Key(ctx, hash[:])
	return k.Account, err
}
