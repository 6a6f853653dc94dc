package live

import (
	"encoding/json"
	"fmt"
	"net/http"

	"steno/gateway/admission"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// Opened answers POST /v2/live.
type Opened struct {
	ID        string             `json:"id"`
	CreatedAt messages.Timestamp `json:"created_at"`
	URL       string             `json:"url"`
	Warnings  messages.Warnings  `json:"warnings,omitempty"`
}

// Create answers POST /v2/live: it makes the record of a session and the address of its socket.
func (s *Sessions) Create(w http.ResponseWriter, r *http.Request) error {
	request, terms, err := s.accept(w, r)
	if err != nil {
		return err
	}
	record, token, err := s.create(r, request, terms)
	if err != nil {
		return err
	}
	s.cfg.Metrics.SessionsCreated.Inc()
	s.cfg.Policy.Announce(w, r, record.ID, terms.Warnings)
	web.WriteJSON(w, http.StatusCreated, Opened{
		ID: record.ID, CreatedAt: messages.Stamp(record.CreatedAt), URL: s.cfg.Addresses.Socket(r) + "/v2/live?token=" + token + clientQuery(r),
		Warnings: terms.Warnings,
	})
	return nil
}

// accept reads the request for a session, and decides whether and on which terms it is accepted.
func (s *Sessions) accept(w http.ResponseWriter, r *http.Request) (*messages.LiveRequest, admission.Terms, error) {
	body, err := web.ReadBody(w, r, s.cfg.Limits.Body)
	if err != nil {
		return nil, admission.Terms{}, err
	}
	request, fault := messages.ParseLive(body)
	if fault != nil {
		return nil, admission.Terms{}, fault
	}
	terms, err := s.cfg.Policy.Accept(r.Context(), admission.Request{
		Model: request.Model, Languages: request.LanguageConfig.Languages, Strict: request.Strict,
		Warnings: request.Warnings(), Query: r.URL.Query(),
	})
	if err == nil && request.Callback {
		err = s.cfg.Policy.CheckAddress("callback_config.url", request.CallbackConfig.URL)
	}
	if err == nil {
		err = s.cfg.Disk.Check()
	}
	return request, terms, err
}

// create counts and stores a new session of the request's principal, and returns its record and the token of its socket.
func (s *Sessions) create(r *http.Request, request *messages.LiveRequest, t admission.Terms) (store.Record, string, error) {
	from := web.PrincipalOf(r)
	if err := s.admit(from); err != nil {
		return store.Record{}, "", err
	}
	record, token, err := newRecord(from, request, t)
	if err == nil {
		err = s.cfg.Store.Create(r.Context(), record)
	}
	if err != nil {
		s.registry.dismiss(holderOf(from))
		return store.Record{}, "", fmt.Errorf("create record: %w", err)
	}
	s.registry.add(newEntry(s, record))
	return record, token, nil
}

// newRecord returns the record of a new session, which holds the hash of its token, and the token.
func newRecord(from web.Principal, request *messages.LiveRequest, t admission.Terms) (store.Record, string, error) {
	record, err := admission.NewRecord(from.Account, messages.JobLive, request, request.CustomMetadata, t)
	if err != nil {
		return record, "", err
	}
	token, hash := newToken()
	record.PostSessionMetadata = json.RawMessage("{}")
	record.Socket, record.Callback = request.SocketFilter(), request.CallbackFilter()
	record.TokenHash, record.Key, record.Channels = hash, from.Key[:], request.Channels
	return record, token, nil
}
