package live

import (
	"hash/fnv"
	"math"
	"time"

	"steno/gateway/dialect"
)

// cutOffAfter returns how long the store may be out of reach before the sockets of a node are
// closed: two thirds of the resume window. The other nodes finish a session a lease and a resume
// window after its holder's last renewal, so its client must reconnect to one of them before.
func (s *site) cutOffAfter() time.Duration { return min(s.cfg.Limits.ResumeWindow*2/3, maxCutOff) }

// reportEvery returns the interval between two reports, reportTimeout how long one may take.
// surelyLost of them fail well within cutOffAfter, even if the store does not answer.
func (s *site) reportEvery() time.Duration {
	return min(max(s.cutOffAfter()/8, minReportEvery), maxReportEvery)
}

func (s *site) reportTimeout() time.Duration { return min(2*s.reportEvery(), maxReportEvery) }

// sendAwayAfter returns cutOffAfter for a session. The sessions of a node are spread over a quarter
// more, so that their clients do not reconnect to the other nodes at the same moment.
func (s *site) sendAwayAfter(id string) time.Duration {
	if !s.registry.shared() {
		return math.MaxInt64 // there is no other node, and this one holds the audio
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(id)) // returns no error
	return s.cutOffAfter() + s.cutOffAfter()/4*time.Duration(h.Sum32()%256)/256
}

// CutOff reports whether new clients should go to other nodes because this one does not reach the
// store that they share. It is true from half the time before this node closes its sockets, so that
// a load balancer knows by then. It cannot be known whether the others reach the store; those last
// known count.
func (s *site) CutOff() bool {
	return s.registry.shared() && s.reach.lost(time.Now()) >= s.cutOffAfter()/2
}

// Away returns how long the store has been out of reach; 0 while it answers.
func (s *site) Away() time.Duration { return s.reach.lost(time.Now()) }

// watchReach logs that this node is cut off, and calls Config.CutOff, once each time.
func (s *site) watchReach(now time.Time) {
	lost := s.reach.lost(now)
	if !s.reach.tell(s.registry.shared() && lost >= s.cutOffAfter()) {
		return
	}
	s.cfg.Log.Error().Stringer("for", lost.Round(time.Millisecond)).
		Msg("cut off from the store that other nodes share: sockets are closed, so that clients go to a node that " +
			"reaches it")
	if s.cfg.CutOff != nil {
		s.cfg.CutOff()
	}
}

// sendAway closes the socket of a session whose node is cut off. The session stays: accepted audio
// becomes durable if the store is back before another node has claimed the session. It was not
// acknowledged, so the client sends it again.
func (e *entry) sendAway() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.client == nil || !e.site.CutOff() {
		return
	}
	e.client.Silence()
	e.endSocket(dialect.CutOff)
}
