package gateway

import (
	"context"
	"net/http"
	"time"

	"steno/messages"
)

// healthz says that the process runs.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) error {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	return nil
}

// readyz says whether new sessions are taken.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) error {
	if s.draining.Load() {
		return s.unready("shutting down", nil)
	}
	if s.deps.Ready != nil {
		if err := s.deps.Ready(); err != nil {
			return s.unready("no engine is ready", err)
		}
	}
	ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
	defer cancel()
	if err := s.deps.Store.Ping(ctx); err != nil {
		return s.unready("the store does not answer", err)
	}
	writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
	return nil
}

func (s *Server) unready(message string, cause error) error {
	return &messages.Problem{
		Status: http.StatusServiceUnavailable, Message: message, Err: cause, RetryAfter: s.cfg.Limits.RetryAfter,
	}
}
