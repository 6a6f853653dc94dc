package messages

// The events of a recorded file's callback.
const (
	EventSuccess = "transcription.success"
	EventError   = "transcription.error"
)

// CallbackSuccess is the body of the callback that brings a result: see [NewCallbackSuccess].
type CallbackSuccess struct {
	ID      string            `json:"id"` // of the job
	Event   string            `json:"event" enum:"transcription.success"`
	Payload PreRecordedResult `json:"payload"`
	// CustomMetadata is the request's; left out of the JSON where it had none.
	CustomMetadata Object `json:"custom_metadata,omitzero"`
}

// NewCallbackSuccess is the body that brings the result of the job.
func NewCallbackSuccess(jobID string, result PreRecordedResult, metadata Object) CallbackSuccess {
	return CallbackSuccess{ID: jobID, Event: EventSuccess, Payload: result, CustomMetadata: metadata}
}

// CallbackError is the body of the callback that reports a failure: see [NewCallbackError].
type CallbackError struct {
	ID    string          `json:"id"` // of the job
	Event string          `json:"event" enum:"transcription.error"`
	Error CallbackFailure `json:"error"`
	// CustomMetadata is the request's; left out of the JSON where it had none.
	CustomMetadata Object `json:"custom_metadata,omitzero"`
}

// CallbackFailure is why a job failed. All of it is shown to clients.
type CallbackFailure struct {
	Code    int    `json:"code"` // the job's error_code
	Message string `json:"message"`
}

// NewCallbackError returns the body that reports the job's failure.
func NewCallbackError(jobID string, code int, message string, metadata Object) CallbackError {
	failure := CallbackFailure{Code: code, Message: message}
	return CallbackError{ID: jobID, Event: EventError, Error: failure, CustomMetadata: metadata}
}

// AppendLiveCallback appends to b the body of a live session's callback and returns the longer
// slice. The message is the exact JSON that [Append] made, and wireType its type (see
// [Event.Type]); it is embedded byte by byte and not kept.
func AppendLiveCallback(b []byte, sessionID, wireType string, message []byte) []byte {
	b = append(b, `{"id":`...)
	b = AppendString(b, sessionID)
	b = append(b, `,"event":"live.`...)
	b = append(b, wireType...)
	b = append(b, `","payload":`...)
	b = append(b, message...)
	return append(b, '}')
}
