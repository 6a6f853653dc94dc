package gateway

import (
	stdlog "log"

	"github.com/rs/zerolog"

	"steno/gateway/web"
)

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
