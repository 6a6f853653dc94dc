package remote

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"steno/messages"
)

// Error is a call that failed. All but the cause is fit for clients: no key, address, prompt or
// text of a transcript.
type Error struct {
	StatusCode int    // of HTTP, 400 to 599
	Exception  string // what kind of failure, in one word
	Message    string

	cause error         // for the operator; nil: the message is complete
	again bool          // another attempt may help
	asked time.Duration // how long the server asked to be left alone

	refused int    // the status of a refusal; 0: there was none
	said    []byte // the head of it
}

// NewError returns an error. The cause, which may be nil, is for the operator.
func NewError(status int, exception, message string, cause error) *Error {
	return &Error{StatusCode: status, Exception: exception, Message: message, cause: cause}
}

// Error is the message with the cause.
func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.cause }

// Refused is the status of HTTP with which a server refused the request, 0 where it did not, and
// the beginning of what it wrote. That may hold anything, the transcript too: not for errors or
// logs.
func (e *Error) Refused() (status int, said []byte) { return e.refused, e.said }

// Addon is an error of any kind as clients see it; nil for nil.
func Addon(err error) *messages.AddonError {
	var e *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return &messages.AddonError{StatusCode: e.StatusCode, Exception: e.Exception, Message: e.Message}
	case errors.Is(err, context.DeadlineExceeded):
		return &messages.AddonError{StatusCode: http.StatusGatewayTimeout, Exception: "Timeout",
			Message: "The add-on took too long"}
	case errors.Is(err, context.Canceled):
		return &messages.AddonError{StatusCode: http.StatusServiceUnavailable, Exception: "Cancelled",
			Message: "The add-on was cancelled"}
	}
	return &messages.AddonError{StatusCode: http.StatusInternalServerError, Exception: "AddonFailed",
		Message: "The add-on failed"}
}

// Fault returns an error whose message is the name of the service followed by what it does or is.
// The cause, which may be nil, is for the operator and holds nothing of answers.
func (r *Caller) Fault(status int, exception, does string, cause error) *Error {
	return NewError(status, title(r.config.Service)+exception, "The "+r.config.Service+" "+does, cause)
}

// Invalid returns the error for an answer that cannot be used; again is true if another attempt may
// return a better one. The reason holds nothing of the answer.
func (r *Caller) Invalid(reason string, again bool) *Error {
	e := r.Fault(http.StatusBadGateway, "InvalidAnswer", "gave no valid answer", errors.New(reason))
	e.again = again
	return e
}

// title writes the words of a name as one, each beginning with a capital.
func title(name string) string {
	var out strings.Builder
	for _, word := range strings.Fields(name) {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}

// helps reports whether another attempt may help, and how long to wait for it at least.
func helps(err error) (bool, time.Duration) {
	var e *Error
	if errors.As(err, &e) {
		return e.again, e.asked
	}
	return false, 0
}

// Divisible reports whether an error may be due to a part of what was asked about: the answer was
// no good, or the server refused just this.
func Divisible(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch status, _ := e.Refused(); status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity,
		http.StatusInternalServerError:
		return true
	case 0:
		return e.StatusCode == http.StatusBadGateway && !strings.HasSuffix(e.Exception, "Unreachable")
	}
	return false
}
