package gateway

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"strings"

	"steno/gateway/web"
)

// entry returns the handler through which all requests of clients come. It gives each request an id, sets the headers for
// browsers, bounds what a proxy brings for one address, and passes the request on to the routes. A route that panics is
// answered with 500.
func (s *Server) entry(routes http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = s.identify(w, r)
		defer s.problems.answerPanic(w, r)
		if cors(w, r, s.cfg.Origin, s.cfg.KeyHeaders) {
			return
		}
		leave, err := s.connectionLimit.enterForwarded(r)
		if err != nil {
			s.problems.refuse(w, r, err)
			return
		}
		defer leave()
		routes.ServeHTTP(w, withoutSlash(r))
	})
}

// adminEntry is [Server.entry] for operators.
func (s *Server) adminEntry(routes http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = s.identify(w, r)
		defer s.problems.answerPanic(w, r)
		routes.ServeHTTP(w, r)
	})
}

// identify returns the request with an id, for the log, and puts the id into the answer's header.
func (s *Server) identify(w http.ResponseWriter, r *http.Request) *http.Request {
	var raw [4]byte
	_, _ = rand.Read(raw[:]) // never fails
	id := "G-" + hex.EncodeToString(raw[:])
	w.Header().Set("X-Request-Id", id)
	s.proxies.Check(r)
	return web.WithRequestID(r, id)
}

// withoutSlash returns the request without the slash at the end of its path, so that both spellings lead to the same operation.
// Many clients send it, and most of them would lose the body of a POST in a redirect.
func withoutSlash(r *http.Request) *http.Request {
	if len(r.URL.Path) <= 1 || !strings.HasSuffix(r.URL.EscapedPath(), "/") {
		return r
	}
	changed, address := *r, *r.URL
	address.Path = strings.TrimSuffix(address.Path, "/")
	address.RawPath = strings.TrimSuffix(address.RawPath, "/")
	changed.URL = &address
	return &changed
}
