package accounts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// Quota is store.Quota as the API has it.
type Quota struct {
	Sessions   int64   `json:"sessions" minimum:"0" doc:"Unfinished live sessions, on all nodes; 0 is no bound here"`
	Opens      int64   `json:"opens_per_minute" minimum:"0" doc:"Live sessions and recorded jobs made a minute"`
	AudioHours float64 `json:"audio_hours_per_day" minimum:"0" doc:"Of live and recorded audio, by channel and UTC"`
	Storage    int64   `json:"storage_bytes" minimum:"0" doc:"Bytes of uploads and recordings"`
	Callbacks  int64   `json:"callbacks_per_second" minimum:"0" doc:"Callbacks that are sent a second"`
}

// ListedAccount is an account in a list.
type ListedAccount struct {
	Account string `json:"account" doc:"Its name"`
	From    string `json:"from" enum:"api,configuration,default,none" doc:"Where its quota is from"`
	Quota   Quota  `json:"quota" doc:"What it may have"`
}

// AccountList answers GET /v2/admin/accounts.
type AccountList struct {
	Items messages.List[ListedAccount] `json:"items" doc:"The accounts that have keys or quotas, by name"`
}

// Account answers GET /v2/admin/accounts/{name}.
type Account struct {
	ListedAccount
	Sessions     int64   `json:"sessions" doc:"Its live sessions that are not finished"`
	AudioSeconds float64 `json:"audio_seconds_today" doc:"Audio of today, by UTC, unfinished sessions included"`
	Storage      int64   `json:"storage_bytes" doc:"What its uploads and recordings have"`
}

// Service serves the quotas of accounts. Its methods may be called from any goroutine.
type Service struct {
	*Accounts
	Names   []string // of the accounts with keys of the configuration
	MaxBody int64
}

// listed returns what a list has of an account.
func (s *Service) listed(name string) ListedAccount {
	q, from := s.find(name)
	return ListedAccount{Account: name, From: from, Quota: Quota(q)}
}

// ListAccounts answers GET /v2/admin/accounts.
func (s *Service) ListAccounts(w http.ResponseWriter, r *http.Request) error {
	if err := s.Read(r.Context()); err != nil {
		return err
	}
	keys, err := s.cfg.Store.ListKeys(r.Context())
	if err != nil {
		return fmt.Errorf("list keys: %w", err)
	}
	names := map[string]bool{}
	for _, name := range s.Names {
		names[name] = true
	}
	for _, k := range keys {
		names[k.Account] = true
	}
	for _, name := range s.withQuotas() {
		names[name] = true
	}
	list := AccountList{Items: messages.List[ListedAccount]{}}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		list.Items = append(list.Items, s.listed(name))
	}
	web.WriteJSON(w, http.StatusOK, list)
	return nil
}

// withQuotas returns the names of accounts that have a quota of their own.
func (a *Accounts) withQuotas() (names []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	names = slices.Collect(maps.Keys(a.set))
	for name := range a.cfg.Quotas {
		if name != DefaultName {
			names = append(names, name)
		}
	}
	return names
}

// GetAccount answers GET /v2/admin/accounts/{name}.
func (s *Service) GetAccount(w http.ResponseWriter, r *http.Request) error {
	name, err := nameOf(r)
	if err == nil {
		err = s.Read(r.Context())
	}
	if err != nil {
		return err
	}
	return s.answer(r.Context(), w, name)
}

// answer writes what an account may have and has.
func (s *Service) answer(ctx context.Context, w http.ResponseWriter, name string) error {
	standing, err := s.cfg.Store.Standing(ctx, name)
	var bytes int64
	if err == nil {
		bytes, err = s.cfg.Store.Stored(ctx, name)
	}
	if err != nil {
		return fmt.Errorf("look up account: %w", err)
	}
	web.WriteJSON(w, http.StatusOK, Account{
		ListedAccount: s.listed(name), Sessions: standing.Sessions, Storage: bytes,
		AudioSeconds: (standing.Audio + s.cfg.Running(name)).Seconds(),
	})
	return nil
}

// SetAccount answers PUT /v2/admin/accounts/{name}.
func (s *Service) SetAccount(w http.ResponseWriter, r *http.Request) error {
	name, err := nameOf(r)
	if err != nil {
		return err
	}
	body, err := web.ReadBody(w, r, s.MaxBody)
	if err != nil {
		return err
	}
	q, err := parseQuota(body)
	if err == nil {
		err = s.cfg.Store.SetQuota(r.Context(), name, q)
	}
	if err == nil {
		err = s.Read(r.Context())
	}
	if err != nil {
		return err
	}
	return s.answer(r.Context(), w, name)
}

// parseQuota reads a quota. Errors: problems, 400.
func parseQuota(body []byte) (store.Quota, error) {
	var q *Quota
	err := web.DecodeObject(body, &q)
	if err == nil && q == nil {
		err = web.ErrNoObject
	}
	if err == nil {
		err = store.Quota(*q).Check()
	}
	if err != nil {
		return store.Quota{}, web.Problem(http.StatusBadRequest, "the quota cannot be read: "+err.Error())
	}
	return store.Quota(*q), nil
}

// RemoveAccount answers DELETE /v2/admin/accounts/{name}: the quota of the configuration is in
// force again.
func (s *Service) RemoveAccount(w http.ResponseWriter, r *http.Request) error {
	name, err := nameOf(r)
	if err == nil {
		err = s.cfg.Store.RemoveQuota(r.Context(), name)
	}
	if errors.Is(err, store.ErrNotFound) {
		return web.Problem(http.StatusNotFound, "the account has no quota that was set by the API")
	}
	if err == nil {
		err = s.Read(r.Context())
	}
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
	}
	return err
}

// nameOf returns the account that a path names. Errors: a problem, 400.
func nameOf(r *http.Request) (string, error) {
	name := r.PathValue("account")
	if !store.IsAccount(name) {
		return "", web.Problem(http.StatusBadRequest,
			"the name of an account has up to 64 letters, digits, dots, hyphens and underscores")
	}
	return name, nil
}
