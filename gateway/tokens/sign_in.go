package tokens

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// signInLife is how long a sign-in lasts, unless its key ends before.
const signInLife = 12 * time.Hour

// signInName is the name of the tokens of sign-ins, in lists.
const signInName = "console"

// User answers what is asked of a sign-in: who the caller is.
type User struct {
	Account   string                `json:"account"`
	Scopes    messages.List[string] `json:"scopes"`
	ExpiresAt *messages.Timestamp   `json:"expires_at"` // null: never
}

func userOf(p *web.Principal) User {
	u := User{Account: p.Account, Scopes: p.Scopes.Names()}
	if !p.Expires.IsZero() {
		at := messages.Stamp(p.Expires)
		u.ExpiresAt = &at
	}
	return u
}

// User answers who the caller is: null for nobody, and for a token that may only read some
// sessions.
func (s *Service) User(w http.ResponseWriter, r *http.Request) error {
	p := web.PrincipalOf(r)
	w.Header().Set("Cache-Control", "no-store")
	if p.Account == "" || p.IsShare() {
		web.WriteJSON(w, http.StatusOK, nil)
		return nil
	}
	web.WriteJSON(w, http.StatusOK, userOf(&p))
	return nil
}

// SignIn makes a token that allows all that the request's key does, and sets it as a cookie, whose
// text no script can read.
func (s *Service) SignIn(w http.ResponseWriter, r *http.Request) error {
	p := web.PrincipalOf(r)
	if p.IsToken() {
		return web.Problem(http.StatusForbidden, "signing in takes an API key, not a token")
	}
	t := store.Token{Name: signInName, Scopes: p.Scopes | store.ScopeSignIn}
	text, err := s.keep(r, &p, &t, signInLife)
	if err != nil {
		return err
	}
	setCookie(w, s.Addresses.Base(r), text, t.ExpiresAt)
	p.Expires = t.ExpiresAt
	w.Header().Set("Cache-Control", "no-store")
	web.WriteJSON(w, http.StatusCreated, userOf(&p))
	return nil
}

// SignOut revokes the token of the sign-in that the request carries, and takes the cookie away.
func (s *Service) SignOut(w http.ResponseWriter, r *http.Request) error {
	p := web.PrincipalOf(r)
	if !p.SignedIn {
		return web.Problem(http.StatusForbidden, "only what has signed in can sign out")
	}
	all, err := s.Store.ListTokens(r.Context(), p.Account)
	if err != nil {
		return fmt.Errorf("list tokens: %w", err)
	}
	for _, t := range all {
		if web.KeyHash(t.Hash) != p.Token {
			continue
		}
		if err := s.Store.RemoveToken(r.Context(), p.Account, t.ID); err != nil && !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("remove token: %w", err)
		}
	}
	setCookie(w, s.Addresses.Base(r), "", time.Unix(1, 0))
	w.WriteHeader(http.StatusNoContent)
	return nil
}
