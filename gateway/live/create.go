package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"steno/gateway/activity"
	"steno/gateway/admission"
	"steno/gateway/dialect"
	"steno/gateway/metrics"
	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// creator makes sessions.
type creator struct {
	*site
	refused activity.Refusals
}

// Create makes the record of a session for the principal of a request. It states in the answer's
// header what of the request is ignored.
func (s *creator) Create(w http.ResponseWriter, r *http.Request, request *messages.LiveRequest) (dialect.Created,
	error) {
	return s.create(w, r, request, 0)
}

// create is Create of a session that waits for so long for a client that was lost; 0: for the
// resume window.
func (s *creator) create(w http.ResponseWriter, r *http.Request, request *messages.LiveRequest,
	grace time.Duration) (dialect.Created, error) {
	asked := admission.Live(request)
	asked.Check = func(languages []string) (messages.Warnings, error) {
		return s.cfg.Addons.CheckLive(request, languages)
	}
	record, warnings, err := s.cfg.Policy.Accept(r, asked)
	if err == nil && request.Callback {
		err = s.cfg.Policy.CheckAddress("callback_config.url", request.CallbackConfig.URL)
	}
	if err == nil && request.Container() {
		err = s.cfg.CheckMedia(r.Context())
	}
	if err == nil {
		err = s.cfg.Disk.CheckKey(web.PrincipalOf(r).Key)
	}
	if err == nil {
		record.MaxSessions, err = s.cfg.Accounts.Admit(r.Context(), w.Header(), record.Account, true)
	}
	if err != nil {
		s.refused.Note(web.PrincipalOf(r), err)
		return dialect.Created{}, err
	}
	record.Grace = grace
	token, err := s.add(r, request, record)
	if err != nil {
		return dialect.Created{}, err
	}
	s.cfg.Metrics.SessionsCreated.Inc()
	s.cfg.Policy.Announce(w, r, record.ID, warnings)
	return dialect.Created{ID: record.ID, At: record.CreatedAt, Token: token, Warnings: warnings}, nil
}

// add counts and stores a new session of the request's principal, and returns the token of its
// socket, whose hash the record holds.
func (s *creator) add(r *http.Request, request *messages.LiveRequest, record store.Record) (token string, err error) {
	from := web.PrincipalOf(r)
	speaker, err := s.admit(from, s.cfg.Policy.Engine(r.Context(), request.Model, request.LanguageConfig.Languages),
		request.Channels)
	if err != nil {
		s.refused.Note(from, err)
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
		if errors.Is(err, store.ErrQuota) {
			err = s.cfg.Accounts.SessionsFull(record.Account)
			s.refused.Note(from, err)
			return "", err
		}
		return "", fmt.Errorf("create record: %w", err)
	}
	s.registry.add(newEntry(s.site, record, speaker))
	return token, nil
}

// admit counts one more unfinished session of a principal on an engine, or returns why it is
// refused.
func (s *creator) admit(p web.Principal, to admission.Target, channels int) (*admission.Speaker, error) {
	if err := s.checkDraining(); err != nil {
		return nil, err
	}
	if err := s.registry.admit(p); err != nil {
		return nil, err
	}
	h := holderOf(p)
	speaker, err := s.cfg.Admission.Admit(h.speaks(), to, channels, s.registry.othersSpeaking(h))
	if err != nil {
		s.registry.dismiss(h)
		return nil, err
	}
	return speaker, nil
}

// room returns why a principal may not make a session now, as far as that does not depend on the
// session's settings; nil if it may.
func (s *creator) room(p web.Principal) error {
	err := s.checkDraining()
	if err == nil {
		err = s.registry.room(p)
	}
	if err == nil {
		h := holderOf(p)
		err = s.cfg.Admission.Check(h.speaks(), s.registry.othersSpeaking(h))
	}
	if err != nil {
		s.refused.Note(p, err)
	}
	return err
}

// checkDraining returns the refusal of new sessions while the server shuts down.
func (s *creator) checkDraining() error {
	if !s.draining.Load() {
		return nil
	}
	s.cfg.Metrics.Admission.Refuse(metrics.RefusedDraining)
	return web.Refuse(http.StatusServiceUnavailable, "shutting down", s.cfg.Limits.RetryAfter)
}
