package gateway

import (
	"net/http"
	"strings"
)

const (
	corsMethods = "GET, POST, PUT, PATCH, DELETE, OPTIONS"
	corsMaxAge  = "7200" // seconds a browser may remember a preflight
)

// cors lets browsers of the configured origin use the API and answers their preflights.
func (s *Server) cors(next http.Handler) http.Handler {
	headers := "content-type, x-gladia-version, " + strings.Join(s.cfg.KeyHeaders, ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", s.cfg.Origin)
		h.Set("Access-Control-Expose-Headers", "retry-after, x-request-id")
		if s.cfg.Origin != "*" {
			h.Add("Vary", "Origin")
		}
		if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Methods", corsMethods)
		h.Set("Access-Control-Allow-Headers", headers)
		h.Set("Access-Control-Max-Age", corsMaxAge)
		w.WriteHeader(http.StatusNoContent)
	})
}
