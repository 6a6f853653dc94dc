package gateway

import (
	"errors"
	stdlog "log"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/metrics"
	"steno/gateway/recovery"
	"steno/gateway/web"
	"steno/messages"
)

// maxFaultyFields bounds the faulty fields of one request in the log.
const maxFaultyFields = 20

// problems writes the errors of handlers as answers, and logs and counts them. Its methods may be
// called from any goroutine.
type problems struct {
	log     zerolog.Logger
	metrics *metrics.Metrics
	proxies *web.Proxies
}

// refuse answers a request with an error, in the form that the operation's clients expect, logs it,
// and returns the status.
func (p *problems) refuse(w http.ResponseWriter, r *http.Request, needs access, err error) (status int) {
	problem := web.AsProblem(err)
	p.logProblem(r, problem)
	if formed, ok := errors.AsType[*web.Formed](err); ok {
		needs.refuse = formed.Write
	}
	writeProblem(w, r, needs, problem)
	return problem.Status
}

func (p *problems) logProblem(r *http.Request, problem *messages.Problem) {
	level := zerolog.InfoLevel
	switch {
	case r.URL.Path == "/readyz": // polled by orchestrators
		level = zerolog.DebugLevel
	case problem.Status == http.StatusServiceUnavailable:
		level = zerolog.WarnLevel
	case problem.Status == http.StatusInsufficientStorage && problem.Err == nil: // a quota, a share or the reserve
	case problem.Status >= 500:
		level = zerolog.ErrorLevel
	}
	event := p.log.WithLevel(level).Str("method", web.MethodName(r.Method)).Str("path",
		web.Shorten(loggedPath(r))).Int("status", problem.Status).
		Str("reason", problem.Message)
	if faults := shownFaults(problem.ValidationErrors); len(faults) > 0 {
		event = event.Strs("fields", faults)
	}
	if client := p.proxies.Client(r); client.IsValid() {
		event = event.Stringer("client", client)
	}
	event.Str("request_id", web.RequestID(r)).AnErr("cause", problem.Err).Msg("request refused")
	p.metrics.RequestsRefused.WithLabelValues(strconv.Itoa(problem.Status)).Inc()
}

// loggedPath returns a request's path for the log; for a path with a key in it, its pattern.
func loggedPath(r *http.Request) string {
	if r.PathValue("key") == "" {
		return r.URL.Path
	}
	return r.Pattern[strings.Index(r.Pattern, "/"):]
}

// shownFaults returns validation errors for the log: the names of fields and what they must be,
// without their values.
func shownFaults(faults []string) (shown []string) {
	for _, fault := range faults[:min(len(faults), maxFaultyFields)] {
		shown = append(shown, web.Shorten(fault))
	}
	return shown
}

func writeProblem(w http.ResponseWriter, r *http.Request, needs access, p *messages.Problem) {
	if p.Status == http.StatusTooManyRequests || p.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", web.RetryAfter(p.RetryAfter))
	}
	if needs.refuse != nil {
		needs.refuse(w, r, p)
		return
	}
	web.WriteJSON(w, p.Status, bodyOf(p, r))
}

// refuseBot writes a problem in the form of meeting bots.
func refuseBot(w http.ResponseWriter, r *http.Request, p *messages.Problem) {
	web.WriteJSON(w, p.Status, bodyOf(p, r).ForBot())
}

func bodyOf(p *messages.Problem, r *http.Request) messages.ErrorBody {
	return p.Body(time.Now(), strings.ToValidUTF8(r.URL.Path, "?"), web.RequestID(r))
}

// answerPanic is deferred around a request. It answers 500 if its handler panics.
func (p *problems) answerPanic(w http.ResponseWriter, r *http.Request, needs access) {
	fault := recover()
	if fault == nil {
		return
	}
	if fault == http.ErrAbortHandler {
		panic(fault)
	}
	p.metrics.Panics.WithLabelValues(recovery.Request).Inc()
	p.log.Error().Str("method", web.MethodName(r.Method)).Str("path", web.Shorten(loggedPath(r))).
		Str("request_id", web.RequestID(r)).Str("stack", string(debug.Stack())).Msg("handler panicked")
	writeProblem(w, r, needs, web.Problem(http.StatusInternalServerError, "internal error"))
}

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
