package subscribers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// FollowSession answers GET /v2/live/{id}/events with the subscription of a session's events.
func (s *Service) FollowSession(w http.ResponseWriter, r *http.Request) error {
	p := web.PrincipalOf(r)
	query, fault := messages.ParseEventsQuery(r.URL.Query())
	if fault != nil {
		return fault
	}
	record, err := s.session(r.Context(), p.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	flags, err := flagsOf(record)
	if err != nil {
		return err
	}
	epoch, err := s.cfg.Store.Epoch(r.Context())
	if err != nil {
		return fmt.Errorf("ask for epoch: %w", err)
	}
	c := s.newClient(&p, query, flags)
	return s.serve(w, r, query, &subscription{
		service: s, principal: p, client: c,
		source: &sessionSource{store: s.cfg.Store, account: p.Account, id: record.ID, epoch: epoch},
	})
}

// FollowAccount answers GET /v2/events with the subscription of the beginnings, ends and finals of all sessions of an account, or
// of some.
func (s *Service) FollowAccount(w http.ResponseWriter, r *http.Request) error {
	p := web.PrincipalOf(r)
	query, fault := messages.ParseEventsQuery(r.URL.Query())
	if fault != nil {
		return fault
	}
	for _, id := range query.Sessions {
		if !p.MayUse(id) {
			return web.Problem(http.StatusForbidden, "the token is for other sessions")
		}
		if _, err := s.session(r.Context(), p.Account, id); err != nil {
			return err
		}
	}
	epoch, err := s.cfg.Store.Epoch(r.Context())
	if err != nil {
		return fmt.Errorf("ask for epoch: %w", err)
	}
	c := s.newClient(&p, query, messages.Flags{FinalTranscripts: true, Lifecycle: true})
	c.wants &= store.AccountKinds
	if c.sessions = query.Sessions; len(c.sessions) == 0 {
		c.sessions = p.Sessions
	}
	return s.serve(w, r, query, &subscription{
		service: s, principal: p, client: c, source: &accountSource{store: s.cfg.Store, account: p.Account, epoch: epoch},
	})
}

// session returns the record of a live session. Errors: store.ErrNotFound, and others of the store.
func (s *Service) session(ctx context.Context, account, id string) (store.Record, error) {
	record, err := s.cfg.Store.Get(ctx, account, id)
	if err == nil && record.Kind != messages.JobLive {
		err = store.ErrNotFound
	}
	if err != nil {
		return record, fmt.Errorf("find session: %w", err)
	}
	return record, nil
}

// flagsOf returns the flags of a session's messages_config. Acknowledgments are about the socket that sends the audio: a
// subscriber has to ask for them.
func flagsOf(r store.Record) (messages.Flags, error) {
	var params struct {
		MessagesConfig messages.MessagesConfig `json:"messages_config"`
	}
	if err := json.Unmarshal(r.Params, &params); err != nil {
		return messages.Flags{}, fmt.Errorf("read messages_config of session: %w", err)
	}
	flags := messages.Flags(params.MessagesConfig)
	flags.Acknowledgments = false
	return flags, nil
}

// newClient returns the queue of a subscriber. The flags that its query does not choose are those of its token, or else the ones
// given.
func (s *Service) newClient(p *web.Principal, query *messages.EventsQuery, flags messages.Flags) *client {
	wants := query.Over(flags).Filter() & p.Shows()
	if p.Kinds != 0 && !query.Given() {
		wants = p.Kinds
	}
	return &client{wants: wants, metrics: s.cfg.Metrics, wake: make(chan struct{}, 1)}
}

// serve finds out where a subscription begins and serves it to its end.
func (s *Service) serve(w http.ResponseWriter, r *http.Request, query *messages.EventsQuery, t *subscription) error {
	upgrade := web.IsUpgrade(r)
	resync, over, err := t.locate(r, query)
	switch {
	case err != nil:
		return err
	case over && !upgrade:
		w.WriteHeader(http.StatusNoContent) // which a browser does not answer by opening the subscription once more
		return nil
	case over:
		t.client.finish(endFinished)
	case r.Method == http.MethodHead:
		w.Header().Set("Content-Type", sseType)
		return nil
	}
	if !s.cfg.InFlight.Enter() {
		return web.Refuse(http.StatusServiceUnavailable, "shutting down", s.cfg.Limits.RetryAfter)
	}
	defer s.cfg.InFlight.Leave()
	if upgrade {
		return s.serveSocket(w, r, query, t, resync)
	}
	return s.serveSSE(w, r, t, resync)
}

func (s *Service) serveSSE(w http.ResponseWriter, r *http.Request, t *subscription, resync bool) error {
	out := &sse{w: w, control: http.NewResponseController(w)}
	t.out = out
	if err := s.enter(t, t.source); err != nil {
		return err
	}
	defer s.leave(t)
	open := s.cfg.Metrics.SubscribersOpen.WithLabelValues(transportSSE)
	open.Inc()
	defer open.Dec()
	if err := t.timed(out.begin); err != nil {
		return nil // the client is gone
	}
	s.run(r.Context(), t, resync)
	return nil
}

func (s *Service) serveSocket(w http.ResponseWriter, r *http.Request, query *messages.EventsQuery, t *subscription, resync bool) error {
	out := &socket{control: http.NewResponseController(w), numbered: query.Numbered}
	t.out = out
	if err := s.enter(t, t.source); err != nil {
		return err
	}
	defer s.leave(t)
	ctx, err := out.accept(w, r)
	if err != nil {
		s.cfg.Log.Info().Str("request_id", web.RequestID(r)).Err(err).Msg("upgrade refused")
		return nil // it was answered
	}
	defer out.wait()
	open := s.cfg.Metrics.SubscribersOpen.WithLabelValues(transportWebSocket)
	open.Inc()
	defer open.Dec()
	s.run(ctx, t, resync)
	return nil
}

// run runs a subscription whose connection is open. Errors are those of clients that are gone, and of their writes.
func (s *Service) run(ctx context.Context, t *subscription, resync bool) {
	if resync && t.tell(typeResync, Resync{From: t.position + 1}) != nil {
		return
	}
	if err := t.run(ctx); err != nil && ctx.Err() == nil {
		s.cfg.Log.Debug().Err(err).Msg("subscription of a subscriber ended")
	}
}

// locate sets the position at which a subscription begins. resync is that of seek; over says that the client has everything of a
// session that has ended.
func (t *subscription) locate(r *http.Request, query *messages.EventsQuery) (resync, over bool, err error) {
	resumed, resync, err := t.seek(r, query)
	if err != nil {
		return false, false, err
	}
	if resumed {
		if over, err := t.nothingLeft(r.Context()); over || err != nil {
			return false, over, err
		}
	}
	wanted := t.position
	if t.position, err = t.source.clamp(r.Context(), wanted); err != nil {
		return false, false, err
	}
	if t.position < wanted {
		t.client.beyond = wanted
	}
	return resync, false, nil
}

// seek sets the position at which a subscription begins. resumed says that the client has received something before; resync that its
// position is one of another history of the store, so that the subscription begins anew.
func (t *subscription) seek(r *http.Request, query *messages.EventsQuery) (resumed, resync bool, err error) {
	text := query.From
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		text = last
	}
	if text == "" {
		t.position, err = t.beginning(r.Context())
		return false, false, err
	}
	epoch, seq, ok := messages.ParsePosition(text)
	switch {
	case !ok:
		return false, false, web.Problem(http.StatusBadRequest, "Last-Event-ID must be an id as the subscription sends them")
	case epoch == 0 && text == query.From: // the first one wanted
		t.position = max(seq-1, 0)
		return false, false, nil
	case epoch != 0 && epoch != t.source.history():
		t.position, err = t.beginning(r.Context())
		return true, true, err
	}
	t.position = seq
	return true, false, nil
}

// beginning returns where a subscription begins that does not ask for a place: with the first event of a session, and with the next
// one of an account.
func (t *subscription) beginning(ctx context.Context) (int64, error) {
	if t.source.session() != "" {
		return 0, nil
	}
	end, err := t.service.cfg.Store.AccountEnd(ctx, t.principal.Account)
	if err != nil {
		return 0, fmt.Errorf("find end of account's log: %w", err)
	}
	return end, nil
}

// nothingLeft reports whether the session has ended and the client has everything of it.
func (t *subscription) nothingLeft(ctx context.Context) (bool, error) {
	before := max(t.position-1, 0)
	p, err := t.source.read(ctx, before) // from the last one received on, which tells whether the session has ended
	if err != nil {
		return false, err
	}
	if last := len(p.publications) - 1; last >= 0 && p.publications[last].position > t.position {
		return false, nil
	}
	over, err := t.source.over(ctx)
	if errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	return p.over || over, err
}
