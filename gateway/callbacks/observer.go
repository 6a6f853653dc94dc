package callbacks

import (
	"errors"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/session/store"
)

// observer is a [Watcher] that counts and logs what becomes of callbacks.
type observer struct {
	metrics   *metrics.Metrics
	recoverer *recovery.Recoverer
	log       zerolog.Logger
}

// NewWatcher returns a [Watcher] that counts and logs what becomes of callbacks.
func NewWatcher(m *metrics.Metrics, r *recovery.Recoverer, log zerolog.Logger) Watcher {
	return observer{m, r, log}
}

// Attempted counts an attempt, and logs it without what the URL holds beyond the host.
func (o observer) Attempted(a Attempt) {
	o.metrics.Callbacks.WithLabelValues(string(a.Outcome)).Inc()
	if a.Outcome == Delivered {
		o.metrics.CallbackTime.Observe(a.Took.Seconds())
	}
	event := o.log.Debug()
	if a.Outcome == Dead {
		event = o.log.Warn()
	}
	event.Str("job", a.Delivery.Job).Str("delivery", a.Delivery.ID).Str("event", a.Delivery.Event).Str("host", a.Host).
		Str("outcome", string(a.Outcome)).Int("attempts", a.Delivery.Attempts).Int("status", a.Status).
		Str("failure", a.Failure).Stringer("took", a.Took.Round(time.Millisecond)).Msg("callback")
	if a.Fault != nil {
		o.recoverer.Report(recovery.Callback, a.Delivery.ID, a.Fault)
	}
	if a.Err != nil && !errors.Is(a.Err, store.ErrLost) {
		o.recoverer.Report(recovery.Callback, a.Delivery.ID, a.Err)
		o.log.Error().Str("delivery", a.Delivery.ID).Err(a.Err).Msg("outcome of callback not kept, it is sent again")
	}
}

// Pending publishes how many callbacks wait.
func (o observer) Pending(n int) { o.metrics.CallbacksPending.Set(float64(n)) }

// Trouble logs that the outbox fails.
func (o observer) Trouble(err error) {
	o.recoverer.Report(recovery.Callback, "outbox", err)
	o.log.Error().Err(err).Msg("outbox of callbacks fails, asked again")
}
