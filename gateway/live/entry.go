package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"steno/gateway/activity"
	"steno/gateway/admission"
	"steno/gateway/client"
	"steno/gateway/dialect"
	"steno/gateway/metrics"
	"steno/messages"
	"steno/session"
	"steno/session/panics"
	"steno/session/store"
)

// phase is a session's state as clients see it.
type phase int

const (
	waiting  phase = iota // no socket was attached yet
	attached              // a socket is attached
	detached              // the socket is gone; a new one may attach
	ended                 // finished; a socket may attach for the events that it missed
	dropped               // the entry is out of use
)

// errDead reports an invalid token.
var errDead = errors.New("session is over")

// errDropped reports that the entry was dropped while its lock was waited for. There may be a new
// one.
var errDropped = errors.New("session was dropped")

// errReplaced reports that a newer socket was attached first.
var errReplaced = errors.New("replaced by a newer socket")

// errHalted reports that the server is shutting down.
var errHalted = errors.New("server is shutting down")

// entry is one session in the registry. It exists before the session runs and after it, and
// outlives sockets. It is dropped when another node has the session. Its methods may be called from
// any goroutine unless their comments require mu.
type entry struct {
	site     *site
	id       string
	record   store.Record // as of the making of the entry, without its texts
	seat     *client.Seat
	speaker  *admission.Speaker // the speaker that admission counts; nil if it was finished before
	activity *activity.Sink

	task    atomic.Bool // a background task runs for it
	revoked atomic.Bool // its key was revoked: the token is invalid
	sockets atomic.Int64

	occupied atomic.Bool // it has a client, or one is being attached; changed with mu held

	opening atomic.Pointer[context.CancelFunc] // cancels the opening of the session; nil while it is not being opened
	opened  atomic.Pointer[session.Session]    // the open session, for readers that cannot wait for mu

	mu        sync.Mutex
	counted   bool // among the unfinished sessions
	phase     phase
	since     time.Time // start of its phase
	ledger    *ledger   // nil while the session is not open
	session   *session.Session
	pause     time.Duration // of the client that counts as silence; 0: none does. Set with session
	container string        // encoding of the audio if it is in a container. Set with session
	client    *client.Client
	stopping  bool          // the idle limit of the client was reached
	newest    int64         // order of the newest client so far
	grace     time.Duration // for which a lost client may reconnect; 0: the resume window
	asked     time.Time     // when the record was last read to see whether the client is on another node
}

// newEntry returns the entry of a record. speaker is that of a session just admitted; nil: the
// entry counts as admitted before.
func newEntry(s *site, r store.Record, speaker *admission.Speaker) *entry {
	e := &entry{
		site: s, id: r.ID, record: withoutTexts(r), counted: true, phase: waiting, since: time.Now(),
		activity: new(activity.Sink), grace: r.Grace,
	}
	e.seat = newSeat(e)
	if e.speaker = speaker; speaker == nil && !r.Finished() {
		e.speaker = s.cfg.Admission.Enter(recordHolder(r).speaks(), r.Channels)
	}
	switch {
	case r.Finished():
		e.counted, e.phase, e.since = false, ended, *r.CompletedAt
		if r.Stripped != 0 {
			e.seat.Delivered.Store(true) // there is nothing left to be delivered
		}
	case r.Stopped || r.Status == messages.StatusProcessing:
		e.phase = detached
	}
	return e
}

// newSeat returns the seat for the session's clients.
func newSeat(e *entry) *client.Seat {
	seat := client.NewSeat(e.id, &e.site.cfg.Limits)
	seat.Holder, seat.Wants = recordHolder(e.record).name(), e.record.Socket
	seat.ReportsAcks = e.record.Callback.Has(messages.KindAudioAck)
	seat.Sent = func(ev *messages.Event) { measureSent(e.site.cfg.Metrics, e.activity, ev) }
	return seat
}

// withoutTexts returns a record without the fields that take memory and are read again when the
// session is opened.
func withoutTexts(r store.Record) store.Record {
	r.CustomMetadata, r.PostSessionMetadata, r.Params, r.Languages, r.Warnings, r.Result = nil, nil, nil, nil, nil, nil
	return r
}

// enter changes the phase. It is called with mu held.
func (e *entry) enter(p phase) {
	e.phase, e.since = p, time.Now()
	e.speaker.Connect(p == attached)
}

// connected reports whether the session has a socket, or may have one soon: it is being opened, or
// a socket is being attached.
func (e *entry) connected() bool { return e.occupied.Load() || e.opening.Load() != nil }

// discount removes the session from the unfinished ones. It is called with mu held.
func (e *entry) discount() {
	if e.counted {
		e.counted = false
		e.speaker.Leave()
		e.site.registry.dismiss(recordHolder(e.record))
	}
}

// openSession claims and starts the session, unless it is open. It is called with mu held.
func (e *entry) openSession(ctx context.Context, intent store.Intent) error {
	if e.session != nil && !isClosed(e.ledger.Lost()) {
		return nil
	}
	e.endSocket(e.lostWhy())
	e.closeSession()
	if e.site.halted.Load() {
		return errHalted
	}
	ctx, done := context.WithCancel(ctx)
	defer done()
	e.opening.Store(&done)
	defer e.opening.Store(nil)
	if e.seat.Deleted.Load() {
		return store.ErrNotFound
	}
	record, err := e.site.cfg.Store.Get(ctx, e.record.Account, e.id)
	if err != nil {
		return fmt.Errorf("read record: %w", err)
	}
	request, err := admission.LiveRequest(record, e.site.cfg.Addons.Declarations()...)
	if err != nil {
		return err
	}
	live, err := e.site.cfg.Store.Claim(ctx, e.id, intent)
	if err != nil {
		return fmt.Errorf("claim session: %w", err)
	}
	if err := panics.Catch(func() error {
		return e.begin(ctx, opener{e.site, record, request, e.speaker, e.activity},
			live)
	}); err != nil {
		return errors.Join(err, live.Close())
	}
	if e.seat.Deleted.Load() {
		e.closeSession()
		return store.ErrNotFound
	}
	return nil
}

// begin starts a claimed session. It is called with mu held.
func (e *entry) begin(ctx context.Context, o opener, live store.Live) error {
	open, l, err := o.open(ctx, live)
	if err != nil {
		return err
	}
	e.ledger, e.session, e.pause = l, open, pauseOf(o.request)
	if o.request.Container() {
		e.container = o.request.Encoding
	}
	e.opened.Store(open)
	return nil
}

// pauseOf returns after how long a pause counts as silence for a request; 0: never.
func pauseOf(r *messages.LiveRequest) time.Duration {
	if r.SilenceAfter == nil {
		return 0
	}
	return time.Duration(*r.SilenceAfter * float64(time.Second))
}

// window returns how long the session waits for a client that was lost.
func (e *entry) window() time.Duration {
	window := e.site.cfg.Limits.ResumeWindow
	return min(window, cmp.Or(e.grace, window))
}

// closeSession closes the session, which is done or abandoned in this process, and releases its
// claim: other nodes may finish it once it has waited for its client. It is called with mu held.
func (e *entry) closeSession() {
	if e.session == nil {
		return
	}
	e.session.Abandon()
	e.ledger.callbacks.Close()
	e.ledger.span.End(int(e.ledger.code.Load()))
	if err := e.ledger.Release(e.window()); err != nil {
		e.site.cfg.Log.Error().Str("session", e.id).Err(err).Msg("claim not given back")
	}
	e.opened.Store(nil)
	e.session, e.ledger = nil, nil
}

// attach makes k the session's client. The client before is closed as replaced, and passes nothing
// to the session once attach returns. If another node holds the session, it ends there. Errors:
// errRevoked, errDead, errDropped, errHalted, errReplaced, or why the session cannot be opened.
func (e *entry) attach(ctx context.Context, k *client.Client) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.admit(k); err != nil {
		return err
	}
	defer func() { e.occupied.Store(e.client != nil) }()
	if err := e.claimFor(ctx, k); err != nil {
		if e.seat.Deleted.Load() {
			return store.ErrNotFound
		}
		return err
	}
	if e.phase == waiting {
		e.enter(detached)
	}
	if old := e.client; old != nil {
		e.site.cfg.Metrics.SocketsReplaced.Inc()
		old.Silence()
		e.endSocket(dialect.Replaced)
	}
	e.occupied.Store(true)
	open := client.Session{Session: e.session, Ledger: e.ledger, Pause: e.pause, Container: e.container}
	if err := panics.Catch(func() error { return k.Attach(ctx, open) }); err != nil {
		return err
	}
	e.client, e.newest, e.stopping, e.grace = k, k.Order(), false, k.Grace()
	e.sockets.Add(1)
	if e.phase != ended {
		e.enter(attached)
	}
	return nil
}

// claimFor opens the session for a client that has connected to this node. A claim is moved from
// another node only if the client is still connected here, and only from the node that was seen to
// hold it: while this node waited for the store or was paused, the client may have connected to a
// third node. Errors: errHungUp, those of openSession. It is called with mu held.
func (e *entry) claimFor(ctx context.Context, k *client.Client) error {
	intent := store.IfFree
	for range maxTakeovers {
		err := e.openSession(ctx, intent)
		var claimed store.ClaimedError
		if !errors.As(err, &claimed) {
			return err
		}
		if k.HasLeft() {
			return errHungUp
		}
		intent = store.TakeFrom(claimed.Holder)
	}
	return store.ErrClaimed // several nodes claim it from each other
}

// admit returns why a socket may not be attached; nil if it may. It is called with mu held.
func (e *entry) admit(k *client.Client) error {
	switch {
	case e.revoked.Load():
		return errRevoked
	case e.phase == dropped:
		return errDropped
	case e.seat.Delivered.Load():
		return errDead
	case e.site.halted.Load() || e.site.handing.Load():
		return errHalted
	case k.Order() < e.newest:
		return errReplaced
	}
	return nil
}

// detach records that the socket is gone.
func (e *entry) detach(k *client.Client) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.client != k {
		return
	}
	k.Detach()
	e.client = nil
	e.occupied.Store(false)
	if e.phase == attached {
		e.enter(detached)
	}
}

// end records that the record is deleted, and cancels the opening of the session.
func (e *entry) end() {
	e.seat.Deleted.Store(true)
	if done := e.opening.Load(); done != nil {
		(*done)()
	}
}

// drop closes everything because the record was deleted. It abandons the session first, so that a
// goroutine that runs it releases mu.
func (e *entry) drop() {
	e.end()
	if open := e.opened.Load(); open != nil {
		open.Abandon()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.forget()
}

// gone reports whether an error means that another process has deleted the record. If so it drops
// the session. It is called with mu held.
func (e *entry) gone(err error) bool {
	if !errors.Is(err, store.ErrNotFound) {
		return false
	}
	e.forget()
	e.site.registry.remove(e)
	return true
}

// forget closes the socket and the session. It is called with mu held.
func (e *entry) forget() {
	e.end()
	if e.counted {
		e.site.cfg.Metrics.SessionsEnded.WithLabelValues(metrics.Cancelled).Inc()
		e.site.cfg.Log.Info().Str("session", e.id).Str("account", e.record.Account).Msg("session cancelled")
	}
	e.endSocket(dialect.Deleted)
	e.closeSession()
	e.discount()
	e.phase = dropped
}

// endSocket closes the socket, if there is one, and detaches it. It is called with mu held, before
// closeSession.
func (e *entry) endSocket(why dialect.Why) {
	if e.client == nil {
		return
	}
	e.client.Leave(why)
	e.client.Detach()
	e.client = nil
	e.occupied.Store(false)
	if e.phase == attached {
		e.enter(detached)
	}
}

// abandon ends the session in this process; the next process that claims it resumes it.
func (e *entry) abandon() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.client != nil {
		e.client.End(dialect.Restart)
	}
	if e.session != nil {
		e.session.Abandon()
	}
}

// lostWhy returns how to close the client of a session whose claim was lost. It is called with mu
// held.
func (e *entry) lostWhy() dialect.Why {
	if e.ledger == nil {
		return dialect.Restart
	}
	return client.EndOfLoss(e.ledger.Cause())
}

// isClosed reports whether a channel is closed.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// errHungUp reports that a client has closed its connection before its socket was attached.
var errHungUp = errors.New("client has hung up")

// maxTakeovers bounds how often a session is claimed for one socket while its holder changes.
const maxTakeovers = 8

// errRevoked reports that the API key that a session was created with was removed or has expired.
var errRevoked = errors.New("API key of the session was revoked")
