package live

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"steno/gateway/admission"
	"steno/session/store"
)

const (
	reportFor  = 10 * time.Second // validity of a report of this node's counts
	adoptEvery = 5 * time.Second  // longest interval between two adoptions
	maxAdopted = 64               // sessions adopted at a time
	settledFor = 5 * time.Second  // after which the record is read to see whether the client is on another node
)

// neighbours exchanges counts and sessions with the other nodes that share the store.
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

// dropMoved starts to drop the entries of sessions whose client has connected to another node,
// which counts them.
func (s *neighbours) dropMoved() {
	n := 0
	for _, e := range s.registry.list() {
		if n < maxAdopted && e.askMoved(time.Now()) {
			n++
		}
	}
}

// askMoved starts to read the record of a session that has waited for its first socket for a while,
// to see whether the client is on another node, and reports whether it does. It does so again after
// twice as long.
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

// report reports this node's counts and receives those of the others.
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

// counts returns this node's report: the counts of its registry and, if there is room, the speakers
// of each key, and the audio of accounts that has a bound.
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
	for account, audio := range s.audio() {
		if len(counts) < store.MaxCounts {
			counts[audioName(account)] = audio.Milliseconds()
		}
	}
	return counts
}

// allSpeakers is the prefix of the names of the counts of speakers, in thousandths.
const allSpeakers = "speakers"

// speaks returns the holder as admission knows it.
func (h holder) speaks() admission.Holder {
	return admission.Holder{Account: h.account, Key: h.speakersName()}
}

// speakersName returns the name of the count of the holder's speakers.
func (h holder) speakersName() string { return allSpeakers + strings.TrimPrefix(h.name(), allSessions) }

// allSessions is the name of the count of a node's sessions.
const allSessions = "sessions"

// name returns the name of the count of the holder's sessions. It is short and reveals nothing.
func (h holder) name() string { return allSessions + "/" + h.digest() }

func (h holder) digest() string {
	sum := sha256.Sum256([]byte(h.account + "\x00" + h.key))
	return hex.EncodeToString(sum[:8])
}
