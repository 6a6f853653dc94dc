package gateway

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"steno/gateway/tokens"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// credentials is the authenticator's view of the store.
type credentials interface {
	Key(ctx context.Context, hash []byte) (store.Key, error)
	Token(ctx context.Context, hash []byte) (store.Token, error)
	UseTicket(ctx context.Context, hash []byte) (store.Ticket, error)
}

// authenticator identifies the principals of requests, and decides what they may do. Its methods
// may be called from any goroutine.
type authenticator struct {
	headers []string // that may carry the API key
	keys    keyring  // of the configuration
	store   credentials
	limiter *keyLimiter
	proxies *web.Proxies

	addresses *web.Addresses // of this server
	token     []byte         // SHA-256 of what operators must send on their listener; nil: nothing
	operators []string       // accounts that may do what concerns all
}

// access is what an operation requires of its callers.
type access struct {
	scopes store.Scopes // all of which are needed; 0: any key or token will do
	// public is set for operations of the public interface, which answers 401 if a key is not
	// permitted; others answer 403.
	public bool
	// any admits tokens of some sessions although the path names no session.
	any bool
	// share is what the operation shows to tokens that may only read some sessions, see
	// [web.Principal.IsShare].
	share share
	// changes is set for operations that change or delete an existing job. Tokens may do so with
	// the sessions that they are for, and with others if they have the scope admin: a page that
	// opens sessions must not be able to delete all.
	changes bool
	// everyone means that the operation concerns all accounts: it is for those of operators.
	everyone bool
	// ticket admits a ticket in place of the key or token for which it was made.
	ticket bool
	// open admits callers without key or token.
	open bool
	// optional checks a key or token but does not require one: without a known one the principal is
	// zero.
	optional bool
	// operator is set for operations on the operators' listener, which clients do not reach: they
	// require the operators' token if there is one, unless they are open, and no key. They send no
	// headers for browsers, and do not limit the requests of an address.
	operator bool
	// credential returns the credential of a request where the clients of a dialect put it; if it
	// is nil or returns "", the common places are searched.
	credential func(*http.Request) string
	// refuse writes a problem in the form that the operation's clients expect; nil: the gateway's
	// own.
	refuse func(http.ResponseWriter, *http.Request, *messages.Problem)
	// socket is set for operations that are WebSockets too, whose handler checks the token on its
	// own.
	socket bool
}

// share is what an operation shows to tokens that may only read some sessions.
type share uint8

const (
	shareNothing share = iota // they are refused
	shareAny                  // shown, or the handler selects what is
	shareWords                // text
	shareAudio                // audio
)

// permit returns why a token that may only read some sessions is refused; nil if it is not.
func (s share) permit(p *web.Principal) error {
	switch {
	case s == shareNothing:
		return web.Problem(http.StatusForbidden, "the token shows what is said in its sessions, and nothing else")
	case s == shareWords && !p.Shows().Has(messages.KindFinal):
		return web.Problem(http.StatusForbidden, "the token was made without finals")
	case s == shareAudio && !p.Audio:
		return web.Problem(http.StatusForbidden, "the token was made without audio")
	}
	return nil
}

// authorize returns the principal of a request whose key or token permits the operation; the zero
// value if the operation requires none.
func (a *authenticator) authorize(r *http.Request, needs access) (web.Principal, error) {
	if needs.open || needs.socket && web.IsUpgrade(r) {
		return web.Principal{}, nil
	}
	if needs.operator {
		return web.Principal{}, a.checkOperator(r)
	}
	p, err := a.identify(r, needs)
	if needs.optional && isUnauthorized(err) {
		return web.Principal{}, nil
	}
	if err != nil {
		return web.Principal{}, err
	}
	if err := permit(&p, needs, r.PathValue("id")); err != nil {
		return p, err
	}
	if needs.everyone && !a.isOperator(&p) {
		return p, web.Problem(http.StatusForbidden, "the account "+p.Account+" is none of an operator")
	}
	return p, nil
}

// isOperator reports whether a principal is of an account that may do what concerns all.
func (a *authenticator) isOperator(p *web.Principal) bool {
	return slices.Contains(a.operators, p.Account)
}

// seesAll reports whether a principal may see and change what other accounts have.
func (a *authenticator) seesAll(p web.Principal) bool {
	return p.Scopes.Has(store.ScopeAdmin) && a.isOperator(&p)
}

// checkOperator refuses requests without the operators' token, if there is one. The comparison
// takes equally long for all tokens, and guesses are slowed down like those of keys.
func (a *authenticator) checkOperator(r *http.Request) error {
	if a.token == nil {
		return nil
	}
	text := authorizationKey(r)
	if text == "" {
		return web.Problem(http.StatusUnauthorized, "the operators' token is missing")
	}
	hash := sha256.Sum256([]byte(text[:min(len(text), maxKey+1)]))
	if subtle.ConstantTimeCompare(hash[:], a.token) == 1 {
		return nil
	}
	return a.limiter.reject(r.Context(), web.NetworkOf(a.proxies.Client(r)), "that is not the operators' token")
}

// identify returns the principal of the request's credential.
func (a *authenticator) identify(r *http.Request, needs access) (web.Principal, error) {
	c := a.credentialOf(r, needs)
	if c.text == "" {
		return web.Principal{}, web.Problem(http.StatusUnauthorized, "API key is missing")
	}
	return a.authenticate(r, c)
}

// creator returns the principal of a credential with which a client asks for a live session by a
// WebSocket, in the way of its dialect.
func (a *authenticator) creator(r *http.Request, credential string) (web.Principal, error) {
	if credential == "" {
		return web.Principal{}, web.Problem(http.StatusUnauthorized, "API key is missing")
	}
	p, err := a.authenticate(r, ofText(credential))
	if err == nil {
		err = permit(&p, access{scopes: store.ScopeLive}, "")
	}
	return p, err
}

func isUnauthorized(err error) bool {
	var p *messages.Problem
	return errors.As(err, &p) && p.Status == http.StatusUnauthorized
}

// permit returns why a principal may not carry out an operation on the job with the id, empty for
// none; nil if it may.
func permit(p *web.Principal, needs access, id string) error {
	if missing := needs.scopes &^ p.Scopes; missing != 0 {
		status := http.StatusForbidden
		if needs.public {
			status = http.StatusUnauthorized
		}
		return web.Problem(status, fmt.Sprintf("the %s lacks the scope %s", carried(p), missing))
	}
	if p.Sessions != nil && !needs.any && !p.MayUse(id) {
		return web.Problem(http.StatusForbidden, "the token is for other sessions")
	}
	if p.IsShare() {
		return needs.share.permit(p)
	}
	if needs.changes && p.IsToken() && !p.SignedIn && p.Sessions == nil && !p.Scopes.Has(store.ScopeAdmin) {
		return web.Problem(http.StatusForbidden,
			"the token changes no jobs: it is for no sessions by name and lacks the scope admin")
	}
	return nil
}

// carried names the kind of a principal's credential.
func carried(p *web.Principal) string {
	if p.IsToken() {
		return "token"
	}
	return "API key"
}

// authenticate returns the principal of a credential. Unknown credentials slow their address down,
// see [keyLimiter].
func (a *authenticator) authenticate(r *http.Request, c credential) (web.Principal, error) {
	hash := web.KeyHash(sha256.Sum256([]byte(c.text[:min(len(c.text), maxKey+1)])))
	p, err := a.principal(r.Context(), c, hash[:])
	switch {
	case errors.Is(err, store.ErrNotFound):
		return p, a.limiter.reject(r.Context(), web.NetworkOf(a.proxies.Client(r)), unknown(c))
	case err != nil:
		return p, fmt.Errorf("look up credential: %w", err)
	}
	if !p.Expires.IsZero() && !time.Now().Before(p.Expires) {
		return p, web.Problem(http.StatusUnauthorized, carried(&p)+" has expired")
	}
	return p, nil
}

// unknown returns the text for clients with an unknown credential.
func unknown(c credential) string {
	switch {
	case c.ticket:
		return "ticket is unknown, used or expired"
	case strings.HasPrefix(c.text, tokens.Prefix):
		return "token is unknown, revoked or expired"
	}
	return "API key is unknown"
}

// principal returns the principal of the credential with the hash. Errors: store.ErrNotFound, and
// those of the store.
func (a *authenticator) principal(ctx context.Context, c credential, hash []byte) (web.Principal, error) {
	switch {
	case c.ticket:
		return a.ofTicket(ctx, hash)
	case strings.HasPrefix(c.text, tokens.Prefix):
		if p, err := a.ofToken(ctx, hash); !errors.Is(err, store.ErrNotFound) {
			return p, err
		}
	}
	return a.ofKey(ctx, hash) // configured keys may look like tokens
}

func (a *authenticator) ofTicket(ctx context.Context, hash []byte) (web.Principal, error) {
	ticket, err := a.store.UseTicket(ctx, hash)
	if err != nil {
		return web.Principal{}, err
	}
	p, err := a.ofToken(ctx, ticket.Credential)
	if errors.Is(err, store.ErrNotFound) {
		p, err = a.ofKey(ctx, ticket.Credential)
	}
	p.Ticket = true
	return p, err
}

// ofToken returns the principal of a token, which never permits more than its key does and expires
// with it.
func (a *authenticator) ofToken(ctx context.Context, hash []byte) (web.Principal, error) {
	token, err := a.store.Token(ctx, hash)
	if err != nil {
		return web.Principal{}, err
	}
	p, err := a.ofKey(ctx, token.Key)
	if err != nil {
		return p, err
	}
	p.Token, p.TokenID = web.KeyHash(token.Hash), token.ID
	p.Kinds, p.Sessions = token.Kinds, token.Sessions
	p.Scopes &= token.Scopes
	p.SignedIn, p.Audio = token.Scopes.Has(store.ScopeSignIn), token.Scopes.Has(store.ScopeAudio)
	if p.Expires.IsZero() || token.ExpiresAt.Before(p.Expires) {
		p.Expires = token.ExpiresAt
	}
	return p, nil
}

func (a *authenticator) ofKey(ctx context.Context, hash []byte) (web.Principal, error) {
	key, ok := a.keys.find(hash)
	if !ok {
		var err error
		if key, err = a.store.Key(ctx, hash); err != nil {
			return web.Principal{}, err
		}
	}
	return web.Principal{Account: key.Account, Key: web.KeyHash(hash), Scopes: key.Scopes, Expires: key.ExpiresAt}, nil
}
