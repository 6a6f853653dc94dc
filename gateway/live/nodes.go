package live

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/client"
	"steno/gateway/dialect"
	"steno/messages"
	"steno/session"
	"steno/session/store"
)

const (
	reportFor  = 10 * time.Second // for which a report of what this node counts is valid
	adoptEvery = 5 * time.Second  // at most between looks at what is due
	maxAdopted = 64               // sessions that are taken up at a time
	settledFor = 5 * time.Second  // after which the record is read to see whether the client has gone to another node
)

// elsewhere reports whether an error means that another node has the session or has ended it, and if so drops the entry. It is
// called with mu held.
func (e *entry) elsewhere(err error) bool {
	for _, other := range []error{store.ErrClaimed, store.ErrTaken, store.ErrFinished, store.ErrLost, session.ErrAbandoned} {
		if errors.Is(err, other) && e.sessions.life.Err() == nil {
			e.release(e.lostWhy())
			return true
		}
	}
	return false
}

// release closes the socket, gives up the session and its claim, and drops the entry: the session goes on elsewhere or later.
// It is called with mu held.
func (e *entry) release(why dialect.Why) {
	if k := e.client; k != nil {
		k.End(why)
		e.session.Abandon() // so that the reader does not wait for it
		k.Silence()
	}
	e.endSocket(why)
	e.closeSession()
	e.discount()
	e.phase = dropped
	e.sessions.registry.remove(e)
}

// lose drops a session whose claim has ended.
func (e *entry) lose() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ledger == nil || e.ledger.Cause() == nil {
		return
	}
	if !e.gone(e.ledger.Cause()) {
		e.sessions.cfg.Log.Info().Str("session", e.id).Str("account", e.record.Account).AnErr("cause", e.ledger.Cause()).
			Msg("session goes on elsewhere")
		e.sessions.cfg.Metrics.SessionsMoved.Inc()
		e.release(e.lostWhy())
	}
}

// lostWhy returns why the client of a session is sent away whose claim has ended. It is called with mu held.
func (e *entry) lostWhy() dialect.Why {
	if e.ledger == nil {
		return dialect.Restart
	}
	return client.EndOfLoss(e.ledger.Cause())
}

// renew reads the record of a session that is not open here, and reports whether this node is still to end it. If its
// client has come to another node, or it is finished or deleted, the entry is dropped. It is called with mu held.
func (e *entry) renew() bool {
	r, err := e.sessions.cfg.Store.Get(e.sessions.life, e.record.Account, e.id)
	switch {
	case e.gone(err):
		return false
	case err != nil:
		e.sessions.logTrouble(e.id, err, "session not looked up, tried again later")
		e.since = time.Now()
		return false
	case r.Finished() || e.phase == waiting && r.Status != messages.StatusQueued:
		e.release(dialect.Restart)
		return false
	}
	return true
}

// logTrouble logs an error of a session, at debug level for an outage of the store, which is not an error of each session.
func (s *Sessions) logTrouble(id string, err error, what string) {
	level := zerolog.ErrorLevel
	if isAway(err) {
		level = zerolog.DebugLevel
	}
	if s.life.Err() == nil {
		s.cfg.Log.WithLevel(level).Str("session", id).Err(err).Msg(what)
	}
}

// adoptDue adds entries for the sessions that are due, which the watchdog then ends.
func (s *Sessions) adoptDue() error {
	if s.draining.Load() {
		return nil
	}
	due, err := s.cfg.Store.Adopt(s.life, maxAdopted)
	if err != nil {
		return err
	}
	for _, r := range due {
		s.registry.get(r.ID, func() *entry {
			s.cfg.Metrics.SessionsAdopted.Inc()
			e := newEntry(s, r, nil)
			e.since = time.Time{} // long ago
			return e
		})
	}
	if s.registry.shared() {
		s.dropMoved()
	}
	return nil
}

// dropMoved starts dropping the entries of sessions whose client has connected to another node, which counts them now.
func (s *Sessions) dropMoved() {
	n := 0
	for _, e := range s.registry.list() {
		if n < maxAdopted && e.askMoved(time.Now()) {
			n++
		}
	}
}

// askMoved begins to look where the client of a session is that has waited for its first socket for a while. It asks again
// after twice as long. It reports whether it asks.
func (e *entry) askMoved(now time.Time) bool {
	if !e.mu.TryLock() {
		return false
	}
	defer e.mu.Unlock()
	waited := now.Sub(e.since)
	if e.phase != waiting || waited < settledFor || waited < 2*e.asked.Sub(e.since) {
		return false
	}
	e.asked = now
	e.background(func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.phase == waiting {
			_ = e.renew()
		}
	})
	return true
}

// report makes known what this node counts and learns what the others do.
func (s *Sessions) report() error {
	ctx, cancel := context.WithTimeout(s.life, s.reportTimeout())
	defer cancel()
	began := time.Now()
	others, err := s.cfg.Store.Report(ctx, s.node, s.counts(), reportFor)
	s.reach.note(began, err)
	if err != nil {
		s.away.Store(time.Now().UnixNano())
		return err
	}
	peers, err := s.cfg.Store.Peers(ctx)
	if err != nil {
		return err
	}
	s.registry.learn(others, len(peers) > 1)
	return nil
}

// counts returns what this node reports: the counts of its registry and, where there is room, the speakers of each key.
func (s *Sessions) counts() map[string]int64 {
	counts := s.registry.counts()
	for name, n := range s.cfg.Admission.Speakers() {
		if len(counts) == store.MaxCounts {
			break
		}
		if n > 0 {
			counts[name] = n
		}
	}
	return counts
}

// allSpeakers begins the names of the counts of speakers, in thousandths.
const allSpeakers = "speakers"

// speakersName is the name of the count of the holder's speakers.
func (h holder) speakersName() string { return allSpeakers + strings.TrimPrefix(h.name(), allSessions) }

// allSessions is the name of the count of a node's sessions.
const allSessions = "sessions"

// name is that of the count of the holder's sessions: short, and nothing can be learnt from it.
func (h holder) name() string {
	sum := sha256.Sum256([]byte(h.account + "\x00" + h.key))
	return allSessions + "/" + hex.EncodeToString(sum[:8])
}
