package web

import (
	"context"
	"net/http"
)

type outlastKey struct{}

// WithLeave returns the request with what is to be called when it has ended, and a function that
// calls it once the handler has returned. A handler that keeps using the connection takes that over
// by Outlast.
func WithLeave(r *http.Request, leave func()) (*http.Request, func()) {
	held := &leave
	return r.WithContext(context.WithValue(r.Context(), outlastKey{}, held)), func() { (*held)() }
}

// Outlast returns what the handler's goroutine must call, once, when the request has ended: the
// request counts as under way until then, although its handler returns before. It is called by the
// handler.
func Outlast(r *http.Request) (leave func()) {
	held, ok := r.Context().Value(outlastKey{}).(*func())
	if !ok {
		return func() {}
	}
	leave, *held = *held, func() {}
	return leave
}
