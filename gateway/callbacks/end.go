package callbacks

import (
	"context"
	"errors"
	"net/http"
	"time"

	"steno/messages"
	"steno/session"
	"steno/session/store"
)

// endGrace is how long a session that has its outcome may take to log its last event.
const endGrace = 2 * time.Second

// errNotLogged means that the event of a callback is not logged yet.
var errNotLogged = errors.New("event is not logged yet")

// EndStore is what [EndBody] needs of the store.
type EndStore interface {
	SinkStore
	// Get returns the record of a job.
	Get(ctx context.Context, account, job string) (store.Record, error)
	// Claim returns the handle for writing to a live session, which the caller must close.
	Claim(ctx context.Context, job string, intent store.Intent) (store.Live, error)
}

// EndBody returns a function for [Config.Body]. It reads the body of end_session, whose delivery is
// enqueued before the event is logged, from the log. It returns no body for other events.
func EndBody(s EndStore) func(context.Context, store.Delivery) ([]byte, error) {
	return func(ctx context.Context, d store.Delivery) ([]byte, error) {
		if d.Event != EndSession {
			return nil, nil
		}
		record, err := s.Get(ctx, d.Account, d.Job)
		if err != nil {
			return nil, err
		}
		if record.Stripped.Has(store.PartMessages) {
			return endOfErased(ctx, record)
		}
		after, err := s.LastSeq(ctx, d.Account, d.Job)
		if err != nil {
			return nil, err
		}
		for {
			events, err := s.Events(ctx, d.Account, d.Job, after, transferPage)
			if err != nil {
				return nil, err
			}
			for _, e := range events {
				if e.Kind == messages.KindEndSession {
					return messages.AppendLiveCallback(nil, d.Job, e.Type(), e.Body), nil
				}
				after = e.Seq
			}
			if len(events) < transferPage {
				return nil, errors.Join(errNotLogged, logEnd(ctx, s, d))
			}
		}
	}
}

// endOfErased is the body of end_session of a session whose log has been erased.
func endOfErased(ctx context.Context, r store.Record) ([]byte, error) {
	var last lastEvent
	if err := session.LogEnd(ctx, r.ID, &last, endOf(r)); err != nil {
		return nil, err
	}
	return messages.AppendLiveCallback(nil, r.ID, last.Type(), last.Body), nil
}

// lastEvent is a log that holds the last event alone.
type lastEvent struct{ messages.Event }

// AppendEvent implements session.EventLog.
func (l *lastEvent) AppendEvent(_ context.Context, e messages.Event, _ int, _ []byte) (int64, bool, error) {
	l.Event = e
	return 1, true, nil
}

// Events implements session.EventLog.
func (l *lastEvent) Events(context.Context, int64, int) ([]messages.Event, error) { return nil, nil }

// logEnd logs end_session for a session whose process died after it kept the outcome and before it
// logged the event.
func logEnd(ctx context.Context, s EndStore, d store.Delivery) error {
	record, err := s.Get(ctx, d.Account, d.Job)
	if err != nil || !record.Finished() || time.Since(*record.CompletedAt) < endGrace {
		return err
	}
	live, err := s.Claim(ctx, d.Job, store.IfFree)
	if err != nil {
		return err // claimed: its holder logs the event
	}
	return errors.Join(session.LogEnd(ctx, d.Job, live, endOf(record)), live.Close())
}

// endOf is the last message of a session with this record.
func endOf(r store.Record) messages.EndSession {
	if code := r.ErrorCode; code != nil && (*code == http.StatusRequestTimeout || *code == http.StatusUnauthorized) {
		return messages.EndSession{ErrorCode: *code} // no session fails otherwise with these
	}
	return messages.EndSession{}
}
