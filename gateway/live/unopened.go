package live

import (
	"context"
	"fmt"
	"net/http"

	"steno/gateway/admission"
	"steno/gateway/subscribers"
	"steno/messages"
	"steno/session"
	"steno/session/store"
)

// unopened is the ledger of a session that is ended without being opened: its outcome has no
// result.
type unopened struct {
	*ledger
	outcome store.Outcome
}

// Finish enqueues the callbacks and stores the outcome.
func (l unopened) Finish(ctx context.Context, _ session.Outcome) error {
	return l.conclude(ctx, l.outcome)
}

// endUnopened ends a session without opening it: it logs its start, failure and end, sends them to
// subscribers, enqueues the callbacks that the request asks for, and stores the outcome. It is
// called with mu held.
func endUnopened(ctx context.Context, e *entry, live store.Live, o store.Outcome) error {
	cfg := &e.site.cfg
	record, err := cfg.Store.Get(ctx, e.record.Account, e.id)
	if err != nil {
		return fmt.Errorf("read record: %w", err)
	}
	request, err := admission.LiveRequest(record)
	if err != nil {
		return live.Finish(ctx, o) // the address of the callbacks is unknown
	}
	calls, err := opener{site: e.site, record: record, request: request}.openCallbacks(ctx)
	if err != nil {
		return fmt.Errorf("open callbacks: %w", err)
	}
	defer calls.Close()
	sinks := []session.Sink{subscribers.NewPublisher(cfg.Store, e.id)}
	if calls != nil {
		sinks = append(sinks, calls)
	}
	return session.EndUnopened(ctx, session.Config{
		ID: e.id, Ledger: unopened{&ledger{Live: live, callbacks: calls}, o}, Sinks: sinks,
	}, messages.AddonError{StatusCode: o.ErrorCode, Exception: exceptionOf(o.ErrorCode), Message: o.Message})
}

// exceptionOf returns the name of the failure with a code.
func exceptionOf(code int) string {
	switch code {
	case http.StatusRequestTimeout:
		return "NeverConnected"
	case http.StatusUnauthorized:
		return "KeyRevoked"
	}
	return "InternalError"
}
