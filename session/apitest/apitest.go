// Package apitest helps tests to stand in for servers whose interface is somebody else's: what they are asked is taken apart
// strictly and noted, with a network or without.
package apitest

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Log is what a server was asked, as Qs. The zero value is ready; its methods may be called from any goroutine.
type Log[Q any] struct {
	mu    sync.Mutex
	asked []Q
}

// Take takes a request apart and notes it. One that cannot be taken apart is an error of the test's, unless the client has
// gone; it is answered with a status that no client makes anything of.
func (l *Log[Q]) Take(t testing.TB, w http.ResponseWriter, r *http.Request, take func(*http.Request) (Q, error)) (Q, bool) {
	q, err := take(r)
	if err != nil {
		if r.Context().Err() == nil {
			t.Errorf("bad request: %v", err)
		}
		http.Error(w, err.Error(), http.StatusTeapot)
		return q, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, q)
	return q, true
}

// Seen lists all that was noted.
func (l *Log[Q]) Seen() []Q {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.asked)
}

// Direct is a client of a handler without a network between them, so that time can be faked.
func Direct(h http.Handler) *http.Client { return &http.Client{Transport: direct{h}} }

type direct struct{ http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}
