package messages

// Storage is what is kept of a job after its end. What is nil is as the account has it, which is
// true unless the operator has said otherwise.
type Storage struct {
	StoreAudio *bool `json:"store_audio,omitempty" doc:"false: the recording is erased once the job has ended, everywhere. Without it as the operator has set for the account, else true"`

	StoreTranscripts *bool `json:"store_transcripts,omitempty" doc:"false: results and messages are erased once the job has ended, everywhere: callbacks still carry them, and of a recorded file without a callback the result can be read for half a minute. Without it as the operator has set for the account, else true"`
}
