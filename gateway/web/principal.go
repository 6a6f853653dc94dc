package web

import (
	"context"
	"crypto/sha256"
	"net/http"
)

// KeyHash is the SHA-256 of an API key.
type KeyHash [sha256.Size]byte

// Principal is who makes a request: an account, and which of its API keys the request carries.
type Principal struct {
	Account string
	Key     KeyHash
}

type principalKey struct{}

// WithPrincipal returns the request with its principal.
func WithPrincipal(r *http.Request, p Principal) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), principalKey{}, p))
}

// PrincipalOf returns the principal of a request, the zero value where the operation needs no key.
func PrincipalOf(r *http.Request) Principal {
	p, _ := r.Context().Value(principalKey{}).(Principal)
	return p
}

// Account returns the account whose API key the request carries.
func Account(r *http.Request) string { return PrincipalOf(r).Account }
