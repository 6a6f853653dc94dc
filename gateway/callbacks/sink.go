package callbacks

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/messages"
	"steno/session"
	"steno/session/retry"
	"steno/session/store"
)

// EndSession is the name of the callback of a live session's last event.
const EndSession = "live.end_session"

const (
	transferPage    = 64              // logged events that are enqueued at a time
	lastTransfer    = 2 * time.Second // for the transfer when a sink is closed
	firstTransfer   = 50 * time.Millisecond
	longestTransfer = 5 * time.Second // between attempts at a transfer
)

// SinkConfig is what a [Sink] works with.
type SinkConfig struct {
	Store     SinkStore
	Record    store.Record // of the session
	URL       string       // that the callbacks go to
	Metrics   *metrics.Metrics
	Recoverer *recovery.Recoverer
	Log       zerolog.Logger
}

// SinkStore is what a [Sink] needs of the store.
type SinkStore interface {
	// Events returns logged events of a job after a sequence number, at most limit.
	Events(ctx context.Context, account, job string, after int64, limit int) ([]messages.Event, error)
	// LastSeq returns the sequence number of the last event of a job that was enqueued.
	LastSeq(ctx context.Context, account, job string) (int64, error)
	// Enqueue adds deliveries to the outbox.
	Enqueue(ctx context.Context, list ...store.Delivery) error
}

// Sink carries a session's events into the outbox of callbacks, in the order of the session.
//
// It never keeps logged events in memory: Send only notes that there are new ones, and a goroutine
// enqueues what the log has after the last event enqueued. So after any failure the events are read
// from the log again and none is lost. Events that are not logged (partials, acks) wait in a short
// queue. Those that find it full are dropped, and those in it are lost if the process dies.
//
// The last event, end_session, is logged after the session has its outcome, when the process may
// die before anything else is enqueued. Finish therefore enqueues its delivery without a body
// before that, and [EndBody] reads the body from the log when it is sent.
//
// Send and Finish may be called from any goroutine; Close is called once, after both.
type Sink struct {
	cfg     SinkConfig
	queue   unloggedQueue
	changed chan struct{} // holds a token while there may be something to enqueue
	stop    context.CancelFunc
	done    chan struct{} // closed when the goroutine has ended

	transferring sync.Mutex
	taken        int64 // number of the last logged event that was enqueued or is not wanted
}

// OpenSink returns the sink of a session and starts its goroutine. Before that it enqueues what an
// earlier process has logged and not enqueued. The caller must Close the sink.
func OpenSink(ctx context.Context, c SinkConfig) (*Sink, error) {
	s := &Sink{
		cfg: c, queue: unloggedQueue{drop: c.Metrics.Drop}, changed: make(chan struct{}, 1), done: make(chan struct{}),
	}
	var err error
	if s.taken, err = c.Store.LastSeq(ctx, c.Record.Account, c.Record.ID); err != nil {
		return nil, err
	}
	if err := s.transfer(ctx); err != nil {
		return nil, err
	}
	s.queue.after = s.taken
	life, stop := context.WithCancel(context.Background())
	s.stop = stop
	go s.run(life)
	return s, nil
}

// Wants returns the kinds of events that the session's request asks for as callbacks.
func (s *Sink) Wants() messages.Filter { return s.cfg.Record.Callback }

// Send takes an event. It does not block: the session calls it under its lock.
func (s *Sink) Send(e messages.Event) {
	s.queue.add(e)
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// run transfers what was sent until the sink is closed.
func (s *Sink) run(ctx context.Context) {
	defer close(s.done)
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.changed:
		}
		s.cfg.Recoverer.Run(recovery.Callback, s.cfg.Record.ID, func() { _ = s.persist(ctx) }) // it fails only with ctx
	}
}

// persist transfers until it succeeds or ctx ends.
func (s *Sink) persist(ctx context.Context) error {
	return s.try(ctx, func() error { return s.transfer(ctx) })
}

// try calls attempt until it succeeds or ctx ends. An outage of the store is no error of each
// session.
func (s *Sink) try(ctx context.Context, attempt func() error) error {
	return retry.Do(ctx, retry.Backoff{First: firstTransfer, Longest: longestTransfer}, attempt, func(err error) {
		level := zerolog.ErrorLevel
		if errors.Is(err, store.ErrAway) {
			level = zerolog.DebugLevel
		}
		s.cfg.Log.WithLevel(level).Str("session", s.cfg.Record.ID).Err(err).Msg("callbacks not enqueued, tried again")
	})
}

// transfer enqueues what the log has after the last event taken, with the unlogged events between.
// It does nothing for a job that was deleted.
func (s *Sink) transfer(ctx context.Context) error {
	s.transferring.Lock()
	defer s.transferring.Unlock()
	for {
		events, err := s.cfg.Store.Events(ctx, s.cfg.Record.Account, s.cfg.Record.ID, s.taken, transferPage)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read events: %w", err)
		}
		upTo := s.taken
		if len(events) > 0 {
			upTo = events[len(events)-1].Seq
		}
		if slices.ContainsFunc(events, isEnd) { // the session has ended, perhaps on another node
			s.queue.end()
		}
		// The queue is read after the log: what was sent before a logged event that was read is in
		// the queue by now.
		unlogged := s.queue.take(upTo)
		if err := s.enqueue(ctx, s.merge(events, unlogged)); err != nil {
			s.queue.restore(unlogged)
			return err
		}
		s.taken = upTo
		if len(events) < transferPage {
			return nil
		}
	}
}

func (s *Sink) enqueue(ctx context.Context, list []store.Delivery) error {
	if len(list) == 0 {
		return nil
	}
	err := s.cfg.Store.Enqueue(ctx, list...)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

func isEnd(e messages.Event) bool { return e.Kind == messages.KindEndSession }

// merge returns the deliveries of logged and unlogged events, in the order in which the session
// sent the events.
func (s *Sink) merge(events []messages.Event, unlogged []unloggedEvent) []store.Delivery {
	var list []store.Delivery
	for _, e := range events {
		for len(unlogged) > 0 && unlogged[0].after < e.Seq {
			list = append(list, s.delivery(unlogged[0].name, unlogged[0].event))
			unlogged = unlogged[1:]
		}
		if session.Wants(s, e.Kind) && !isEnd(e) {
			list = append(list, s.delivery("live."+e.Key.Type(), e))
		}
	}
	for _, u := range unlogged {
		list = append(list, s.delivery(u.name, u.event))
	}
	return list
}

func (s *Sink) delivery(name string, e messages.Event) store.Delivery {
	r := s.cfg.Record
	return store.Delivery{
		Account: r.Account, Job: r.ID, Seq: e.Seq, Event: name, URL: s.cfg.URL, Method: http.MethodPost,
		Body: messages.AppendLiveCallback(nil, r.ID, e.Type(), e.Body),
	}
}

// Finish enqueues everything that was sent, and the delivery of end_session. It is called before
// the session gets its outcome: after that the process may die without anything more being
// enqueued. Acks and refusals that are sent after it are dropped.
func (s *Sink) Finish(ctx context.Context) error {
	s.queue.end()
	if err := s.persist(ctx); err != nil {
		return fmt.Errorf("enqueue callbacks: %w", err)
	}
	r := s.cfg.Record
	if !session.Wants(s, messages.KindEndSession) {
		return nil
	}
	return s.try(ctx, func() error {
		return s.enqueue(ctx, []store.Delivery{{
			Account: r.Account, Job: r.ID, Event: EndSession, URL: s.cfg.URL, Method: http.MethodPost,
		}})
	})
}

// Close ends the goroutine and enqueues what is left. Nothing may be sent after it. It does nothing
// for a nil Sink.
func (s *Sink) Close() {
	if s == nil {
		return
	}
	s.stop()
	<-s.done
	ctx, cancel := context.WithTimeout(context.Background(), lastTransfer)
	defer cancel()
	if err := s.transfer(ctx); err != nil {
		s.cfg.Log.Error().Str("session", s.cfg.Record.ID).Err(err).Msg("callbacks left for the next start")
	}
}
