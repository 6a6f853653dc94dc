package pool

import (
	"errors"
	"slices"
	"time"

	"steno/session/asr"
	"steno/session/asr/riva"
	"steno/session/retry"
)

// server is one of the pool's. The pool's lock guards the fields that New does not set.
type server struct {
	address string
	client  *riva.Recognizer
	failed  chan struct{} // holds a token when the server's goroutine has to look at its state

	open     map[*stream]struct{}
	epoch    int       // counts exclusions: failures of calls from before the last one are ignored
	row      int       // failures in a row, without a final between them
	until    time.Time // excluded until then, and until its goroutine readmits it; zero: up
	wait     time.Duration
	failures int64
	err      error // of the latest failure
}

func (s *server) up() bool { return s.until.IsZero() }

// take assigns an utterance to the server with the fewest open, or to the one that many places
// further. It returns nil if no server is up that was not tried.
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

// order returns the servers that are up: those with the fewest utterances first, in turn among
// equals. The caller holds the lock.
func (r *Recognizer) order() []*server {
	turn := r.turn % len(r.servers)
	order := slices.Concat(r.servers[turn:], r.servers[:turn])
	order = slices.DeleteFunc(order, func(s *server) bool { return !s.up() })
	slices.SortStableFunc(order, func(a, b *server) int { return len(a.open) - len(b.open) })
	return order
}

// leave removes an utterance from its server, and excludes the server if the utterance failed by
// its fault. A second call for the same utterance does nothing.
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
	case errors.Is(err, asr.ErrUnavailable) && !errors.Is(err, asr.ErrBusy):
		r.exclude(s, err)
	}
}

// exclude keeps utterances from a server for a while. The caller holds the lock.
func (r *Recognizer) exclude(s *server, err error) {
	s.wait = retry.Exponential(r.config.MinBackoff, r.config.MaxBackoff, s.row+1)
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

// admit readmits a server, and reports whether it was excluded.
func (r *Recognizer) admit(s *server) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := !s.up()
	s.until = time.Time{}
	return out
}

// down reports whether a server is excluded, and for how long.
func (r *Recognizer) down(s *server) (Change, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Change{Address: s.address, Err: s.err, Wait: s.wait}, !s.up()
}
