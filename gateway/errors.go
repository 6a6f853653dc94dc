package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"steno/messages"
	"steno/session/store"
)

// maxFaultyFields bounds how many fields of one request the log names.
const maxFaultyFields = 20

func problem(status int, message string) *messages.Problem {
	return &messages.Problem{Status: status, Message: message}
}

// internal hides a cause behind a 500.
func internal(err error) *messages.Problem {
	return &messages.Problem{Status: http.StatusInternalServerError, Message: "internal error", Err: err}
}

// asProblem tells what the client is told of an error: the one place where the store's errors become statuses.
func asProblem(err error) *messages.Problem {
	var p *messages.Problem
	if errors.As(err, &p) {
		return p
	}
	status, message := http.StatusInternalServerError, "internal error"
	switch {
	case errors.Is(err, store.ErrNotFound):
		status, message = http.StatusNotFound, "job does not exist or was deleted"
	case errors.Is(err, store.ErrNotFinished):
		status, message = http.StatusForbidden, "job is not finished"
	case errors.Is(err, store.ErrTooLarge):
		status, message = http.StatusRequestEntityTooLarge, "metadata is too large"
	case errors.Is(err, context.Canceled):
		status, message = http.StatusServiceUnavailable, "request was cancelled"
	}
	return &messages.Problem{Status: status, Message: message, Err: err}
}

// answer is the one place that writes and logs errors.
func (s *Server) answer(handle handlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := handle(w, r)
		if err == nil {
			return
		}
		p := asProblem(err)
		s.logProblem(r, p)
		writeProblem(w, r, p)
	})
}

func (s *Server) logProblem(r *http.Request, p *messages.Problem) {
	level := zerolog.InfoLevel
	switch {
	case r.URL.Path == "/readyz": // asked again and again, by whoever waits for it
		level = zerolog.DebugLevel
	case p.Status == http.StatusServiceUnavailable:
		level = zerolog.WarnLevel
	case p.Status >= 500:
		level = zerolog.ErrorLevel
	}
	event := s.log.WithLevel(level).Str("method", methodName(r.Method)).Str("path", shorten(r.URL.Path)).Int("status", p.Status).
		Str("reason", p.Message)
	if fields := faultyFields(p.ValidationErrors); len(fields) > 0 {
		event = event.Strs("fields", fields)
	}
	if client := s.clientAddr(r); client.IsValid() {
		event = event.Stringer("client", client)
	}
	event.Str("request_id", requestID(r)).AnErr("cause", p.Err).Msg("request refused")
	s.metrics.refused.WithLabelValues(strconv.Itoa(p.Status)).Inc()
}

// faultyFields are the names of the fields that validation errors are about. What the errors say of them is left out, since
// it may repeat values.
func faultyFields(faults []string) (fields []string) {
	for _, fault := range faults[:min(len(faults), maxFaultyFields)] {
		if name, _, found := strings.Cut(fault, " must "); found {
			fields = append(fields, shorten(name))
		}
	}
	return fields
}

func writeProblem(w http.ResponseWriter, r *http.Request, p *messages.Problem) {
	if p.Status == http.StatusTooManyRequests || p.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", seconds(p.RetryAfter))
	}
	body := p.Body(time.Now(), shorten(r.URL.Path), requestID(r))
	if strings.HasSuffix(r.Pattern, botPath) {
		writeJSON(w, p.Status, body.ForBot())
		return
	}
	writeJSON(w, p.Status, body)
}

// seconds is a time to wait as the header Retry-After has it.
func seconds(d time.Duration) string { return strconv.Itoa(max(1, int(math.Ceil(d.Seconds())))) }

// writeJSON answers with a value that is known to be encodable.
func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // only the client's absence can make this fail
}

// recover keeps the fault of one request from harming others.
func (s *Server) recover(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			fault := recover()
			if fault == nil {
				return
			}
			if fault == http.ErrAbortHandler {
				panic(fault)
			}
			s.metrics.panics.WithLabelValues(faultRequest).Inc()
			s.log.Error().Str("method", methodName(r.Method)).Str("path", shorten(r.URL.Path)).
				Str("request_id", requestID(r)).Str("stack", string(debug.Stack())).Msg("handler panicked")
			writeProblem(w, r, problem(http.StatusInternalServerError, "internal error"))
		}()
		next.ServeHTTP(w, r)
	})
}

// shorten bounds what is repeated of a client's text, and makes it valid.
func shorten(text string) string {
	const most = 200
	return strings.ToValidUTF8(text[:min(len(text), most)], "?")
}
