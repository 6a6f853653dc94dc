package subscribers

import (
	"context"
	"errors"
	"sync"
	"time"

	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/messages"
	"steno/session/store"
)

const (
	checkEvery  = 10 * time.Second // a hub looks at its log unasked
	retryAfter  = time.Second      // a log that could not be read is read again
	missingFor  = 2 * time.Second  // how long a session is not found before it counts as deleted, see absence
	recentBytes = 128 << 10        // of logged publications that a hub keeps for those who join
)

// hub reads a log once for all subscribers of it on this node.
type hub struct {
	service       *Service
	source        source
	inbox         *inbox
	absence       absence // the hub's goroutine's
	subscriptions int     // that hold the hub; guarded by Service.mu
	stop          context.CancelFunc

	mu       sync.Mutex
	clients  map[*client]struct{}
	started  bool  // position is set: by the first client that joins
	position int64 // up to which the log was given to the clients
	recent   []*publication
	bytes    int           // of recent
	floor    int64         // position before the first of recent
	over     bool          // nothing follows
	finals   map[int]int64 // by channel: the utterance after the last one that has its final or its speech_end
	unlogged int           // clients that want unlogged events
}

func newHub(s *Service, from source) *hub {
	return &hub{service: s, source: from, inbox: newInbox(), clients: map[*client]struct{}{}}
}

// join adds a client that has everything up to a position, and reports whether it did. The client
// has to read on where the hub is further than that and does not remember what is missing, or where
// that is more than may wait for it. atEnd is true if the client has found no more in the log.
func (h *hub) join(c *client, after int64, atEnd bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case !h.started && atEnd:
		h.started, h.position, h.floor = true, after, after
	case !h.started, after < h.floor, h.bytesAfter(after) > c.room:
		return false
	}
	c.resume(after)
	for _, f := range h.recent {
		c.push(f)
	}
	h.clients[c] = struct{}{}
	if h.over {
		c.finish(endFinished)
	}
	if c.wants&unlogged != 0 {
		h.unlogged++
	}
	h.inbox.signal(store.Signal{}) // something may have come since the client has looked
	return true
}

// bytesAfter returns how many bytes of logged publications follow a position. It is called with mu
// held.
func (h *hub) bytesAfter(position int64) (bytes int) {
	for _, f := range h.recent {
		if f.position > position {
			bytes += len(f.body)
		}
	}
	return bytes
}

// leave removes a client. It changes nothing for one that is not there.
func (h *hub) leave(c *client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.remove(c)
	h.inbox.notify() // it may have been the last one that wants unlogged events
}

// remove is leave with mu held.
func (h *hub) remove(c *client) {
	if _, ok := h.clients[c]; !ok {
		return
	}
	delete(h.clients, c)
	if c.wants&unlogged != 0 {
		h.unlogged--
	}
}

// broadcast pushes a publication to all clients. It is called with mu held.
func (h *hub) broadcast(f *publication) {
	for c := range h.clients {
		if !c.push(f) {
			h.remove(c)
		}
	}
}

// endAll ends all subscriptions of the hub.
func (h *hub) endAll(e ending) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.clients {
		c.finish(e)
	}
}

// run reads the log whenever there is something new, until ctx ends.
func (h *hub) run(ctx context.Context) {
	f := feeds{hub: h}
	defer f.stop()
	timer := time.NewTimer(h.service.checkEvery)
	defer timer.Stop()
	for {
		f.follow(ctx)
		check := false
		select {
		case <-ctx.Done():
			return
		case <-h.inbox.wake:
		case <-timer.C:
			check = true
			timer.Reset(h.service.checkEvery)
		}
		if err := h.pass(ctx, check); err != nil && ctx.Err() == nil {
			h.fail(err)
			timer.Reset(retryAfter)
		}
	}
}

// fail notes that the log could not be read. The subscriptions of a session that is deleted end;
// otherwise the hub tries again soon.
func (h *hub) fail(err error) {
	switch {
	case h.absence.lasts(err, time.Now()):
		h.endAll(endDeleted)
	case !errors.Is(err, store.ErrNotFound):
		h.service.unreadable(err)
	}
}

// absence is since when a session has not been found. A server that takes the place of another may
// have forgotten the record of one that runs, which its holder writes again within a second: so it
// is not deleted before it was missing for a while. The zero value is that of a session that was
// found.
type absence struct{ since time.Time }

// lasts takes what asking for the session has given, nil included, and reports whether it has been
// missing for too long.
func (a *absence) lasts(err error, now time.Time) bool {
	if !errors.Is(err, store.ErrNotFound) {
		a.since = time.Time{}
		return false
	}
	if a.since.IsZero() {
		a.since = now
	}
	return now.Sub(a.since) >= missingFor
}

// pass pushes to the clients what has come. check has it look at the log in any case.
func (h *hub) pass(ctx context.Context, check bool) error {
	logged, pending, dropped := h.inbox.take()
	h.service.cfg.Metrics.DropMany(metrics.DropSubscriberFull, dropped)
	for _, s := range pending {
		if err := h.passUnlogged(ctx, s); err != nil {
			return err
		}
	}
	if !logged && !check {
		return nil
	}
	if err := h.read(ctx); err != nil {
		return err
	}
	if !check {
		return nil
	}
	return h.check(ctx)
}

// passUnlogged pushes an unlogged event to the clients, after the logged ones before it. A partial
// that the log has overtaken is dropped: its utterance may have its final.
func (h *hub) passUnlogged(ctx context.Context, s store.Signal) error {
	if s.After > h.standing() {
		if err := h.read(ctx); err != nil {
			return err
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stale(s) {
		h.service.cfg.Metrics.Drop(metrics.DropSubscriberStale)
		return nil
	}
	h.broadcast(newPublication(0, 0, h.source.session(), s.Event))
	return nil
}

// standing returns the position up to which the clients were given the log.
func (h *hub) standing() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.position
}

// read pushes to the clients what is new in the log. Only the hub's goroutine calls it, so
// positions do not go back.
func (h *hub) read(ctx context.Context) error {
	for {
		h.mu.Lock()
		after, idle := h.position, !h.started
		h.mu.Unlock()
		if idle {
			return nil
		}
		p, err := h.source.read(ctx, after)
		if err != nil {
			return err
		}
		h.service.readable()
		h.absence = absence{}
		h.publish(p)
		if !p.full {
			return nil
		}
	}
}

// publish pushes a page to the clients.
func (h *hub) publish(p page) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range p.publications {
		h.position = f.position
		h.settle(f.key)
		h.keep(f)
		h.broadcast(f)
	}
	if p.over {
		h.finish()
	}
}

// settle notes that an utterance has its final or its speech_end. It is called with mu held.
func (h *hub) settle(k messages.Key) {
	if k.Kind != messages.KindFinal && k.Kind != messages.KindSpeechEnd {
		return
	}
	if channel, number, ok := messages.ParseUtteranceID(k.Subject); ok {
		if h.finals == nil {
			h.finals = map[int]int64{}
		}
		h.finals[channel] = max(h.finals[channel], number+1)
	}
}

// stale reports whether an event is a partial that the log has overtaken. The position that it
// comes with may be unknown, of a node that has taken the session over and logged nothing yet. It
// is called with mu held.
func (h *hub) stale(s store.Signal) bool {
	if s.Event.Kind != messages.KindPartial {
		return false
	}
	channel, number, _ := messages.ParseUtteranceID(s.Event.Subject)
	return s.After > 0 && s.After < h.position || number < h.finals[channel]
}

// finish ends all subscriptions: nothing follows in the log. It is called with mu held.
func (h *hub) finish() {
	h.over = true
	for c := range h.clients {
		c.finish(endFinished)
	}
}

// keep remembers a publication for those who join. It is called with mu held.
func (h *hub) keep(f *publication) {
	h.recent, h.bytes = append(h.recent, f), h.bytes+len(f.body)
	for h.bytes > recentBytes {
		h.floor = h.recent[0].position
		h.bytes -= len(h.recent[0].body)
		h.recent[0] = nil
		h.recent = h.recent[1:]
	}
}

// check ends the subscriptions of a finished session whose log does not show the end, and those of
// a log that is not the same any more.
func (h *hub) check(ctx context.Context) error {
	over, err := h.source.over(ctx)
	if err != nil {
		return err
	}
	if over {
		h.mu.Lock()
		h.finish()
		h.mu.Unlock()
	}
	epoch, err := h.service.cfg.Store.Epoch(ctx)
	if err != nil {
		return err
	}
	if epoch != h.source.history() {
		h.endAll(endRestart) // they come back with the id of another epoch, and receive a notice
	}
	return nil
}

// feeds are what a hub follows of the store's feed. They are used by the hub's goroutine.
type feeds struct {
	hub            *hub
	logged         func() // ends following the log; nil: it is not followed
	unloggedEvents func() // the same of the unlogged events
}

// follow begins to follow what clients want and is not followed yet, and ends following what none
// wants. What fails is tried again with the hub's next pass.
func (f *feeds) follow(ctx context.Context) {
	t := f.hub.source.topic()
	if f.logged == nil {
		if f.logged = f.begin(ctx, t); f.logged != nil {
			f.hub.inbox.signal(store.Signal{}) // for what came before
		}
	}
	if t.Kind != store.SessionLog {
		return
	}
	f.hub.mu.Lock()
	wanted := f.hub.unlogged > 0
	f.hub.mu.Unlock()
	switch {
	case wanted && f.unloggedEvents == nil:
		f.unloggedEvents = f.begin(ctx, store.Topic{Kind: store.SessionUnlogged, Name: t.Name})
	case !wanted && f.unloggedEvents != nil:
		f.unloggedEvents()
		f.unloggedEvents = nil
	}
}

func (f *feeds) begin(ctx context.Context, t store.Topic) func() {
	stop, err := f.hub.service.cfg.Store.Follow(ctx, t, f.hub.inbox.signal)
	if err != nil {
		if ctx.Err() == nil {
			f.hub.service.unreadable(err)
		}
		return nil
	}
	return stop
}

func (f *feeds) stop() {
	for _, stop := range []func(){f.logged, f.unloggedEvents} {
		if stop != nil {
			stop()
		}
	}
}

// guard runs the hub and reports a panic, which ends its subscriptions.
func (h *hub) guard(ctx context.Context) {
	h.service.cfg.Recoverer.Run(recovery.Task, h.source.topic().Name, func() { h.run(ctx) })
	if ctx.Err() == nil {
		h.service.forget(h)
		h.endAll(endInternal)
	}
}
