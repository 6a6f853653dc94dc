package describe

import "steno/messages"

// hidden is the type of a field that is not in the JSON, though an embedded struct has one of that name.
type hidden struct{}

// LiveParams is a live request as the record shows it.
type LiveParams struct {
	messages.LiveRequest
	CustomMetadata hidden `json:"custom_metadata"`
}

// PreRecordedParams is a recorded file's request as the record shows it.
type PreRecordedParams struct {
	messages.PreRecordedRequest
	CustomMetadata hidden `json:"custom_metadata"`
}

// LiveJob is the record of a live job.
type LiveJob struct {
	messages.Job
	Kind          string               `json:"kind" enum:"live"`
	RequestParams *LiveParams          `json:"request_params"`
	Result        *messages.LiveResult `json:"result"`
}

// PreRecordedJob is the record of a recorded file's job.
type PreRecordedJob struct {
	messages.Job
	Kind          string                      `json:"kind" enum:"pre-recorded"`
	RequestParams *PreRecordedParams          `json:"request_params"`
	Result        *messages.PreRecordedResult `json:"result"`
}

// Job is a job of either kind.
type Job struct{ either[LiveJob, PreRecordedJob] }

// either is a value of one of two types.
type either[A, B any] struct{}

// Pages of jobs.
type (
	// LivePage is a page of live jobs.
	LivePage struct {
		messages.Page
		Items messages.List[LiveJob] `json:"items"`
	}
	// PreRecordedPage is a page of recorded files' jobs.
	PreRecordedPage struct {
		messages.Page
		Items messages.List[PreRecordedJob] `json:"items"`
	}
	// Page is a page of jobs of both kinds.
	Page struct {
		messages.Page
		Items messages.List[Job] `json:"items"`
	}
)
