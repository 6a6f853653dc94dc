// Package tokens serves the short-lived credentials that API keys make for clients which must not
// have the key, such as browsers: tokens, which go into a header or a cookie, and tickets, which
// stand for a key or token in a URL, once, because browsers cannot send a header with a WebSocket
// or an EventSource.
//
// What a token or ticket allows is decided by package gateway when it is used. Here are no
// goroutines and no locks.
package tokens

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"steno/gateway/limits"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

const (
	// Prefix is what tokens begin with, so that people, and tools that look for secrets, can
	// distinguish them from API keys.
	Prefix = "tok_"
	// Cookie is the name of the cookie that may carry a token.
	Cookie = "steno_token"
	// ticketLife is how long a ticket may be used.
	ticketLife = time.Minute
)

// Store is what the service asks the store for.
type Store interface {
	store.Tokens
	Get(ctx context.Context, account, id string) (store.Record, error)
}

// Service serves tokens and tickets. Its methods may be called from any goroutine.
type Service struct {
	Store     Store
	Addresses *web.Addresses
	Limits    limits.Limits
}

// TokenCreated answers POST /v2/tokens and POST /v2/live/{id}/subscribers.
type TokenCreated struct {
	ID        string             `json:"id"`
	Token     string             `json:"token"` // returned only here
	ExpiresAt messages.Timestamp `json:"expires_at"`
	URL       string             `json:"url"` // of the events that the token shows
}

// Token is a token in a list, without its text.
type Token struct {
	ID        string                `json:"id"`
	Name      string                `json:"name"`
	Scopes    messages.List[string] `json:"scopes"`
	Sessions  messages.List[string] `json:"sessions"` // empty: all of the account
	CreatedAt messages.Timestamp    `json:"created_at"`
	ExpiresAt messages.Timestamp    `json:"expires_at"`
}

// TokenList answers GET /v2/tokens.
type TokenList struct {
	Items messages.List[Token] `json:"items"`
}

// Ticket answers POST /v2/tickets.
type Ticket struct {
	Ticket    string             `json:"ticket"`
	ExpiresAt messages.Timestamp `json:"expires_at"`
}

// Create answers POST /v2/tokens: it makes a token of the scopes and for the sessions asked for.
func (s *Service) Create(w http.ResponseWriter, r *http.Request) error {
	body, err := web.ReadBody(w, r, s.Limits.Body)
	if err != nil {
		return err
	}
	request, fault := messages.ParseToken(body)
	if fault != nil {
		return fault
	}
	scopes, err := store.ParseScopes(request.Scopes)
	if err != nil {
		return web.Problem(http.StatusBadRequest, err.Error())
	}
	token := store.Token{Scopes: scopes, Sessions: request.Sessions}
	if len(token.Sessions) == 0 {
		token.Sessions = nil
	}
	return s.create(w, r, token, &request.TokenTerms, "/v2/events")
}

// CreateSubscriber answers POST /v2/live/{id}/subscribers: it makes a token for reading one
// session.
func (s *Service) CreateSubscriber(w http.ResponseWriter, r *http.Request) error {
	body, err := web.ReadBody(w, r, s.Limits.Body)
	if err != nil {
		return err
	}
	request, fault := messages.ParseSubscriber(body)
	if fault != nil {
		return fault
	}
	id := r.PathValue("id")
	token := store.Token{Scopes: store.ScopeRead, Sessions: []string{id}}
	return s.create(w, r, token, &request.TokenTerms, "/v2/live/"+id+"/events")
}

// create completes and keeps a token of the request's key, and answers with it.
func (s *Service) create(w http.ResponseWriter, r *http.Request, t store.Token, terms *messages.TokenTerms,
	path string) error {
	p := web.PrincipalOf(r)
	if err := s.check(r, &p, &t); err != nil {
		return err
	}
	t.Name, t.Kinds = terms.Name, terms.Kinds()
	if terms.Audio {
		t.Scopes |= store.ScopeAudio
	}
	text, err := s.keep(r, &p, &t, time.Duration(terms.Lifetime)*time.Second)
	if err != nil {
		return err
	}
	// a session was deleted meanwhile, which takes the tokens with it that it knows
	if err := s.find(r, &p, &t); err != nil {
		return errors.Join(err, s.Store.RemoveToken(context.WithoutCancel(r.Context()), p.Account, t.ID))
	}
	base := s.Addresses.Base(r)
	if terms.Cookie {
		setCookie(w, base, text, t.ExpiresAt)
	}
	w.Header().Set("Cache-Control", "no-store")
	web.WriteJSON(w, http.StatusCreated, TokenCreated{ID: t.ID, Token: text, ExpiresAt: messages.Stamp(t.ExpiresAt),
		URL: base + path})
	return nil
}

// Grant makes a token of the request's key for live sessions and recorded files, as far as the key
// allows them, and returns its text and its end.
func (s *Service) Grant(r *http.Request, name string, life time.Duration) (text string, expires time.Time, err error) {
	p := web.PrincipalOf(r)
	if err := keyOnly(&p); err != nil {
		return "", time.Time{}, err
	}
	t := store.Token{Name: name, Scopes: p.Scopes & (store.ScopeLive | store.ScopeJobs | store.ScopeRead)}
	if t.Scopes == 0 {
		return "", time.Time{}, web.Problem(http.StatusForbidden,
			"the API key has none of the scopes live, jobs and read, which such a token is for")
	}
	text, err = s.keep(r, &p, &t, life)
	return text, t.ExpiresAt, err
}

// keep completes and stores a token of the request's key, which ends with the key at the latest,
// and returns its text.
func (s *Service) keep(r *http.Request, p *web.Principal, t *store.Token, life time.Duration) (text string, err error) {
	text = Prefix + rand.Text()
	hash := sha256.Sum256([]byte(text))
	t.ID, t.Hash, t.Account, t.Key = uuid.NewString(), hash[:], p.Account, p.Key[:]
	web.TrailOf(r).Concern(t.ID)
	t.CreatedAt = time.Now().UTC().Truncate(time.Millisecond)
	t.ExpiresAt = t.CreatedAt.Add(life)
	if !p.Expires.IsZero() && p.Expires.Before(t.ExpiresAt) {
		t.ExpiresAt = p.Expires
	}
	err = s.Store.AddToken(r.Context(), *t)
	if errors.Is(err, store.ErrTooLarge) {
		return "", web.Refuse(http.StatusTooManyRequests,
			fmt.Sprintf("this API key has %d tokens, no more are allowed", store.MaxTokens),
			s.Limits.RetryAfter)
	}
	if err != nil {
		return "", fmt.Errorf("keep token: %w", err)
	}
	return text, nil
}

// check refuses tokens that would allow more than their key, and those for sessions that the
// account does not have.
func (s *Service) check(r *http.Request, p *web.Principal, t *store.Token) error {
	if err := keyOnly(p); err != nil {
		return err
	}
	if missing := t.Scopes &^ p.Scopes; missing != 0 {
		return web.Problem(http.StatusForbidden, fmt.Sprintf("the API key lacks the scope %s", missing))
	}
	return s.find(r, p, t)
}

// find looks for the sessions of a token. Errors: store.ErrNotFound, and others of the store.
func (s *Service) find(r *http.Request, p *web.Principal, t *store.Token) error {
	for _, id := range t.Sessions {
		record, err := s.Store.Get(r.Context(), p.Account, id)
		if err == nil && record.Kind != messages.JobLive {
			err = store.ErrNotFound
		}
		if err != nil {
			return fmt.Errorf("find session of token: %w", err)
		}
	}
	return nil
}

// keyOnly refuses principals that have a token instead of a key, unless they signed in: a token
// makes, shows and revokes neither tokens nor keys.
func keyOnly(p *web.Principal) error {
	if p.IsToken() && !p.SignedIn {
		return web.Problem(http.StatusForbidden,
			"tokens and keys are made, listed and revoked with an API key, not with a token")
	}
	return nil
}

// setCookie has a browser send the token with the requests of this server's pages, and of no
// others. Browsers use its lifetime, which does not depend on their clocks; old ones use its end.
func setCookie(w http.ResponseWriter, base, text string, expires time.Time) {
	seconds := int(math.Ceil(time.Until(expires).Seconds()))
	if seconds <= 0 {
		seconds = -1 // immediately
	}
	http.SetCookie(w, &http.Cookie{
		Name: Cookie, Value: text, Path: "/", Expires: expires, MaxAge: seconds, HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
		Secure:   strings.HasPrefix(base, "https:"),
	})
}

// List answers GET /v2/tokens: those of the key, or of the whole account for a key with the scope
// admin.
func (s *Service) List(w http.ResponseWriter, r *http.Request) error {
	p := web.PrincipalOf(r)
	all, err := s.tokensOf(r.Context(), &p)
	if err != nil {
		return err
	}
	list := TokenList{Items: messages.List[Token]{}}
	for _, t := range all {
		list.Items = append(list.Items, Token{
			ID: t.ID, Name: t.Name, Scopes: t.Scopes.Names(), Sessions: t.Sessions,
			CreatedAt: messages.Stamp(t.CreatedAt), ExpiresAt: messages.Stamp(t.ExpiresAt),
		})
	}
	web.WriteJSON(w, http.StatusOK, list)
	return nil
}

// tokensOf returns the tokens that a principal may see and revoke.
func (s *Service) tokensOf(ctx context.Context, p *web.Principal) ([]store.Token, error) {
	if err := keyOnly(p); err != nil {
		return nil, err
	}
	all, err := s.Store.ListTokens(ctx, p.Account)
	if err != nil {
		return nil, fmt.Errorf("list tokens: %w", err)
	}
	if p.Scopes.Has(store.ScopeAdmin) {
		return all, nil
	}
	var own []store.Token
	for _, t := range all {
		if web.KeyHash(t.Key) == p.Key {
			own = append(own, t)
		}
	}
	return own, nil
}

// Delete answers DELETE /v2/tokens/{id}: it revokes a token immediately. Streams that are open end
// within two seconds.
func (s *Service) Delete(w http.ResponseWriter, r *http.Request) error {
	p := web.PrincipalOf(r)
	all, err := s.tokensOf(r.Context(), &p)
	if err != nil {
		return err
	}
	for _, t := range all {
		if t.ID != r.PathValue("id") {
			continue
		}
		err := s.Store.RemoveToken(r.Context(), p.Account, t.ID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("remove token: %w", err)
		}
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return web.Problem(http.StatusNotFound, "token does not exist, was revoked or has expired")
}

// CreateTicket answers POST /v2/tickets: it makes a ticket that stands for the key or token of the
// request.
func (s *Service) CreateTicket(w http.ResponseWriter, r *http.Request) error {
	p := web.PrincipalOf(r)
	credential := p.Credential()
	text := rand.Text()
	hash := sha256.Sum256([]byte(text))
	ticket := store.Ticket{Hash: hash[:], Credential: credential[:],
		ExpiresAt: time.Now().UTC().Add(ticketLife).Truncate(time.Millisecond)}
	if err := s.Store.AddTicket(r.Context(), ticket); errors.Is(err, store.ErrTooLarge) {
		return web.Refuse(http.StatusTooManyRequests,
			fmt.Sprintf("%d tickets are waiting to be used, no more are allowed", store.MaxTickets),
			s.Limits.RetryAfter)
	} else if err != nil {
		return fmt.Errorf("keep ticket: %w", err)
	}
	w.Header().Set("Cache-Control", "no-store")
	web.WriteJSON(w, http.StatusCreated, Ticket{Ticket: text, ExpiresAt: messages.Stamp(ticket.ExpiresAt)})
	return nil
}
