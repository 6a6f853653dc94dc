package gateway

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
	"time"

	"steno/gateway/tokens"
	"steno/gateway/web"
	"steno/session/store"
)

// maxKey is the length in bytes above which a key cannot be valid.
const maxKey = 512

// credential is a key, token or ticket of a request.
type credential struct {
	text   string // a key or a token, or a ticket
	ticket bool
}

// credentialOf returns the credential of a request: a key or token in the place of the operation's
// dialect, else in a configured header, else in Authorization, else in the cookie of a page of this
// server, else, if the operation admits one, a ticket in the URL. Keys and tokens in URLs are
// ignored, as URLs are logged and kept in histories.
func (a *authenticator) credentialOf(r *http.Request, needs access) credential {
	if needs.credential != nil {
		if key := needs.credential(r); key != "" {
			return credential{text: key}
		}
	}
	for _, name := range a.headers {
		if key := r.Header.Get(name); key != "" {
			return credential{text: key}
		}
	}
	if key := authorizationKey(r); key != "" {
		return credential{text: key}
	}
	if cookie, err := r.Cookie(tokens.Cookie); err == nil && cookie.Value != "" && a.isSameOrigin(r) {
		return credential{text: cookie.Value}
	}
	if needs.ticket {
		return credential{text: r.URL.Query().Get("ticket"), ticket: true}
	}
	return credential{}
}

// authorizationKey returns the credential of the Authorization header under the schemes Bearer and
// Token, and the password under Basic, for clients that can be given an address
// (http://any:KEY@host) but no header.
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

// isSameOrigin reports whether a request comes from a page of this server, or from no page. Scripts
// cannot set the headers that show it. Browsers send Origin with every WebSocket and with every
// request that may change something, and most of them Sec-Fetch-Site with all requests.
func (a *authenticator) isSameOrigin(r *http.Request) bool {
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	switch {
	case site == "same-origin":
		return true
	case site != "" && site != "none":
		return false
	case origin == "":
		return r.Method == http.MethodGet || r.Method == http.MethodHead
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	own, err := url.Parse(a.addresses.Base(r))
	return strings.EqualFold(u.Host, r.Host) || err == nil && strings.EqualFold(u.Host, own.Host)
}

// ofText returns the credential for a text that a client has sent in another way.
func ofText(text string) credential { return credential{text: text} }

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

// accounts returns the names of the accounts of the keys.
func (k keyring) accounts() []string {
	var names []string
	for _, key := range k {
		names = append(names, key.Account)
	}
	return names
}

// has reports whether the keyring has a key that has not expired.
func (k keyring) has(hash web.KeyHash) bool {
	found, ok := k.find(hash[:])
	return ok && !found.Expired(time.Now())
}

// find returns a key. It compares every key, so that its duration reveals nothing about them.
func (k keyring) find(hash []byte) (found store.Key, ok bool) {
	for i := range k {
		if subtle.ConstantTimeCompare(k[i].Hash, hash) == 1 && !ok {
			found, ok = k[i], true
		}
	}
	return found, ok
}
