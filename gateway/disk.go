package gateway

import (
	"context"
	"net/http"
	"sync"
	"time"

	"steno/gateway/web"
	"steno/messages"
)

const (
	diskFor  = time.Second     // how long one look at the disk is believed
	diskTime = 5 * time.Second // the store has for an answer
)

// disk knows how much room the store has.
type disk struct {
	mu   sync.Mutex
	at   time.Time
	free int64
	err  error
}

// free is how many bytes the store has room for, as of a second ago at most.
func (s *Server) free() (int64, error) {
	d := &s.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.at.IsZero() || time.Since(d.at) >= diskFor {
		ctx, cancel := context.WithTimeout(context.Background(), diskTime)
		d.free, d.err = s.deps.Store.Free(ctx)
		cancel()
		d.at = time.Now()
	}
	return d.free, d.err
}

// needRoom refuses new work where the disk is nearly full, so that what is under way can end.
func (s *Server) needRoom() error {
	free, err := s.free()
	if err == nil && free < s.cfg.Limits.FreeDisk {
		return web.Problem(http.StatusInsufficientStorage, "no new work is taken: the server's disk is nearly full")
	}
	if err != nil {
		return &messages.Problem{Status: http.StatusInternalServerError, Message: "internal error", Err: err}
	}
	return nil
}

// freeForMetrics is what operators are shown; -1 where it is not known.
func (s *Server) freeForMetrics() float64 {
	free, err := s.free()
	if err != nil {
		return -1
	}
	return float64(free)
}
