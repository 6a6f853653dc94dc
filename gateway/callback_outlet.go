package gateway

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/messages"
	"steno/session"
	"steno/session/store"
)

const (
	maxLoose      = 256     // unlogged events that wait for the outbox
	maxLooseBytes = 1 << 20 // the same in bytes
	transferPage  = 64      // logged events enqueued at a time
	lastTransfer  = 2 * time.Second
	endSession    = "live.end_session"
)

// callbackOutlet carries a session's events into the outbox of callbacks, in the order of the session.
//
// Logged events are never kept in memory: Send only says that there is something new, and what the log has after the
// last one enqueued is enqueued by a goroutine. So whatever fails or is killed, nothing is lost: it is read from the log
// again. Events that are not logged (partials, acks) wait in a short queue; those in it when the process dies are lost,
// and those that find it full are dropped.
//
// The last message, end_session, is logged after the session has its outcome, when nobody may be left to enqueue it. It is
// enqueued before, without a body, by finish; the body is read from the log when it is sent.
type callbackOutlet struct {
	server *Server
	record store.Record
	url    string
	wake   chan struct{}
	stop   context.CancelFunc
	done   chan struct{}

	mu         sync.Mutex
	heard      int64 // number of the last logged event that was sent here
	loose      []looseEvent
	looseBytes int

	transferring sync.Mutex
	taken        int64 // number of the last logged event seen to
}

// looseEvent is an event that is not logged.
type looseEvent struct {
	after int64 // the logged event before it
	name  string
	key   string
	kind  messages.Kind
	body  []byte
}

// openCallbacks gives a session whose request asks for callbacks its outlet; nil where it does not. What a former process
// logged and did not enqueue is enqueued when it returns.
func (e *entry) openCallbacks(ctx context.Context, request *messages.LiveRequest) (*callbackOutlet, error) {
	if !request.Callback || e.record.Callback == 0 {
		return nil, nil
	}
	o := &callbackOutlet{
		server: e.server, record: e.record, url: request.CallbackConfig.URL,
		wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
	var err error
	if o.taken, err = e.server.deps.Store.LastSeq(ctx, e.record.Account, e.id); err != nil {
		return nil, err
	}
	if err := o.transfer(ctx); err != nil {
		return nil, err
	}
	o.heard = o.taken
	life, stop := context.WithCancel(context.Background())
	o.stop = stop
	go o.run(life)
	return o, nil
}

// Wants is what the session's request asked for.
func (o *callbackOutlet) Wants() messages.Filter { return o.record.Callback }

// Send says that there is something to enqueue.
func (o *callbackOutlet) Send(e session.Event) {
	o.note(e)
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *callbackOutlet) note(e session.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if e.Seq > 0 {
		o.heard = e.Seq
		return
	}
	o.keep(looseEvent{after: o.heard, key: e.Key, kind: e.Kind, body: e.Body})
}

// keep queues an unlogged event; a partial takes the place of the one before it of its utterance. Called with mu held.
func (o *callbackOutlet) keep(l looseEvent) {
	i := -1
	if l.kind == messages.KindPartial {
		i = slices.IndexFunc(o.loose, func(x looseEvent) bool {
			return x.kind == l.kind && x.key == l.key && x.after == l.after
		})
	}
	// Each event without a number needs a name of its own.
	l.name = fmt.Sprintf("live.%s/%s", l.kind, rand.Text())
	switch {
	case i >= 0:
		o.server.metrics.Drop(metrics.DropPartialReplaced)
		o.looseBytes += len(l.body) - len(o.loose[i].body)
		o.loose[i] = l
	case len(o.loose) >= maxLoose || o.looseBytes+len(l.body) > maxLooseBytes:
		o.server.metrics.Drop(metrics.DropCallbackFull)
	default:
		o.loose = append(o.loose, l)
		o.looseBytes += len(l.body)
	}
}

// takeLoose takes the unlogged events that stand before the logged one after a number.
func (o *callbackOutlet) takeLoose(upTo int64) []looseEvent {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := 0
	for n < len(o.loose) && o.loose[n].after <= upTo {
		o.looseBytes -= len(o.loose[n].body)
		n++
	}
	taken := slices.Clone(o.loose[:n])
	o.loose = slices.Delete(o.loose, 0, n)
	return taken
}

// giveBack puts unlogged events that could not be enqueued in front again.
func (o *callbackOutlet) giveBack(list []looseEvent) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.loose = append(list, o.loose...)
	for _, l := range list {
		o.looseBytes += len(l.body)
	}
}

// run enqueues what comes until the outlet is closed. A store that fails is asked again, ever more slowly.
func (o *callbackOutlet) run(ctx context.Context) {
	defer close(o.done)
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.wake:
		}
		o.server.recoverer.Run(recovery.Callback, o.record.ID, func() { _ = o.persist(ctx) }) // its errors are ctx's only
	}
}

// persist transfers until it succeeds or ctx ends.
func (o *callbackOutlet) persist(ctx context.Context) error {
	const most = 5 * time.Second
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, most) {
		err := o.transfer(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		o.server.log.Error().Str("session", o.record.ID).Err(err).Msg("callbacks not enqueued, tried again")
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// transfer enqueues what the log has behind the last event taken, with the unlogged events between. A job that was
// deleted needs nothing.
func (o *callbackOutlet) transfer(ctx context.Context) error {
	o.transferring.Lock()
	defer o.transferring.Unlock()
	for {
		events, err := o.server.deps.Store.Events(ctx, o.record.Account, o.record.ID, o.taken, transferPage)
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read events: %w", err)
		}
		upTo := o.taken
		if len(events) > 0 {
			upTo = events[len(events)-1].Seq
		}
		// Taken after the log was read: what was sent before an event that was read is in the queue by now.
		loose := o.takeLoose(upTo)
		if err := o.enqueue(ctx, o.merge(events, loose)); err != nil {
			o.giveBack(loose)
			return err
		}
		o.taken = upTo
		if len(events) < transferPage {
			return nil
		}
	}
}

func (o *callbackOutlet) enqueue(ctx context.Context, list []store.Delivery) error {
	if len(list) == 0 {
		return nil
	}
	err := o.server.deps.Store.Enqueue(ctx, list...)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// merge puts logged and unlogged events in the order in which the session sent them.
func (o *callbackOutlet) merge(events []messages.Logged, loose []looseEvent) []store.Delivery {
	var list []store.Delivery
	for _, e := range events {
		for len(loose) > 0 && loose[0].after < e.Seq {
			list = append(list, o.delivery(0, loose[0].name, loose[0].kind, loose[0].body))
			loose = loose[1:]
		}
		if o.record.Callback.Has(e.Kind) && e.Kind != messages.KindEndSession {
			list = append(list, o.delivery(e.Seq, "live."+e.Kind.String(), e.Kind, e.Body))
		}
	}
	for _, l := range loose {
		list = append(list, o.delivery(0, l.name, l.kind, l.body))
	}
	return list
}

func (o *callbackOutlet) delivery(seq int64, name string, k messages.Kind, body []byte) store.Delivery {
	return store.Delivery{
		Account: o.record.Account, Job: o.record.ID, Seq: seq, Event: name, URL: o.url, Method: http.MethodPost,
		Body: messages.AppendLiveCallback(nil, o.record.ID, k, body),
	}
}

// finish enqueues all that is left before the session gets its outcome: after that nobody may come to do it.
func (o *callbackOutlet) finish(ctx context.Context) error {
	if err := o.persist(ctx); err != nil {
		return fmt.Errorf("enqueue callbacks: %w", err)
	}
	if !o.record.Callback.Has(messages.KindEndSession) {
		return nil
	}
	return o.enqueue(ctx, []store.Delivery{{
		Account: o.record.Account, Job: o.record.ID, Event: endSession, URL: o.url, Method: http.MethodPost,
	}})
}

// close ends the outlet when nothing more is sent to it, and enqueues what is left.
func (o *callbackOutlet) close() {
	if o == nil {
		return
	}
	o.stop()
	<-o.done
	ctx, cancel := context.WithTimeout(context.Background(), lastTransfer)
	defer cancel()
	if err := o.transfer(ctx); err != nil {
		o.server.log.Error().Str("session", o.record.ID).Err(err).Msg("callbacks left for the next start")
	}
}
