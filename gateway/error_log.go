package gateway

import (
	stdlog "log"

	"github.com/rs/zerolog"

	"steno/gateway/web"
)

// httpErrorLog returns the error log of an http.Server. It logs at debug level: these errors are
// about clients.
func httpErrorLog(log zerolog.Logger) *stdlog.Logger {
	return stdlog.New(debugWriter{log}, "", 0)
}

type debugWriter struct{ log zerolog.Logger }

// Write logs one error. The message may hold a client's address, never a request's query.
func (w debugWriter) Write(p []byte) (int, error) {
	w.log.Debug().Str("from", "net/http").Msg(web.Shorten(string(p)))
	return len(p), nil
}
