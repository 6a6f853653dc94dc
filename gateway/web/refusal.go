package web

import (
	"net/http"

	"steno/messages"
)

// Formed is an error of a handler whose answer has a form of its own. What it wraps is logged and
// counted as any other.
type Formed struct {
	Err error
	// Write writes the answer of the problem that the error is, with its status. Retry-After is
	// set.
	Write func(w http.ResponseWriter, r *http.Request, p *messages.Problem)
}

// Error implements error.
func (f *Formed) Error() string { return f.Err.Error() }

// Unwrap returns the error.
func (f *Formed) Unwrap() error { return f.Err }
