package pool

import (
	"errors"
	"slices"
	"time"

	"steno/session/asr"
	"steno/session/asr/riva"
	"steno/session/asr/riva/wire"
)

// server is one of the pool's. What is not set by New is guarded by the pool's lock.
type server struct {
	address string
	client  *riva.Recognizer
	failed  chan struct{} // holds a token when the server's goroutine has something to look at

	open     map[*stream]struct{}
	epoch    int       // counts how often it was left alone: what a call from before says of it is old news
	row      int       // failures without a final between them
	until    time.Time // left alone until then, and until its goroutine lets it in; zero: up
	wait     time.Duration
	failures int64
	err      error // of the latest failure
}

func (s *server) up() bool { return s.until.IsZero() }

// take gives an utterance to the server with the fewest open, or to the one so many further; nil if none is up that
// was not tried.
func (r *Recognizer) take(u *stream, tried []*server, skip int) *server {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	order := slices.DeleteFunc(r.order(), func(s *server) bool { return slices.Contains(tried, s) })
	if len(order) == 0 {
		return nil
	}
	s := order[max(skip, 0)%len(order)]
	r.turn = slices.Index(r.servers, s) + 1
	u.server, u.epoch = s, s.epoch
	s.open[u] = struct{}{}
	return s
}

// order lists the servers that are up, those with the fewest utterances first, among equals those whose turn it is.
// The lock is held.
func (r *Recognizer) order() []*server {
	turn := r.turn % len(r.servers)
	order := slices.Concat(r.servers[turn:], r.servers[:turn])
	order = slices.DeleteFunc(order, func(s *server) bool { return !s.up() })
	slices.SortStableFunc(order, func(a, b *server) int { return len(a.open) - len(b.open) })
	return order
}

// leave takes an utterance from its server and has the server answer for how it went. The second time for the same
// utterance does nothing.
func (r *Recognizer) leave(u *stream, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := u.server
	if _, there := s.open[u]; !there {
		return
	}
	delete(s.open, u)
	switch {
	case u.epoch != s.epoch || !s.up():
	case err == nil:
		s.row = 0
	case errors.Is(err, asr.ErrUnavailable) && !errors.Is(err, wire.ErrBusy):
		r.exclude(s, err)
	}
}

// exclude leaves a server alone for a while. The lock is held.
func (r *Recognizer) exclude(s *server, err error) {
	s.wait = r.config.MaxBackoff
	if s.row < 16 { // before the shift overflows
		s.wait = min(r.config.MinBackoff<<s.row, s.wait)
	}
	s.epoch++
	s.row++
	s.failures++
	s.err = err
	s.until = time.Now().Add(s.wait)
	select {
	case s.failed <- struct{}{}:
	default:
	}
}

// admit lets a server in again; it tells whether it was out.
func (r *Recognizer) admit(s *server) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := !s.up()
	s.until = time.Time{}
	return out
}

// down tells whether a server is left alone, and for how long.
func (r *Recognizer) down(s *server) (Change, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Change{Address: s.address, Err: s.err, Wait: s.wait}, !s.up()
}
