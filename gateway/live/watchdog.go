package live

import (
	"errors"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"steno/gateway/dialect"
	"steno/gateway/recovery"
	"steno/session"
	"steno/session/panics"
	"steno/session/store"
)

// watchEvery is the resolution of all limits on waiting.
const watchEvery = 250 * time.Millisecond

// maxFinishing bounds how many sessions without a socket are opened and finished at a time, so that
// they do not delay those with one after a restart.
const maxFinishing = 4

// maxRetiring bounds how many finished sessions are retired at a time: Go never frees the
// descriptors of goroutines, of which it keeps as many as there were at the peak.
const maxRetiring = 16

// watchdog enforces every limit on waiting: it finishes sessions that have waited too long, and
// removes the entries of finished ones.
type watchdog struct {
	site      *site
	finishing *semaphore.Weighted // sessions without a socket that are being finished
	retiring  atomic.Bool         // finished sessions are being retired
}

func newWatchdog(s *site) *watchdog {
	return &watchdog{site: s, finishing: semaphore.NewWeighted(maxFinishing)}
}

// run checks all sessions at every tick until the end of the server's life.
func (d *watchdog) run() {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-d.site.life.Done():
			return
		case <-tick.C:
		}
		d.site.watchReach(time.Now())
		var over []*entry
		for _, e := range d.site.registry.list() {
			d.site.cfg.Recoverer.Run(recovery.Task, e.id, func() {
				if d.check(e, time.Now()) {
					over = append(over, e)
				}
			})
		}
		d.retireAll(over)
	}
}

// check starts what is due for the entry, and reports whether the entry must be retired. It skips
// an entry whose lock is held, which is checked again soon.
func (d *watchdog) check(e *entry, now time.Time) (over bool) {
	if e.task.Load() || !e.mu.TryLock() {
		return false
	}
	defer e.mu.Unlock()
	limits := &d.site.cfg.Limits
	if e.ledger != nil && isClosed(e.ledger.Lost()) {
		e.background(e.lose)
		return false
	}
	if e.session != nil && e.phase != ended && isClosed(e.session.Done()) {
		e.settle()
	}
	gone := now.Sub(e.since)
	awaited := min(gone, now.Sub(time.Unix(0, d.site.away.Load()))) // clients are refused while the store is away
	switch {
	case e.phase == waiting && awaited >= limits.NeverConnected:
		e.background(func() { d.expire(e) })
	case e.phase == detached && awaited >= e.window():
		e.background(func() { d.finish(e) })
	case e.phase == ended && e.client == nil && (e.seat.Delivered.Load() && e.session != nil ||
		gone >= limits.ResumeWindow):
		return true
	case e.client != nil && d.site.reach.lost(now) >= d.site.sendAwayAfter(e.id):
		e.background(e.sendAway)
	case e.client != nil:
		d.checkSocket(e, now)
	}
	return false
}

// checkSocket stops a session whose client is idle or that has reached its time limit, and cuts a
// connection that is stuck. It is called with mu held.
func (d *watchdog) checkSocket(e *entry, now time.Time) {
	if why, reason := e.client.Stuck(now); why != "" {
		d.site.cfg.Metrics.Drop(reason)
		d.site.cfg.Log.Info().Str("session", e.id).Str("why", why).Msg("socket cut")
		e.client.Cut()
		return
	}
	if e.phase == attached && !e.stopping && e.client.Quiet(now) {
		e.stopping = true
		e.client.End(dialect.Idle)
		return
	}
	limits := &d.site.cfg.Limits
	over := e.client.Idle(now) >= limits.Idle || now.Sub(e.record.CreatedAt) >= limits.SessionTime
	if e.phase == attached && over && !e.stopping {
		e.stopping = true
		e.background(func() { d.stopOver(e) })
	}
}

// retireAll retires entries in the background, unless others are still being retired: then the next
// check finds them again.
func (d *watchdog) retireAll(over []*entry) {
	if len(over) == 0 || d.retiring.Swap(true) {
		return
	}
	d.site.tasks.Go(func() {
		defer d.retiring.Store(false)
		var group errgroup.Group
		group.SetLimit(maxRetiring)
		for _, e := range over {
			group.Go(func() error {
				if !e.task.Swap(true) {
					e.run(func() { d.retire(e) })
				}
				return nil
			})
		}
		_ = group.Wait() // no error is returned
	})
}

// settle handles the end of the session. If its outcome was not stored, the session is opened again
// later. It is called with mu held.
func (e *entry) settle() {
	e.site.cfg.Recoverer.Report(recovery.Session, e.id, e.session.Err())
	if !e.ledger.finished.Load() {
		e.site.cfg.Log.Error().Str("session", e.id).AnErr("cause",
			e.session.Err()).Msg("outcome of session not kept, tried again later")
		e.endSocket(dialect.Restart)
		e.closeSession()
		e.enter(detached)
		return
	}
	e.enter(ended)
	e.discount()
	code := e.ledger.code.Load()
	e.site.cfg.Metrics.SessionsEnded.WithLabelValues(strconv.FormatInt(code, 10)).Inc()
	e.site.cfg.Log.Info().Str("session", e.id).Str("account", e.record.Account).Int64("error_code", code).
		Int64("sockets", e.sockets.Load()).Int64("audio_bytes", e.ledger.AudioSize()).
		Stringer("age", time.Since(e.record.CreatedAt).Round(time.Millisecond)).AnErr("cause", e.session.Err()).
		Msg("session ended")
}

// expire ends a session whose client has connected to no node.
func (d *watchdog) expire(e *entry) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.phase == waiting && e.renew() {
		d.conclude(e, neverConnected(e))
	}
}

// conclude stores an outcome without running the session, and invalidates its token. It is called
// with mu held.
func (d *watchdog) conclude(e *entry, o store.Outcome) {
	err := d.keep(e, o)
	if e.gone(err) || e.elsewhere(err) {
		return
	}
	if err != nil {
		d.site.logTrouble(e.id, err, "outcome of session not kept, tried again later")
		e.since = time.Now()
		return
	}
	e.seat.Delivered.Store(true)
	e.enter(ended)
	e.discount()
	d.site.cfg.Metrics.SessionsEnded.WithLabelValues(strconv.Itoa(o.ErrorCode)).Inc()
	d.site.cfg.Log.Info().Str("session", e.id).Str("account", e.record.Account).
		Int("error_code", o.ErrorCode).Msg("session ended")
}

// keep claims the session, reports its end to subscribers and callbacks, and stores the outcome. It
// is called with mu held.
func (d *watchdog) keep(e *entry, o store.Outcome) (err error) {
	life := d.site.life
	live, err := d.site.cfg.Store.Claim(life, e.id, store.IfFree)
	if err != nil {
		return err
	}
	defer func() { _ = live.Close() }() // the outcome is stored or not by then
	err = panics.Catch(func() error { return endUnopened(life, e, live, o) })
	if panics.In(err) != nil {
		return live.Finish(life, o)
	}
	return err
}

// finish ends a session whose client has not reconnected. It opens the session from its journal if
// it is not open.
func (d *watchdog) finish(e *entry) {
	if d.finishing.Acquire(d.site.life, 1) != nil {
		return
	}
	defer d.finishing.Release(1)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.phase != detached || d.site.halted.Load() || e.session == nil && !e.renew() {
		return
	}
	err := e.openSession(d.site.life, store.IfFree)
	if err == nil {
		err = e.session.Stop(d.site.life, false)
	}
	if e.seat.Deleted.Load() || e.gone(err) || e.elsewhere(err) {
		return
	}
	if panics.In(err) != nil && e.session == nil { // the next attempt would fail alike
		d.site.cfg.Recoverer.Report(recovery.Session, e.id, err)
		d.conclude(e, store.Outcome{ErrorCode: http.StatusInternalServerError, Message: "internal error"})
		return
	}
	if err != nil && d.site.life.Err() == nil {
		d.site.logTrouble(e.id, err, "session not finished, tried again later")
		if e.session != nil && e.session.Err() == nil { // else it is ending on its own
			e.closeSession()
		}
	}
	e.since = time.Now()
}

// stopOver stops the recording of a session whose client is idle or that has reached its time
// limit. The client still receives the rest.
func (d *watchdog) stopOver(e *entry) {
	e.mu.Lock()
	open := e.session
	e.mu.Unlock()
	if open == nil {
		return
	}
	if err := open.Stop(d.site.life, false); err != nil && !errors.Is(err, session.ErrAbandoned) {
		d.site.cfg.Log.Error().Str("session", e.id).Err(err).Msg("session not stopped")
	}
}

// erase erases what of a session is not to be kept. Where that fails the sweeper does it. It is
// called with mu held, after the claim was given back.
func (d *watchdog) erase(e *entry) {
	if e.record.Transient == 0 {
		return
	}
	err := d.site.cfg.Store.Strip(d.site.life, e.record.Account, e.id, e.record.Transient)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		d.site.logTrouble(e.id, err, "not erased yet what is not to be kept of a session, tried again later")
	}
	e.seat.Delivered.Store(true) // nothing is left for a client that comes back
}

// retire closes a finished session, and removes its entry after its resume window.
func (d *watchdog) retire(e *entry) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.phase != ended || e.client != nil {
		return
	}
	if e.session != nil {
		e.closeSession()
		d.erase(e)
	}
	if time.Since(e.since) < d.site.cfg.Limits.ResumeWindow {
		return // until then the entry shows that its token is invalid
	}
	e.phase = dropped
	d.site.registry.remove(e)
}
