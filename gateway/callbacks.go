package gateway

import (
	"context"
	"errors"
	"fmt"
	"time"

	calls "steno/gateway/callbacks"
	"steno/gateway/recovery"
	"steno/messages"
	"steno/session/store"
)

// Callbacks says how callbacks are delivered. Zero values are replaced by the defaults of [calls.Config].
type Callbacks struct {
	Secret       string        // signs requests, "whsec_…", of accounts that have no two of their own in the store
	Concurrency  int           // requests under way
	Timeout      time.Duration // of a request
	FirstRetry   time.Duration // after the first failure
	LongestRetry time.Duration // at most, however often it fails
	GiveUp       time.Duration // after the first attempt
}

// errNoBody says that what a callback is to carry is not logged yet.
var errNoBody = errors.New("event is not logged yet")

// forgottenAfter is how long a session that has its outcome may take to log its last event.
const forgottenAfter = 2 * time.Second

func (s *Server) startCallbacks() (*calls.Dispatcher, error) {
	c := s.cfg.Callbacks
	d, err := calls.New(calls.Config{
		Outbox: s.deps.Store, Sender: s.deps.Outbound, Watcher: callbackWatcher{s}, Body: s.callbackBody,
		Secrets: s.deps.Store, Secret: c.Secret, Concurrency: c.Concurrency, Timeout: c.Timeout, FirstRetry: c.FirstRetry,
		LongestRetry: c.LongestRetry, GiveUp: c.GiveUp, Keep: s.cfg.Limits.Keep,
	})
	if err != nil {
		return nil, fmt.Errorf("start callbacks: %w", err)
	}
	return d, nil
}

// stopCallbacks gives requests under way a moment to end.
func (s *Server) stopCallbacks() {
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	s.callbacks.Stop(ctx)
}

// callbackBody gives the callback that was enqueued before its event was logged: that of end_session.
func (s *Server) callbackBody(ctx context.Context, d store.Delivery) ([]byte, error) {
	if d.Event != endSession {
		return nil, nil
	}
	after, err := s.deps.Store.LastSeq(ctx, d.Account, d.Job)
	if err != nil {
		return nil, err
	}
	for {
		events, err := s.deps.Store.Events(ctx, d.Account, d.Job, after, transferPage)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			if e.Kind == messages.KindEndSession {
				return messages.AppendLiveCallback(nil, d.Job, e.Kind, e.Body), nil
			}
			after = e.Seq
		}
		if len(events) < transferPage {
			return nil, errors.Join(errNoBody, s.logEnd(ctx, d))
		}
	}
}

// logEnd logs end_session for a session whose process died between keeping the outcome and that.
func (s *Server) logEnd(ctx context.Context, d store.Delivery) error {
	record, err := s.deps.Store.Get(ctx, d.Account, d.Job)
	if err != nil || !record.Finished() || time.Since(*record.CompletedAt) < forgottenAfter {
		return err
	}
	live, err := s.deps.Store.Claim(ctx, d.Job)
	if err != nil {
		return err // claimed: it is being logged
	}
	now := time.Now()
	body := messages.Append(nil, messages.Envelope{SessionID: d.Job, CreatedAt: now}, messages.EndSession{})
	event := messages.Logged{Kind: messages.KindEndSession, Key: messages.KindEndSession.String(), Body: body}
	_, _, err = live.AppendEvent(ctx, event, -1, nil)
	return errors.Join(err, live.Close())
}

// callbackWatcher counts and logs what becomes of callbacks.
type callbackWatcher struct{ server *Server }

// Attempted counts an attempt; failures are logged, without what the URL holds beyond the host.
func (w callbackWatcher) Attempted(a calls.Attempt) {
	m, log := w.server.metrics, w.server.log
	m.Callbacks.WithLabelValues(string(a.Outcome)).Inc()
	if a.Outcome == calls.Delivered {
		m.CallbackTime.Observe(a.Took.Seconds())
	}
	event := log.Debug()
	if a.Outcome == calls.Dead {
		event = log.Warn()
	}
	event.Str("job", a.Delivery.Job).Str("delivery", a.Delivery.ID).Str("event", a.Delivery.Event).Str("host", a.Host).
		Str("outcome", string(a.Outcome)).Int("attempts", a.Delivery.Attempts).Int("status", a.Status).
		Str("failure", a.Failure).Stringer("took", a.Took.Round(time.Millisecond)).Msg("callback")
	if a.Fault != nil {
		w.server.recoverer.Report(recovery.Callback, a.Delivery.ID, a.Fault)
	}
	if a.Err != nil && !errors.Is(a.Err, store.ErrLost) {
		w.server.recoverer.Report(recovery.Callback, a.Delivery.ID, a.Err)
		log.Error().Str("delivery", a.Delivery.ID).Err(a.Err).Msg("outcome of callback not kept, it is sent again")
	}
}

// Pending shows how many callbacks wait.
func (w callbackWatcher) Pending(n int) { w.server.metrics.CallbacksPending.Set(float64(n)) }

// Trouble logs that the outbox does not answer.
func (w callbackWatcher) Trouble(err error) {
	w.server.recoverer.Report(recovery.Callback, "outbox", err)
	w.server.log.Error().Err(err).Msg("outbox of callbacks fails, asked again")
}
