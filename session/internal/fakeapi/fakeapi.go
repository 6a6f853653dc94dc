// Package fakeapi helps tests to fake servers of other parties' HTTP APIs: it parses each request
// strictly and records it, with a network or without.
package fakeapi

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Log records the requests of a server as values of type Q. The zero value is ready; its methods
// may be called from any goroutine.
type Log[Q any] struct {
	mu       sync.Mutex
	requests []Q
}

// Take parses a request and records it. A request that cannot be parsed fails the test, unless the
// client has gone, and is answered with a status that no client handles.
func (l *Log[Q]) Take(t testing.TB, w http.ResponseWriter, r *http.Request, parse func(*http.Request) (Q, error)) (Q,
	bool) {
	q, err := parse(r)
	if err != nil {
		if r.Context().Err() == nil {
			t.Errorf("bad request: %v", err)
		}
		http.Error(w, err.Error(), http.StatusTeapot)
		return q, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, q)
	return q, true
}

// Seen returns a copy of the recorded requests.
func (l *Log[Q]) Seen() []Q {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.requests)
}

// Direct returns a client that calls a handler without a network between them, so that time can be
// faked.
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
