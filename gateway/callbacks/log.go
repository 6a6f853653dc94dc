package callbacks

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"steno/gateway/web"
	"steno/messages"
	"steno/session/store"
)

// mostLogged bounds the deliveries that a log lists.
const mostLogged = 1000

// LogStore is what a [Log] needs of the store.
type LogStore interface {
	// JobDeliveries lists at most limit deliveries of a job, newest first.
	JobDeliveries(ctx context.Context, account, job string, limit int) ([]store.Delivery, error)
	// NextDue is when the first pending delivery of a job is due; the zero time where none is, or
	// one is being sent.
	NextDue(ctx context.Context, account, job string) (time.Time, error)
	// Redeliver makes a delivery due that was not sent.
	Redeliver(ctx context.Context, id string) error
}

// Log answers requests for what became of the callbacks of a job. Its methods may be called from
// any goroutine.
type Log struct {
	Store  LogStore
	GiveUp time.Duration // that of [Config]
	// Find returns the record that a request is about.
	Find func(r *http.Request, kind messages.JobKind) (store.Record, error)
}

// DeliveryList is the callbacks of a job, newest first: at most 1000. Those that have arrived are
// forgotten after a while.
type DeliveryList struct {
	Items messages.List[LoggedDelivery] `json:"items" doc:"The deliveries, the newest first"`
}

// LoggedDelivery is one callback. Its URL is shown without its query, which may hold secrets.
type LoggedDelivery struct {
	ID           string              `json:"id" doc:"The same for each attempt: the header webhook-id"`
	Event        string              `json:"event" doc:"Name of the callback"`
	Number       int64               `json:"seq" doc:"Of the event in the session; 0: not of one event"`
	State        store.DeliveryState `json:"state" enum:"pending,sent,dead" doc:"pending: to be sent, or tried again; sent: it has arrived; dead: given up"`
	Method       string              `json:"method" doc:"Of the request"`
	URL          string              `json:"url" doc:"Without its query"`
	CreatedAt    messages.Timestamp  `json:"created_at" doc:"When it was enqueued"`
	FirstAttempt *messages.Timestamp `json:"first_attempt_at" doc:"Null before"`
	NextAttempt  *messages.Timestamp `json:"next_attempt_at" doc:"Of the one that is to be sent next, while it waits; else null"`
	LastAttempt  *messages.Timestamp `json:"last_attempt_at" doc:"When it is given up, where it is tried again; else null"`
	Attempts     int                 `json:"attempts" doc:"So far"`
	Status       int                 `json:"status" doc:"Of the last failure; 0: none, or no answer came"`
	Failure      string              `json:"failure" doc:"What the last failed attempt met"`
}

// List answers with the deliveries of a job of a kind.
func (l *Log) List(kind messages.JobKind) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		record, err := l.Find(r, kind)
		if err != nil {
			return err
		}
		answer, err := l.list(r.Context(), record)
		if err != nil {
			return err
		}
		web.WriteJSON(w, http.StatusOK, answer)
		return nil
	}
}

func (l *Log) list(ctx context.Context, record store.Record) (answer DeliveryList, err error) {
	due, err := l.Store.NextDue(ctx, record.Account, record.ID)
	if err != nil {
		return answer, err
	}
	deliveries, err := l.Store.JobDeliveries(ctx, record.Account, record.ID, mostLogged)
	if err != nil {
		return answer, err
	}
	next := -1 // the oldest that is pending
	for i := range deliveries {
		answer.Items = append(answer.Items, l.shown(&deliveries[i]))
		if deliveries[i].State == store.DeliveryPending {
			next = i
		}
	}
	if next >= 0 && !due.IsZero() && len(deliveries) < mostLogged {
		answer.Items[next].NextAttempt = messages.OptionalStamp(due)
	}
	return answer, nil
}

// Redeliver makes a dead or waiting delivery of a job of a kind due immediately.
func (l *Log) Redeliver(kind messages.JobKind) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		deliveries, err := l.deliveries(r, kind)
		if err != nil {
			return err
		}
		id := r.PathValue("delivery")
		err = store.ErrNotFound
		if slices.ContainsFunc(deliveries, func(d store.Delivery) bool { return d.ID == id }) {
			err = l.Store.Redeliver(r.Context(), id)
		}
		switch {
		case errors.Is(err, store.ErrSent):
			return &messages.Problem{Status: http.StatusConflict, Message: "the delivery has arrived", Err: err}
		case errors.Is(err, store.ErrNotFound):
			return &messages.Problem{Status: http.StatusNotFound, Message: "there is no such delivery of this job",
				Err: err}
		case err != nil:
			return err
		}
		w.WriteHeader(http.StatusAccepted)
		return nil
	}
}

// deliveries returns the newest deliveries of the job that a request is about.
func (l *Log) deliveries(r *http.Request, kind messages.JobKind) ([]store.Delivery, error) {
	record, err := l.Find(r, kind)
	if err != nil {
		return nil, err
	}
	return l.Store.JobDeliveries(r.Context(), record.Account, record.ID, mostLogged)
}

func (l *Log) shown(d *store.Delivery) LoggedDelivery {
	s := LoggedDelivery{
		ID: d.ID, Event: d.Event, Number: d.Seq, State: d.State, Method: d.Method, URL: WithoutQuery(d.URL),
		CreatedAt: messages.Stamp(d.CreatedAt), Attempts: d.Attempts, Status: d.Status, Failure: d.Failure,
	}
	if d.FirstAttempt != nil {
		s.FirstAttempt = messages.OptionalStamp(*d.FirstAttempt)
		if d.State == store.DeliveryPending {
			s.LastAttempt = messages.OptionalStamp(d.FirstAttempt.Add(cmp.Or(l.GiveUp, defaultGiveUp)))
		}
	}
	return s
}

// WithoutQuery returns a URL without its query and its user, which may hold secrets; empty for what
// is no URL.
func WithoutQuery(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}
