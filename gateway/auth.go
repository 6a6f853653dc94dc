package gateway

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"steno/gateway/tokens"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// credentials is what the authenticator asks the store for.
type credentials interface {
	Key(ctx context.Context, hash []byte) (store.Key, error)
	Token(ctx context.Context, hash []byte) (store.Token, error)
	UseTicket(ctx context.Context, hash []byte) (store.Ticket, error)
}

// authenticator finds out who makes a request, and what they may do. Its methods may be called from
// any goroutine.
type authenticator struct {
	headers []string // that may carry the API key
	keys    keyring  // of the configuration
	store   credentials
	limiter *keyLimiter
	proxies *web.Proxies

	addresses *web.Addresses // of this server
}

// access is what an operation asks of its callers.
type access struct {
	scopes store.Scopes // all of which are needed; 0: any key or token will do
	// public says that the public interface has the operation, and answers 401 where a key is not
	// permitted; others answer 403.
	public bool
	// any says that the operation is for tokens of some sessions as well, though its path names
	// none.
	any bool
	// share is what the operation shows to tokens that may only read some sessions, see
	// [web.Principal.IsShare].
	share share
	// changes says that the operation changes or deletes a job that is there. Tokens may do so with
	// the sessions that they are for, and with others if they have the scope admin: a page that
	// opens sessions must not be able to delete all.
	changes bool
	// ticket says that a ticket is as good as what it stands for.
	ticket bool
	// open says that no key or token is needed.
	open bool
	// optional says that a key or token is examined but not needed: where there is none that is
	// known, the principal is zero.
	optional bool
	// operator says that the operation is on the listener for operators, which clients do not
	// reach: they need no key or token, and neither browsers nor the number of requests from one
	// address are provided for.
	operator bool
	// credential returns what a request carries where clients of a dialect put it; nil, or empty:
	// it is looked for where all others put it.
	credential func(*http.Request) string
	// refuse writes a problem in the form that the operation's clients read; nil: the gateway's
	// own.
	refuse func(http.ResponseWriter, *http.Request, *messages.Problem)
	// socket says that the operation is a WebSocket as well, whose handler itself examines the
	// token that it brings.
	socket bool
}

// share is what an operation shows to tokens that may only read some sessions.
type share uint8

const (
	shareNothing share = iota // they are refused
	shareAny                  // what everybody is shown, or what the handler makes of it for them
	shareWords                // what was said
	shareAudio                // what was heard
)

// permit returns why a token that may only read some sessions is not shown something; nil if it is.
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

// authorize returns the principal of a request whose key or token allows the operation; the zero
// value where it needs none.
func (a *authenticator) authorize(r *http.Request, needs access) (web.Principal, error) {
	if needs.open || needs.operator || needs.socket && web.IsUpgrade(r) {
		return web.Principal{}, nil
	}
	p, err := a.identify(r, needs)
	if needs.optional && isUnauthorized(err) {
		return web.Principal{}, nil
	}
	if err != nil {
		return web.Principal{}, err
	}
	return p, permit(&p, needs, r.PathValue("id"))
}

// identify returns the principal of what a request carries.
func (a *authenticator) identify(r *http.Request, needs access) (web.Principal, error) {
	c := a.credentialOf(r, needs)
	if c.text == "" {
		return web.Principal{}, web.Problem(http.StatusUnauthorized, "API key is missing")
	}
	return a.authenticate(r, c)
}

// creator returns the principal of a key or token that a client brings with it which wants to make
// a live session by a WebSocket, in the way of its dialect.
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

// permit returns why a principal may not carry out an operation on the job of that id, empty for
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

// carried names what a principal's request carries.
func carried(p *web.Principal) string {
	if p.IsToken() {
		return "token"
	}
	return "API key"
}

// authenticate returns the principal of a credential. Unknown ones slow their address down, see
// [keyLimiter].
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

// unknown is the text for clients whose credential is not known.
func unknown(c credential) string {
	switch {
	case c.ticket:
		return "ticket is unknown, used or expired"
	case strings.HasPrefix(c.text, tokens.Prefix):
		return "token is unknown, revoked or expired"
	}
	return "API key is unknown"
}

// principal returns the principal of a credential with that hash. Errors: store.ErrNotFound, and
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
	if p, err := a.ofToken(ctx, ticket.Credential); !errors.Is(err, store.ErrNotFound) {
		return p, err
	}
	return a.ofKey(ctx, ticket.Credential)
}

// ofToken returns the principal of a token, which never allows more than its key does and ends with
// it.
func (a *authenticator) ofToken(ctx context.Context, hash []byte) (web.Principal, error) {
	token, err := a.store.Token(ctx, hash)
	if err != nil {
		return web.Principal{}, err
	}
	p, err := a.ofKey(ctx, token.Key)
	if err != nil {
		return p, err
	}
	p.Token, p.Kinds, p.Sessions = web.KeyHash(token.Hash), token.Kinds, token.Sessions
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
