package tokens

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// Key is an API key in a list.
type Key struct {
	ID        string                `json:"id" doc:"The beginning of its SHA-256, by which it is named"`
	Account   string                `json:"account" doc:"Whose records it opens"`
	Name      string                `json:"name" doc:"What it is for"`
	Scopes    messages.List[string] `json:"scopes" doc:"What it allows"`
	From      string                `json:"from" enum:"store,configuration" doc:"Where it is"`
	CreatedAt *messages.Timestamp   `json:"created_at" doc:"Not known of keys of the configuration"`
	ExpiresAt *messages.Timestamp   `json:"expires_at" doc:"When it ends; null: never"`
}

// KeyList answers GET /v2/admin/keys.
type KeyList struct {
	Items messages.List[Key] `json:"items" doc:"Oldest first, those of the configuration at the end"`
}

// NewKey asks for a key.
type NewKey struct {
	Account   string     `json:"account" required:"true" doc:"Whose records it opens"`
	Name      string     `json:"name" maxLength:"200" doc:"What it is for"`
	Scopes    []string   `json:"scopes" enum:"live,jobs,read,admin" doc:"What it allows; without any, all"`
	ExpiresAt *time.Time `json:"expires_at" doc:"When it ends; null: never"`
}

// MadeKey answers POST /v2/admin/keys.
type MadeKey struct {
	Key
	Text string `json:"key" doc:"The key itself, which is shown only now"`
}

// KeyEnd are the parameters of DELETE /v2/admin/keys/{key}.
type KeyEnd struct {
	At string `json:"at" format:"date-time" doc:"When the key ends; left out: now, with its sessions"`
}

// Keys serves API keys to operators. Its methods may be called from any goroutine.
type Keys struct {
	Store      store.Keys
	Configured []store.Key
	MaxBody    int64
}

// List answers GET /v2/admin/keys.
func (s *Keys) List(w http.ResponseWriter, r *http.Request) error {
	if err := keyOnly(principal(r)); err != nil {
		return err
	}
	all, err := s.Store.ListKeys(r.Context())
	if err != nil {
		return fmt.Errorf("list keys: %w", err)
	}
	list := KeyList{Items: messages.List[Key]{}}
	for i := range all {
		list.Items = append(list.Items, listedKey(&all[i], "store"))
	}
	for i := range s.Configured {
		list.Items = append(list.Items, listedKey(&s.Configured[i], "configuration"))
	}
	web.WriteJSON(w, http.StatusOK, list)
	return nil
}

func principal(r *http.Request) *web.Principal {
	p := web.PrincipalOf(r)
	return &p
}

// listedKey returns what a list has of a key.
func listedKey(k *store.Key, from string) Key {
	return Key{
		ID: store.ShortHash(k.Hash), Account: k.Account, Name: k.Name, Scopes: k.Scopes.Names(), From: from,
		CreatedAt: messages.OptionalStamp(k.CreatedAt), ExpiresAt: messages.OptionalStamp(k.ExpiresAt),
	}
}

// Create answers POST /v2/admin/keys: it makes a key, of which the store has the hash alone.
func (s *Keys) Create(w http.ResponseWriter, r *http.Request) error {
	if err := keyOnly(principal(r)); err != nil {
		return err
	}
	body, err := web.ReadBody(w, r, s.MaxBody)
	if err != nil {
		return err
	}
	k, err := parseKey(body, time.Now())
	if err != nil {
		return err
	}
	text := rand.Text()
	hash := sha256.Sum256([]byte(text))
	k.Hash = hash[:]
	if err := s.Store.AddKey(r.Context(), k); err != nil {
		return fmt.Errorf("add key: %w", err)
	}
	web.TrailOf(r).Concern(store.ShortHash(k.Hash))
	web.WriteJSON(w, http.StatusCreated, MadeKey{Key: listedKey(&k, "store"), Text: text})
	return nil
}

// parseKey reads what a key is to be. Errors: problems, 400.
func parseKey(body []byte, now time.Time) (k store.Key, err error) {
	var asked NewKey
	if web.DecodeObject(body, &asked) != nil {
		return k, web.Problem(http.StatusBadRequest,
			"the body must be one object with account, name, scopes and expires_at")
	}
	scopes, err := store.ParseScopes(asked.Scopes)
	switch {
	case err != nil:
		return k, web.Problem(http.StatusBadRequest, err.Error())
	case !store.IsAccount(asked.Account):
		return k, web.Problem(http.StatusBadRequest,
			"account must be up to 64 letters, digits, dots, hyphens and underscores")
	case len(asked.Name) > 200:
		return k, web.Problem(http.StatusBadRequest, "name must have 200 bytes at most")
	case asked.ExpiresAt != nil && !asked.ExpiresAt.After(now):
		return k, web.Problem(http.StatusBadRequest, "expires_at must be a time to come")
	}
	if scopes == 0 {
		scopes = store.AllScopes
	}
	k = store.Key{Account: asked.Account, Name: asked.Name, Scopes: scopes, CreatedAt: now.UTC()}
	if asked.ExpiresAt != nil {
		k.ExpiresAt = asked.ExpiresAt.UTC().Truncate(time.Millisecond)
	}
	return k, nil
}

// End answers DELETE /v2/admin/keys/{key}: the key ends now, or at a time.
func (s *Keys) End(w http.ResponseWriter, r *http.Request) error {
	if err := keyOnly(principal(r)); err != nil {
		return err
	}
	var at time.Time
	if text := r.URL.Query().Get("at"); text != "" {
		var err error
		if at, err = time.Parse(time.RFC3339, text); err != nil || !at.After(time.Now()) {
			return web.Problem(http.StatusBadRequest, "at must be a time to come such as 2026-03-01T09:30:00Z")
		}
	}
	hash, err := s.find(r)
	if err != nil {
		return err
	}
	if at.IsZero() {
		err = s.Store.RemoveKey(r.Context(), hash)
	} else {
		err = s.Store.EndKey(r.Context(), hash, at.UTC().Truncate(time.Millisecond))
	}
	if err != nil {
		return fmt.Errorf("end key: %w", err)
	}
	web.TrailOf(r).Concern(store.ShortHash(hash))
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// find returns the hash of the one key of the store that a path names by its beginning. Errors:
// problems, 404 and 409.
func (s *Keys) find(r *http.Request) (hash []byte, err error) {
	id := strings.ToLower(r.PathValue("key"))
	all, err := s.Store.ListKeys(r.Context())
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	for i := range all {
		if len(id) < store.HashDigits || !strings.HasPrefix(hex.EncodeToString(all[i].Hash), id) {
			continue
		}
		if hash != nil {
			return nil, web.Problem(http.StatusConflict, "several keys begin like this: give more of the hash")
		}
		hash = all[i].Hash
	}
	if hash == nil {
		return nil, web.Problem(http.StatusNotFound, "the store has no such key")
	}
	return hash, nil
}
