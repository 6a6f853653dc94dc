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
	epoch, err := s.cfg.Store.Epoch(r.Context())
	if err != nil {
		return fmt.Errorf("ask for epoch: %w", err)
	}
	t, err := s.newSubscription(r.Context(), &p, query, r.PathValue("id"), epoch, queueBytes)
	if err != nil {
		return err
	}
	return s.serve(w, r, query, t)
}

// newSubscription returns one of a session, for which so many bytes may wait. Errors:
// store.ErrNotFound, and others of the store.
func (s *Service) newSubscription(
	ctx context.Context, p *web.Principal, query *messages.EventsQuery, id string, epoch int64, room int,
) (*subscription, error) {
	record, err := s.session(ctx, p.Account, id)
	if err != nil {
		return nil, err
	}
	flags, err := flagsOf(record)
	if err != nil {
		return nil, err
	}
	c := s.newClient(p, query, flags)
	c.room = room
	return &subscription{
		service: s, principal: *p, client: c,
		source: &sessionSource{store: s.cfg.Store, account: p.Account, id: record.ID, epoch: epoch, room: room},
	}, nil
}

// FollowAccount answers GET /v2/events with the subscription of the beginnings, ends and finals of
// all sessions of an account, or with all events of those that the query names.
func (s *Service) FollowAccount(w http.ResponseWriter, r *http.Request) error {
	p := web.PrincipalOf(r)
	query, fault := messages.ParseEventsQuery(r.URL.Query())
	if fault != nil {
		return fault
	}
	if len(query.Sessions) > 0 {
		return s.followSeveral(w, r, &p, query)
	}
	epoch, err := s.cfg.Store.Epoch(r.Context())
	if err != nil {
		return fmt.Errorf("ask for epoch: %w", err)
	}
	c := s.newClient(&p, query, messages.Flags{FinalTranscripts: true, Lifecycle: true})
	c.wants &= store.AccountKinds
	c.sessions = p.Sessions
	return s.serve(w, r, query, &subscription{
		service: s, principal: p, client: c,
		source: &accountSource{store: s.cfg.Store, account: p.Account, epoch: epoch, room: queueBytes},
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

// flagsOf returns the flags of a session's messages_config. Acknowledgments are about the socket
// that sends the audio: a subscriber has to ask for them.
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

// newClient returns the queue of a subscriber. The flags that its query does not choose are those
// of its token, or else the ones given.
func (s *Service) newClient(p *web.Principal, query *messages.EventsQuery, flags messages.Flags) *client {
	wants := query.Over(flags).Filter() & p.Shows()
	if p.Kinds != 0 && !query.Given() {
		wants = p.Kinds
	}
	return &client{wants: wants, room: queueBytes, metrics: s.cfg.Metrics, wake: make(chan struct{}, 1)}
}

// serve finds out where a subscription begins and serves it to its end.
func (s *Service) serve(w http.ResponseWriter, r *http.Request, query *messages.EventsQuery, t *subscription) error {
	resumed, resync, err := t.seek(r, query)
	if err != nil {
		return err
	}
	over, err := t.settle(r.Context(), resumed)
	if err != nil {
		return err
	}
	t.out = newConnection(w, r, query)
	return s.connect(w, r, []*subscription{t}, t.out.(connection), over,
		func(ctx context.Context) { s.run(ctx, t, resync) })
}

// connect opens a connection and has serve use it for subscriptions, unless over is true.
func (s *Service) connect(
	w http.ResponseWriter, r *http.Request, list []*subscription, out connection, over bool,
	serve func(context.Context),
) error {
	switch {
	case over && !web.IsUpgrade(r):
		w.WriteHeader(http.StatusNoContent) // which a browser does not answer by opening the subscription once more
		return nil
	case r.Method == http.MethodHead:
		w.Header().Set("Content-Type", sseType)
		return nil
	case !s.cfg.InFlight.Enter():
		return web.Refuse(http.StatusServiceUnavailable, "shutting down", s.cfg.Limits.RetryAfter)
	}
	defer s.cfg.InFlight.Leave()
	for _, t := range list {
		if err := s.enter(t, t.source); err != nil {
			return err
		}
		defer s.leave(t)
	}
	ctx, err := out.open(w, r)
	if err != nil {
		s.cfg.Log.Debug().Str("request_id", web.RequestID(r)).Err(err).Msg("subscriber is not connected")
		return nil // it was answered, or the client is gone
	}
	defer out.wait()
	open := s.cfg.Metrics.SubscribersOpen.WithLabelValues(out.name())
	open.Inc()
	defer open.Dec()
	serve(ctx)
	return nil
}

// run runs a subscription whose connection is open. It reports false where the client is gone.
func (s *Service) run(ctx context.Context, t *subscription, resync bool) bool {
	if resync && t.tell(typeResync, Resync{From: t.position + 1}) != nil {
		return false
	}
	err := t.run(ctx)
	if err != nil && ctx.Err() == nil {
		s.cfg.Log.Debug().Err(err).Msg("subscriber is gone")
	}
	return err == nil
}

// settle makes sure that the subscription begins within its log. resumed is true if the client has
// received something before. It returns over if the client has everything of a finished session.
func (t *subscription) settle(ctx context.Context, resumed bool) (over bool, err error) {
	if resumed {
		over, err := t.nothingLeft(ctx)
		if err != nil {
			return false, err
		}
		if over {
			t.client.finish(endFinished)
			return true, nil
		}
	}
	wanted := t.position
	if t.position, err = t.source.clamp(ctx, wanted); err != nil {
		return false, err
	}
	if t.position < wanted {
		t.client.beyond = wanted
	}
	return false, nil
}

// seek sets the position at which a subscription begins. It returns resumed if the client has
// received something before, and resync if its position is one of another history of the store, so
// that the subscription starts again.
func (t *subscription) seek(r *http.Request, query *messages.EventsQuery) (resumed, resync bool, err error) {
	text, field := positionOf(r, query)
	if text == "" {
		t.position, err = t.beginning(r.Context())
		return false, false, err
	}
	epoch, seq, ok := messages.ParsePosition(text)
	switch {
	case !ok:
		return false, false, messages.Invalid(field, "must be an id as the stream sends them")
	case epoch == 0 && field == "from": // the first one wanted
		t.position = max(seq-1, 0)
		return false, false, nil
	case epoch != 0 && epoch != t.source.history():
		t.position, err = t.source.restart(r.Context(), seq)
		return true, true, err
	}
	t.position = seq
	return true, false, nil
}

// lastEventID is the header in which browsers send the id of the last event that they received.
const lastEventID = "Last-Event-ID"

// positionOf returns where a client wants to begin, or "", and what it said so with.
func positionOf(r *http.Request, query *messages.EventsQuery) (text, field string) {
	if last := r.Header.Get(lastEventID); last != "" {
		return last, lastEventID
	}
	return query.From, "from"
}

// beginning returns where a subscription begins that does not ask for a place: with the first event
// of a session, and with the next one of an account.
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
