package web

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// Trail collects what the audit log has about one request while it is handled: who makes it, what
// it concerns and the status. A nil trail is that of a request which is not audited; its methods
// do nothing. Those of others may be called from any goroutine.
type Trail struct {
	mu     sync.Mutex
	who    Principal
	object string
	socket bool                                            // a WebSocket is asked for
	write  func(who *Principal, object string, status int) // nil once there is nothing to write
}

// NewTrail returns the trail of a request of a principal, the zero value where it is not known yet.
// write writes the line, once. That of a WebSocket is written at the end of its handler, which may
// take the trail, and all others as soon as there is a status: what is answered may never end.
func NewTrail(who *Principal, socket bool, write func(who *Principal, object string, status int)) *Trail {
	return &Trail{who: *who, socket: socket, write: write}
}

// Identify states who makes the request.
func (t *Trail) Identify(who *Principal) {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.who = *who
	}
}

// Enter states which session of which account a socket is for. The key is the session's where the
// client has brought no credential but the session's own.
func (t *Trail) Enter(account string, key []byte, session string) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.object = session; t.who.Account == "" {
		t.who = Principal{Account: account, Session: true}
		copy(t.who.Key[:], key)
	}
}

// Concern states the id of what the request has made.
func (t *Trail) Concern(object string) {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.object = object
	}
}

// Each has a line of its own written, with a status, about one of several objects that the request
// concerns.
func (t *Trail) Each(object string, status int) {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.write != nil {
			t.write(&t.who, object, status)
		}
	}
}

// Done has the line written with a status, 200 for 0, unless it was.
func (t *Trail) Done(status int) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if status == 0 {
		status = http.StatusOK
	}
	if t.write != nil {
		t.write(&t.who, t.object, status)
	}
	t.write = nil
}

// Take returns a trail in place of this one, for what continues after the handler has returned.
func (t *Trail) Take() *Trail {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	taken := NewTrail(&t.who, t.socket, t.write)
	taken.object, t.write = t.object, nil
	return taken
}

type trailKey struct{}

// Follow returns the request with its trail, and a writer that tells the trail the status.
func (t *Trail) Follow(w http.ResponseWriter, r *http.Request) (http.ResponseWriter, *http.Request) {
	if t == nil {
		return w, r
	}
	return &followed{w, t}, r.WithContext(context.WithValue(r.Context(), trailKey{}, t))
}

// TrailOf returns the trail of a request; nil: it is not audited.
func TrailOf(r *http.Request) *Trail {
	t, _ := r.Context().Value(trailKey{}).(*Trail)
	return t
}

// followed is the writer of an answer, and reports the status to a trail.
type followed struct {
	http.ResponseWriter
	trail *Trail
}

// Unwrap is for http.ResponseController.
func (f *followed) Unwrap() http.ResponseWriter { return f.ResponseWriter }

// WriteHeader implements http.ResponseWriter. A body that is too large ends the connection, as
// http.MaxBytesReader asks for where it knows the writer.
func (f *followed) WriteHeader(status int) {
	if status == http.StatusRequestEntityTooLarge {
		f.Header().Set("Connection", "close")
	}
	if status >= http.StatusOK {
		f.trail.Done(status)
	}
	f.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer.
func (f *followed) Write(p []byte) (int, error) {
	f.trail.Done(http.StatusOK)
	return f.ResponseWriter.Write(p)
}

// ReadFrom implements io.ReaderFrom, by which files are sent without being copied.
func (f *followed) ReadFrom(r io.Reader) (int64, error) {
	f.trail.Done(http.StatusOK)
	return io.Copy(f.ResponseWriter, r)
}
