package live

import (
	"time"

	"steno/gateway/activity"
)

// Activities returns the activity of an account's unfinished sessions on this node, by session id.
func (s *Sessions) Activities(account string) map[string]activity.Session {
	all := map[string]activity.Session{}
	for _, e := range s.registry.list() {
		if e.record.Account != account {
			continue
		}
		a := e.activity.Read(time.Now())
		a.State, a.Left = stateOf(e)
		a.Connections = e.sockets.Load()
		if a.State != "" {
			all[e.id] = a
		}
	}
	return all
}

// stateOf returns the state of an entry; empty if the session is done. An entry whose lock is held
// counts as connected.
func stateOf(e *entry) (state string, left time.Duration) {
	if !e.mu.TryLock() {
		return activity.StateConnected, 0
	}
	defer e.mu.Unlock()
	switch {
	case e.phase == waiting:
		return activity.StateWaiting, 0
	case e.phase == attached:
		return activity.StateConnected, 0
	case e.phase == detached && e.record.Stopped:
		return activity.StateEnded, 0
	case e.phase == detached:
		return activity.StateLost, max(0, e.site.cfg.Limits.ResumeWindow-time.Since(e.since))
	}
	return "", 0
}

// Delays returns the delays of the newest finals of a session, newest first. here is false if the
// session is not on this node.
func (s *Sessions) Delays(id string) (list []activity.FinalDelay, here bool) {
	e := s.registry.find(id)
	if e == nil {
		return nil, false
	}
	return e.activity.Delays(), true
}

// Refusals returns this node's refusals since a time, newest first: those of an account, or all if
// account is empty.
func (s *Sessions) Refusals(account string, since time.Time) []activity.Refusal {
	return s.refused.Since(account, since)
}
