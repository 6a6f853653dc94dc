package live

import (
	"slices"
	"time"
)

// Activities returns the activity of an account's sessions on this node, by session id. Sessions
// that have ended are left out.
func (s *Sessions) Activities(account string) map[string]Activity {
	all := map[string]Activity{}
	for _, e := range s.registry.list() {
		if e.record.Account != account {
			continue
		}
		a := e.activity.read(time.Now())
		a.State, a.Left = stateOf(e)
		a.Connections = e.sockets.Load()
		if a.State != "" {
			all[e.id] = a
		}
	}
	return all
}

// stateOf returns the state of an entry; it is empty where the session has ended. An entry whose
// lock is held counts as connected.
func stateOf(e *entry) (state string, left time.Duration) {
	if !e.mu.TryLock() {
		return StateConnected, 0
	}
	defer e.mu.Unlock()
	switch {
	case e.phase == waiting:
		return StateWaiting, 0
	case e.phase == attached:
		return StateConnected, 0
	case e.phase == detached && e.record.Stopped:
		return StateEnded, 0
	case e.phase == detached:
		return StateLost, max(0, e.site.cfg.Limits.ResumeWindow-time.Since(e.since))
	}
	return "", 0
}

// Delays returns the delays of the newest finals of a session on this node, the newest first. here
// is false where the session is not on this node.
func (s *Sessions) Delays(id string) (list []FinalDelay, here bool) {
	e := s.registry.find(id)
	if e == nil {
		return nil, false
	}
	return e.activity.stages.list(), true
}

// Refusals returns the newest refusals of this node since a time, the newest first: those of an
// account, or of all where it is empty.
func (s *Sessions) Refusals(account string, since time.Time) []Refusal {
	s.refused.mu.Lock()
	defer s.refused.mu.Unlock()
	var list []Refusal
	for _, r := range slices.Backward(s.refused.list) {
		if r.At.Before(since) {
			break
		}
		if account == "" || r.Account == account {
			list = append(list, r)
		}
	}
	return list
}
