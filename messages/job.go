package messages

import (
	"encoding/json"
	"net/http"
)

// Version is the one of the API, shown in every record.
const Version = 2

// Status is how far a job has come.
type Status string

// The statuses of a job.
const (
	StatusQueued     Status = "queued"
	StatusProcessing Status = "processing"
	StatusDone       Status = "done"
	StatusError      Status = "error"
)

// JobKind is the kind of a job: live or pre-recorded.
type JobKind string

// The two sorts of jobs.
const (
	JobPreRecorded JobKind = "pre-recorded"
	JobLive        JobKind = "live"
)

// Job is the record of a job as clients see it, of either kind.
type Job struct {
	ID        string    `json:"id"`         // UUID v4
	RequestID string    `json:"request_id"` // see [RequestID]
	Version   int       `json:"version"`
	Status    Status    `json:"status"`
	CreatedAt Timestamp `json:"created_at"`
	// CompletedAt is set with the status done or error.
	CompletedAt *Timestamp `json:"completed_at"`
	// CustomMetadata is the request's; left out of the JSON where it had none.
	CustomMetadata Object `json:"custom_metadata,omitzero"`
	// ErrorCode is an HTTP status, 400 to 599, set with the status error.
	ErrorCode           *int    `json:"error_code"`
	PostSessionMetadata Object  `json:"post_session_metadata"`
	Kind                JobKind `json:"kind"`
	File                *File   `json:"file"`
	// RequestParams and Result are JSON objects, nil for null: the request with its defaults, and
	// for a live job a [LiveResult].
	RequestParams json.RawMessage `json:"request_params"`
	Result        json.RawMessage `json:"result"`
	// Warnings are those about the request; left out of the JSON where there were none.
	Warnings Warnings `json:"warnings,omitempty"`
}

// File is the audio of a job. What is not known is null.
type File struct {
	ID               string   `json:"id"`
	Filename         *string  `json:"filename"`       // of an upload
	Source           *string  `json:"source"`         // where it was fetched from
	AudioDuration    *float64 `json:"audio_duration"` // seconds
	NumberOfChannels *int     `json:"number_of_channels"`
}

// Page is one page of a list of jobs, newest first. The links are absolute.
type Page struct {
	First   string    `json:"first"`
	Current string    `json:"current"`
	Next    *string   `json:"next"` // nil on the last page
	Items   List[Job] `json:"items"`
}

// ParsePatch reads a free JSON object that is to be merged into post_session_metadata. More than
// [MaxPatchBody] bytes are a Problem with status 413.
func ParsePatch(body []byte) (map[string]any, *Problem) {
	if len(body) > MaxPatchBody {
		return nil, &Problem{Status: http.StatusRequestEntityTooLarge,
			Message: "the body must not be larger than 64 KiB"}
	}
	return parseObject(body)
}
