package callbacks

import (
	"sync"
	"time"

	"steno/session/retry"
)

// health is what an attempt shows about its host.
type health int

const (
	unknown health = iota
	well           // it answers
	sick           // it does not answer, or answers that it cannot
)

const (
	sickAfter   = 8                    // failures in a row open the breaker
	longestOpen = time.Minute          // between probes
	longestLag  = 30 * time.Second     // by which a request that finds no room is postponed at most
	shortestLag = 5 * time.Millisecond // between two of these
	forgetAfter = 10 * time.Minute     // the state of a host is forgotten after this time without a request
)

// hosts bounds the requests to each host and has a breaker for each.
type hosts struct {
	perHost        int
	first, longest time.Duration // pauses of an open breaker

	mu  sync.Mutex
	all map[string]*host
}

// host is closed while until is zero, open until that time, then half-open: one request at a time
// probes it.
type host struct {
	busy   int // requests under way
	failed int // in a row
	opened int // times in a row
	until  time.Time
	last   time.Time     // when the last request that was postponed is due
	took   time.Duration // by a request, moving average
	moved  time.Time     // when a request last began or ended
	asked  time.Time
}

func newHosts(c Config) *hosts {
	longest := min(longestOpen, c.LongestRetry)
	return &hosts{perHost: c.PerHost, first: min(5*c.FirstRetry, longest), longest: longest, all: map[string]*host{}}
}

// enter lets a request to a host begin, which must leave, or returns how long it must wait at
// least.
func (h *hosts) enter(name string, now time.Time) (wait time.Duration, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.all[name]
	if s == nil {
		s = new(host)
		h.all[name] = s
	}
	s.asked = now
	room, from := h.perHost, now
	if !s.until.IsZero() {
		room = 1
		if now.Before(s.until) {
			room, from = 0, s.until
		}
	}
	if s.busy < room {
		s.busy++
		s.moved = now
		return 0, true
	}
	// The requests under way may take longer than any before them.
	each := max(s.took, now.Sub(s.moved)) / time.Duration(h.perHost)
	return s.queue(from, each).Sub(now), false
}

// queue returns the time for the next request that finds no room, one after the other as fast as
// the host takes them.
func (s *host) queue(from time.Time, each time.Duration) time.Time {
	if s.last.Before(from) {
		s.last = from
	}
	s.last = s.last.Add(max(each, shortestLag))
	if most := from.Add(longestLag); s.last.After(most) {
		s.last = most
	}
	return s.last
}

// leave ends a request.
func (h *hosts) leave(name string, state health, took time.Duration, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.all[name] // it exists: a host is forgotten only when no request is under way
	s.busy--
	s.moved = now
	switch state {
	case well:
		s.failed, s.opened, s.until = 0, 0, time.Time{}
	case sick:
		s.failed++
		if s.failed >= sickAfter && !now.Before(s.until) {
			s.until = now.Add(h.pause(s.opened))
			s.opened++
		}
	}
	if state != unknown {
		s.took += (took - s.took) / 8
	}
}

// pause returns how long a breaker stays open that was opened so many times in a row before.
func (h *hosts) pause(opened int) time.Duration {
	return retry.Exponential(h.first, h.longest, opened+1)
}

// forget removes hosts that were not asked for some time.
func (h *hosts) forget(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, s := range h.all {
		if s.busy == 0 && now.Sub(s.asked) > forgetAfter {
			delete(h.all, name)
		}
	}
}
