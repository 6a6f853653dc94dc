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
	body, err := web.ReadBody(w, r, s.cfg.Limits.Body)
	if err != nil {
		return err
	}
	request, fault := messages.ParseLive(body, s.cfg.Addons.Declarations()...)
	if fault != nil {
		return fault
	}
	record, warnings, err := s.cfg.Policy.Accept(r, admission.Live(request))
	if err == nil && request.Callback {
		err = s.cfg.Policy.CheckAddress("callback_config.url", request.CallbackConfig.URL)
	}
	if err == nil && request.Container() {
		err = s.cfg.CheckMedia(r.Context())
	}
	if err == nil {
		err = s.cfg.Disk.CheckKey(web.PrincipalOf(r).Key)
	}
	if err != nil {
		return err
	}
	token, err := s.add(r, request, record)
	if err != nil {
		return err
	}
	s.cfg.Metrics.SessionsCreated.Inc()
	s.cfg.Policy.Announce(w, r, record.ID, warnings)
	web.WriteJSON(w, http.StatusCreated, Opened{
		ID: record.ID, CreatedAt: messages.Stamp(record.CreatedAt), URL: s.cfg.Addresses.Socket(r) + "/v2/live?token=" + token + clientQuery(r),
		Warnings: warnings,
	})
	return nil
}

// add counts and stores a new session of the request's principal, and returns the token of its socket, whose hash the record
// holds.
func (s *Sessions) add(r *http.Request, request *messages.LiveRequest, record store.Record) (token string, err error) {
	from := web.PrincipalOf(r)
	speaker, err := s.admit(from, s.cfg.Policy.Engine(r.Context(), request.Model, request.LanguageConfig.Languages), request.Channels)
	if err != nil {
		s.refused.note(from, err)
		return "", err
	}
	token, hash := newToken()
	record.PostSessionMetadata = json.RawMessage("{}")
	record.Socket, record.Callback = request.SocketFilter(), request.CallbackFilter()
	record.TokenHash, record.Channels = hash, request.Channels
	record.Deadline = record.CreatedAt.Add(s.cfg.Limits.NeverConnected)
	if err := s.cfg.Store.Create(r.Context(), record); err != nil {
		s.registry.dismiss(holderOf(from))
		speaker.Leave()
		return "", fmt.Errorf("create record: %w", err)
	}
	s.registry.add(newEntry(s, record, speaker))
	return token, nil
}
