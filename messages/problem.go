package messages

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Problem is the refusal of a request: what the client gets, and the cause, which it does not.
type Problem struct {
	// Status is the HTTP status, 400 to 599.
	Status int
	// Message is for the client.
	Message string
	// ValidationErrors name each offending field by its dotted path; only with status 400.
	ValidationErrors []string
	// Err is the cause. It is never shown to a client.
	Err error
	// RetryAfter goes with 429 and 503; zero: not known.
	RetryAfter time.Duration
}

// Text is the problem in one text, for clients that read no list of fields: what is wrong with each
// field, or the message.
func (p *Problem) Text() string {
	return cmp.Or(strings.Join(p.ValidationErrors, "; "), p.Message, http.StatusText(p.Status))
}

// Error is the client's message and, for the log, the cause.
func (p *Problem) Error() string {
	text := p.Message
	if text == "" {
		text = http.StatusText(p.Status)
	}
	if p.Err != nil {
		text += ": " + p.Err.Error()
	}
	return text
}

// Unwrap is the cause.
func (p *Problem) Unwrap() error { return p.Err }

// Body is what the client gets to see.
func (p *Problem) Body(now time.Time, path, requestID string) ErrorBody {
	text := p.Message
	if text == "" {
		text = http.StatusText(p.Status)
	}
	return ErrorBody{
		Timestamp: Stamp(now), Path: path, RequestID: requestID,
		StatusCode: p.Status, Message: text, ValidationErrors: p.ValidationErrors,
	}
}

// ErrorBody is the JSON of every error answer.
type ErrorBody struct {
	Timestamp        Timestamp `json:"timestamp"`
	Path             string    `json:"path"`
	RequestID        string    `json:"request_id"`
	StatusCode       int       `json:"statusCode"`
	Message          string    `json:"message"`
	ValidationErrors []string  `json:"validation_errors,omitempty"`
}

// BotErrorBody is the JSON of an error answer to a meeting bot: that of all others, with what bots
// look for.
type BotErrorBody struct {
	Status    Status `json:"status" enum:"error"`
	ErrorCode string `json:"error_code"` // the HTTP status
	ErrorBody
}

// ForBot is the body as meeting bots read it.
func (b ErrorBody) ForBot() BotErrorBody {
	return BotErrorBody{Status: StatusError, ErrorCode: strconv.Itoa(b.StatusCode), ErrorBody: b}
}
