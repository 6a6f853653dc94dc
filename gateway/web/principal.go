package web

import (
	"context"
	"crypto/sha256"
	"net/http"
	"slices"
	"time"

	"steno/messages"
	"steno/session/store"
)

// KeyHash is the SHA-256 of an API key or a token.
type KeyHash [sha256.Size]byte

// Principal is who makes a request: an account, which of its API keys the request carries or has
// made its token, and what that allows.
type Principal struct {
	Account string
	Key     KeyHash      // of the API key
	Token   KeyHash      // of the token that was made with the key; zero where the request carries the key itself
	TokenID string       // names the token to its owner
	Ticket  bool         // the request carries a ticket in place of key or token
	Session bool         // the request carries what opens one session's socket; key and account are the session's
	Scopes  store.Scopes // what is allowed
	// SignedIn is true if the token is that of a sign-in, which may do what the key itself may.
	SignedIn bool
	// Audio is true if a token that only shows sessions lets its bearer read their audio too.
	Audio bool
	Kinds messages.Filter // of events that a token shows; 0: all
	// Sessions are the ids of those that the token is for; nil: all of the account.
	Sessions []string
	// Expires is when key or token end; zero: never.
	Expires time.Time
}

// IsToken reports whether the request carries a token instead of a key.
func (p *Principal) IsToken() bool { return p.Token != KeyHash{} }

// IsShare reports whether the request carries a token that may only read the sessions that it is
// for by name, such as that of a link for an audience. It shows what was said and what happened,
// and nothing of who asked for it or how.
func (p *Principal) IsShare() bool {
	return p.IsToken() && !p.SignedIn && p.Sessions != nil && p.Scopes&^store.ScopeRead == 0
}

// Credential returns the hash of what the request carries: a token or an API key.
func (p *Principal) Credential() KeyHash {
	if p.IsToken() {
		return p.Token
	}
	return p.Key
}

// Shows returns the kinds of events that the principal may be shown.
func (p *Principal) Shows() messages.Filter {
	if p.Kinds == 0 {
		return messages.FilterOf(messages.Kinds()...)
	}
	return p.Kinds
}

// MayUse reports whether a session is one of those that the principal is for.
func (p *Principal) MayUse(session string) bool {
	return p.Sessions == nil || slices.Contains(p.Sessions, session)
}

type principalKey struct{}

// WithPrincipal returns the request with its principal.
func WithPrincipal(r *http.Request, p Principal) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), principalKey{}, p))
}

// PrincipalOf returns the principal of a request, the zero value where the operation needs no key.
func PrincipalOf(r *http.Request) Principal { return PrincipalIn(r.Context()) }

// PrincipalIn returns the principal of the request of a context, the zero value where there is
// none.
func PrincipalIn(ctx context.Context) Principal {
	p, _ := ctx.Value(principalKey{}).(Principal)
	return p
}

// Account returns the account whose API key the request carries.
func Account(r *http.Request) string { return PrincipalOf(r).Account }
