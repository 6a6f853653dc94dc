package web

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"time"

	"steno/messages"
	"steno/session/store"
)

// Errors that are reported to clients have one shape everywhere: why, a text for the client, and a
// cause for the log alone.
//
//	*messages.Problem   a refused request or a failed job: HTTP status, text, fields, cause
//	*session.Failure    a failed session: reason, text, cause
//	*media.Error        a recording that cannot be decoded: reason, text, cause
//	*remote.Error       a failed add-on: status and exception of the API, text, cause
//
// The packages below the gateway have reasons of their own and no HTTP statuses, except add-ons,
// whose messages carry one. Reasons become statuses in one place each: messages.Reason.Status for
// sessions, uploads.RecordingProblem for recordings, [AsProblem] for the store. All other errors
// are internal: clients read "internal error".

// Problem returns a refusal with a status and the text for the client.
func Problem(status int, message string) *messages.Problem {
	return &messages.Problem{Status: status, Message: message}
}

// Refuse returns a problem that tells the client when to try again.
func Refuse(status int, message string, after time.Duration) *messages.Problem {
	return &messages.Problem{Status: status, Message: message, RetryAfter: after}
}

// Internal returns a 500 whose cause goes to the log only.
func Internal(err error) *messages.Problem {
	return &messages.Problem{Status: http.StatusInternalServerError, Message: "internal error", Err: err}
}

// awayRetry is how long clients wait that the store could not answer.
const awayRetry = 5 * time.Second

// AsProblem returns the problem for the client of an error: the one that it wraps, or one with the
// status of an error of the store. Any other error is a 500. No other place maps errors of the
// store to statuses.
func AsProblem(err error) *messages.Problem {
	var p *messages.Problem
	if errors.As(err, &p) {
		return p
	}
	status, message := http.StatusInternalServerError, "internal error"
	switch {
	case errors.Is(err, store.ErrMissing): // what is missing may be an object that is not found
		status, message = http.StatusGone, "the audio of the job is lost: it was stored and is not there any more"
	case errors.Is(err, store.ErrErased):
		status, message = http.StatusGone, "the audio of the job is not kept"
	case errors.Is(err, store.ErrNotFound):
		status, message = http.StatusNotFound, "job does not exist or was deleted"
	case errors.Is(err, store.ErrNotFinished):
		status, message = http.StatusForbidden, "job is not finished"
	case errors.Is(err, store.ErrTooLarge):
		status, message = http.StatusRequestEntityTooLarge, "metadata is too large"
	case errors.Is(err, store.ErrAway):
		return &messages.Problem{
			Status: http.StatusServiceUnavailable, Message: "the store is out of reach, try again later", Err: err,
			RetryAfter: awayRetry,
		}
	case errors.Is(err, context.Canceled):
		status, message = http.StatusServiceUnavailable, "request was cancelled"
	}
	return &messages.Problem{Status: status, Message: message, Err: err}
}

// RetryAfter formats a duration for the header Retry-After: whole seconds, rounded up, at least 1.
func RetryAfter(d time.Duration) string { return strconv.Itoa(max(1, int(math.Ceil(d.Seconds())))) }
