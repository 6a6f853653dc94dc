package live

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"steno/session/store"
)

const (
	reportFor  = 10 * time.Second // for which a report of what this node counts is valid
	adoptEvery = 5 * time.Second  // at most between looks at what is due
	maxAdopted = 64               // sessions that are taken up at a time
	settledFor = 5 * time.Second  // after which the record is read to see whether the client has gone to another node
)

// neighbours are the other nodes that share the store, and what is left to them or by them.
type neighbours struct{ *site }

// adoptDue adds entries for the sessions that are due, which the watchdog then ends.
func (s *neighbours) adoptDue() error {
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
			e := newEntry(s.site, r, nil)
			e.since = time.Time{} // long ago
			return e
		})
	}
	if s.registry.shared() {
		s.dropMoved()
	}
	return nil
}

// dropMoved starts dropping the entries of sessions whose client has connected to another node,
// which counts them now.
func (s *neighbours) dropMoved() {
	n := 0
	for _, e := range s.registry.list() {
		if n < maxAdopted && e.askMoved(time.Now()) {
			n++
		}
	}
}

// askMoved begins to look where the client of a session is that has waited for its first socket for
// a while. It asks again after twice as long. It reports whether it asks.
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
func (s *neighbours) report() error {
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

// counts returns what this node reports: the counts of its registry and, where there is room, the
// speakers of each key.
func (s *neighbours) counts() map[string]int64 {
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
