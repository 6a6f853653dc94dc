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
	readyFor  = time.Second     // how long one look at the parts is believed
	readyTime = 5 * time.Second // the store has for an answer
)

// healthz says that the process runs.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) error {
	web.WriteJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	return nil
}

// readyz says whether new sessions are taken.
func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) error {
	if s.draining.Load() {
		return s.unready("shutting down", nil)
	}
	if err := s.readiness.get(s.lookReady); err != nil {
		return err
	}
	web.WriteJSON(w, http.StatusOK, map[string]string{"status": "ready"})
	return nil
}

// lookReady asks the engines and the store.
func (s *Server) lookReady() error {
	if s.deps.Ready != nil {
		if err := s.deps.Ready(); err != nil {
			return s.unready("no engine is ready", err)
		}
	}
	if err := s.disk.Check(); err != nil {
		return s.unready("the disk is nearly full", err)
	}
	ctx, cancel := context.WithTimeout(s.life, readyTime)
	defer cancel()
	if err := s.deps.Store.Ping(ctx); err != nil {
		return s.unready("the store does not answer", err)
	}
	return nil
}

func (s *Server) unready(message string, cause error) error {
	return &messages.Problem{
		Status: http.StatusServiceUnavailable, Message: message, Err: cause, RetryAfter: s.cfg.Limits.RetryAfter,
	}
}

// readiness keeps what was found for readyFor: whoever asks without a key, however often, makes no work. Those who ask
// while a look is under way wait for it.
type readiness struct {
	mu   sync.Mutex
	at   time.Time
	last error
}

func (r *readiness) get(look func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at.IsZero() || time.Since(r.at) >= readyFor {
		r.last = look()
		r.at = time.Now()
	}
	return r.last
}
