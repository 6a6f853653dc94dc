package live

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"steno/gateway/activity"
	"steno/gateway/admission"
	"steno/gateway/callbacks"
	"steno/gateway/metrics"
	"steno/gateway/subscribers"
	"steno/gateway/tracing"
	"steno/messages"
	"steno/session"
	"steno/session/addon"
	"steno/session/asr"
	"steno/session/store"
)

// opener opens the session of a record, which this node has claimed.
type opener struct {
	site     *site
	record   store.Record
	request  *messages.LiveRequest // of the record
	speaker  *admission.Speaker
	activity *activity.Sink
}

// open starts the session on its claim and returns it with its ledger. After an error the caller
// must still close the claim.
func (o opener) open(ctx context.Context, live store.Live) (open *session.Session, l *ledger, err error) {
	if err := o.markProcessing(ctx); err != nil {
		return nil, nil, err
	}
	calls, err := o.openCallbacks(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("open callbacks: %w", err)
	}
	cfg := &o.site.cfg
	engine := cfg.Policy.Engine(ctx, o.request.Model, o.request.LanguageConfig.Languages).Engine
	m, activity, span := cfg.Metrics, o.activity, cfg.Tracer.Session(o.record.ID, o.request.Model, engine,
		o.request.Channels)
	defer func() {
		if open == nil {
			calls.Close()
			span.End(http.StatusInternalServerError)
		}
	}()
	o.speaker.Serve(engine)
	l = &ledger{Live: live, callbacks: calls, span: span, request: o.request}
	o.logLosses(live)
	open, err = session.Open(ctx, session.Config{
		ID: o.record.ID, Request: o.request, Ledger: l,
		Recognizer: cfg.Admission.Recognizer(cfg.Recognizers.For(o.request.Model), engine),
		Sinks:      o.sinks(calls), Priority: asr.Live, Party: o.record.Account,
		Addons: addon.NewLive(o.request, cfg.Addons),
		Losses: live.Losses(), Reason: reasonOf, Away: isAway, Dropped: o.site.countDropped,
		Unheard:     cfg.Metrics.Unheard,
		Noise:       cfg.Metrics.Noise,
		Settled:     func(l session.Latency) { measureFinal(m, span, activity, l) },
		EngineGrace: cfg.Limits.EngineGrace, MaxAudio: cfg.Limits.MaxAudio,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("open session: %w", err)
	}
	return open, l, nil
}

// logLosses logs the losses of the session.
func (o opener) logLosses(live store.Live) {
	for _, l := range live.Losses() {
		o.site.cfg.Log.Warn().Str("session", o.record.ID).Str("account", o.record.Account).Int64("from_byte", l.From).
			Msg("audio that was acknowledged may be missing from the recording")
	}
}

func (o opener) markProcessing(ctx context.Context) error {
	err := o.site.cfg.Store.SetStatus(ctx, o.record.Account, o.record.ID, messages.StatusProcessing)
	if err != nil && !errors.Is(err, store.ErrFinished) {
		return fmt.Errorf("mark session processing: %w", err)
	}
	return nil
}

// openCallbacks returns the sink for the callbacks that the request asks for; nil if it asks for
// none.
func (o opener) openCallbacks(ctx context.Context) (*callbacks.Sink, error) {
	if !o.request.Callback || o.record.Callback == 0 {
		return nil, nil
	}
	cfg := &o.site.cfg
	return callbacks.OpenSink(ctx, callbacks.SinkConfig{
		Store: cfg.Store, Record: o.record, URL: o.request.CallbackConfig.URL,
		Metrics: cfg.Metrics, Recoverer: cfg.Recoverer, Log: cfg.Log,
	})
}

// sinks returns the sinks that a session has from its first event on.
func (o opener) sinks(calls *callbacks.Sink) []session.Sink {
	list := []session.Sink{o.speaker, o.activity, subscribers.NewPublisher(o.site.cfg.Store, o.record.ID)}
	if calls != nil {
		list = append(list, calls)
	}
	return list
}

// measureFinal measures the stages of a final.
func measureFinal(m *metrics.Metrics, span *tracing.Span, a *activity.Sink, l session.Latency) {
	span.Final(l)
	a.Settle(l)
	m.FinalDelay.Observe((l.Queued + l.Decoded).Seconds())
	m.Stage(metrics.ResultFinal, metrics.StageReceived, l.Received)
	m.Stage(metrics.ResultFinal, metrics.StageEndpointed, l.Endpointed)
	m.Stage(metrics.ResultFinal, metrics.StageQueued, l.Queued)
	m.Stage(metrics.ResultFinal, metrics.StageDecoded, l.Decoded)
}

// measureSent measures how long a partial or final took from being emitted in this process to being
// written to a socket.
func measureSent(m *metrics.Metrics, a *activity.Sink, e *messages.Event) {
	if e.Emitted.IsZero() {
		return
	}
	switch e.Kind {
	case messages.KindPartial:
		m.Stage(metrics.ResultPartial, metrics.StageSent, time.Since(e.Emitted))
	case messages.KindFinal:
		took := time.Since(e.Emitted)
		m.Stage(metrics.ResultFinal, metrics.StageSent, took)
		a.Sent(e.Subject, took)
	}
}

// countDropped counts an unlogged event that was dropped while waiting to become durable.
func (s *site) countDropped(k messages.Kind) {
	if k == messages.KindPartial {
		s.cfg.Metrics.Drop(metrics.DropPartialReplaced)
		return
	}
	s.cfg.Metrics.Drop(metrics.DropWaiting)
}
