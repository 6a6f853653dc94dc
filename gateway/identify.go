package gateway

import (
	"crypto/rand"
	"encoding/hex"
	stdlog "log"
	"net/http"

	"github.com/rs/zerolog"

	"steno/gateway/web"
)

// identify returns a handler that gives every request an id, for its answer and the log.
func (s *Server) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var raw [4]byte
		_, _ = rand.Read(raw[:]) // never fails
		id := "G-" + hex.EncodeToString(raw[:])
		w.Header().Set("X-Request-Id", id)
		s.proxies.Check(r)
		next.ServeHTTP(w, web.WithRequestID(r, id))
	})
}

// quietLog logs the complaints of net/http, which are about clients, at debug level.
func quietLog(log zerolog.Logger) *stdlog.Logger {
	return stdlog.New(debugWriter{log}, "", 0)
}

type debugWriter struct{ log zerolog.Logger }

// Write logs one complaint. It may hold a client's address, never a request's query.
func (w debugWriter) Write(p []byte) (int, error) {
	w.log.Debug().Str("from", "net/http").Msg(web.Shorten(string(p)))
	return len(p), nil
}
