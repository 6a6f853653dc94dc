package gateway

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"strings"

	"steno/gateway/web"
)

// operation is the handler of every route: it handles each request between the mux and its
// [web.Handler]. It may be called from any goroutine.
type operation struct {
	server *Server
	action action
	needs  access
	handle web.Handler
}

// operation returns the handler of a route, for callers with that access. The audit log calls it by
// its action.
func (s *Server) operation(does action, needs access, handle web.Handler) *operation {
	return &operation{server: s, action: does, needs: needs, handle: handle}
}

// ServeHTTP assigns an id to the request, sets the headers for browsers and answers their
// preflights, limits the requests of one address through a proxy, authenticates and authorizes the
// request, and calls the handler. It writes, logs and counts the problem that any of these returns,
// answers a panic with 500, and has the request audited.
func (o *operation) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s := o.server
	r = identify(w, r)
	s.proxies.Check(r)
	r, span := s.deps.Tracer.Request(r)
	status := http.StatusInternalServerError // of a panic
	var trail *web.Trail
	defer func() {
		span.End(status)
		trail.Done(status)
	}()
	defer s.problems.answerPanic(w, r, o.needs)
	if !o.needs.operator {
		if cors(w, r, s.cfg.Origin, s.cfg.KeyHeaders) {
			status = 0
			return
		}
		leave, err := s.connections.EnterForwarded(r)
		if err != nil {
			status = s.problems.refuse(w, r, o.needs, err)
			return
		}
		r, leave = web.WithLeave(r, leave)
		defer leave()
	}
	p, err := s.auth.authorize(r, o.needs)
	trail = o.trail(r, &p, err)
	w, r = trail.Follow(w, r)
	if err == nil {
		err = o.handle(w, web.WithPrincipal(r, p))
	}
	if status = 0; err != nil {
		status = s.problems.refuse(w, r, o.needs, err)
	}
}

// identify returns the request with an id for the log, which it also sets in the answer's header.
func identify(w http.ResponseWriter, r *http.Request) *http.Request {
	var raw [4]byte
	_, _ = rand.Read(raw[:]) // never fails
	id := "G-" + hex.EncodeToString(raw[:])
	w.Header().Set("X-Request-Id", id)
	// net/http does not report whether the request has a length too, from which a proxy may infer
	// another end
	if len(r.TransferEncoding) > 0 {
		w.Header().Set("Connection", "close")
	}
	return web.WithRequestID(r, id)
}

// withOwnAnswers returns the handler of a mux whose routes are operations. The mux's own answers,
// such as the redirect of a path with two slashes, become those of an operation with the access
// needs.
func (s *Server) withOwnAnswers(mux *http.ServeMux, needs access) http.Handler {
	own := s.operation(unaudited, needs, plain(mux))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h, _ := mux.Handler(r); isOperation(h) {
			mux.ServeHTTP(w, r)
			return
		}
		own.ServeHTTP(w, r)
	})
}

func isOperation(h http.Handler) bool {
	_, ok := h.(*operation)
	return ok
}

// plain returns the handler of an operation that answers its own errors.
func plain(h http.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		h.ServeHTTP(w, r)
		return nil
	}
}

// withoutSlash returns the request without the slash at the end of its path, so that both spellings
// reach the same operation. Many clients send it, and most of them would lose the body of a POST in
// a redirect.
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
