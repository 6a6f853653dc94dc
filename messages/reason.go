package messages

import "net/http"

// Reason is why a session failed.
type Reason uint8

// The reasons. The zero value is a fault of the service itself.
const (
	InternalError     Reason = iota
	BadHeader                // the recording begins with a header of another format than the request declares
	DiskFull                 // there is no space left for the recording
	EngineUnavailable        // no engine transcribed all of the recording
	QuotaUsed                // the account may transcribe no more
)

// Status is the HTTP status that tells clients the reason.
func (r Reason) Status() int {
	switch r {
	case BadHeader:
		return http.StatusBadRequest
	case DiskFull:
		return http.StatusInsufficientStorage
	case EngineUnavailable:
		return http.StatusServiceUnavailable
	case QuotaUsed:
		return http.StatusTooManyRequests
	}
	return http.StatusInternalServerError
}

// NewFailure is the event that tells clients of a failure.
func NewFailure(r Reason, exception, message string) Failure {
	return Failure{AddonError{StatusCode: r.Status(), Exception: exception, Message: message}}
}
