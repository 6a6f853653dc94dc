package live

import (
	"errors"
	"time"

	"steno/gateway/dialect"
	"steno/messages"
	"steno/session"
	"steno/session/store"
)

// elsewhere reports whether an error means that another node has the session or has finished it. If
// so it drops the entry. It is called with mu held.
func (e *entry) elsewhere(err error) bool {
	for _, other := range []error{store.ErrClaimed, store.ErrTaken, store.ErrFinished, store.ErrLost,
		session.ErrAbandoned} {
		if errors.Is(err, other) && e.site.life.Err() == nil {
			e.release(e.lostWhy())
			return true
		}
	}
	return false
}

// release closes the socket, releases the session's claim and drops the entry: the session
// continues elsewhere or later. It is called with mu held.
func (e *entry) release(why dialect.Why) {
	if k := e.client; k != nil {
		k.End(why)
		e.session.Abandon() // unblocks the reader
		k.Silence()
	}
	e.endSocket(why)
	e.closeSession()
	e.discount()
	e.phase = dropped
	e.site.registry.remove(e)
}

// lose drops a session whose claim was lost.
func (e *entry) lose() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ledger == nil || e.ledger.Cause() == nil {
		return
	}
	if !e.gone(e.ledger.Cause()) {
		e.site.cfg.Log.Info().Str("session", e.id).Str("account", e.record.Account).AnErr("cause", e.ledger.Cause()).
			Msg("session goes on elsewhere")
		e.site.cfg.Metrics.SessionsMoved.Inc()
		e.release(e.lostWhy())
	}
}

// renew reads the record of a session that is not open here, and reports whether this node must
// still end it. If its client has connected to another node, or it is finished or deleted, the
// entry is dropped. It is called with mu held.
func (e *entry) renew() bool {
	r, err := e.site.cfg.Store.Get(e.site.life, e.record.Account, e.id)
	switch {
	case e.gone(err):
		return false
	case err != nil:
		e.site.logTrouble(e.id, err, "session not looked up, tried again later")
		e.since = time.Now()
		return false
	case r.Finished() || e.phase == waiting && r.Status != messages.StatusQueued:
		e.release(dialect.Restart)
		return false
	}
	return true
}
