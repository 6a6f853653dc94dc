package web

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
)

// Handler answers a request or returns the reason why it does not. The server writes and logs what
// it returns.
type Handler func(w http.ResponseWriter, r *http.Request) error

// WriteJSON answers with a value, which must be encodable. Errors of writing are ignored: only a
// client that has left causes them.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
}

// IsUpgrade reports whether a request asks for a WebSocket.
func IsUpgrade(r *http.Request) bool { return strings.EqualFold(r.Header.Get("Upgrade"), "websocket") }

type requestIDKey struct{}

// WithRequestID returns the request with an id, which requestID reads.
func WithRequestID(r *http.Request, id string) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id))
}

// RequestID returns the id of a request as answers and the log have it.
func RequestID(r *http.Request) string {
	id, _ := r.Context().Value(requestIDKey{}).(string)
	return id
}

// Shorten returns at most 200 bytes of a text that a client sent, as valid UTF-8, for answers and
// the log.
func Shorten(text string) string {
	const most = 200
	return strings.ToValidUTF8(text[:min(len(text), most)], "?")
}

// MethodName returns a known method as it is, and "given" for any other, so that answers and the
// log repeat no unknown text.
func MethodName(m string) string {
	switch m {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE":
		return m
	}
	return "given"
}
