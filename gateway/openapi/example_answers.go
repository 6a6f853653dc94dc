package openapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"steno/messages"
)

// ExampleTime returns when the session or job of the examples began.
func ExampleTime() messages.Timestamp {
	return messages.Stamp(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
}

// ExampleID is the id of the session or job of the examples.
func ExampleID() string { return exampleID }

// ExampleUtterance is what was said in the examples.
func ExampleUtterance() messages.Utterance { return exampleUtterance() }

// ExampleUploadForm is the form of an upload; "@" stands before the name of a file.
func ExampleUploadForm() any { return map[string]string{"audio": "@talk.wav"} }

// ExampleBotForm is the form of a meeting bot.
func ExampleBotForm() any { return map[string]string{"audio": "@talk.wav", "language": "en"} }

// ExampleUpload is the answer to an upload.
func ExampleUpload() any {
	return messages.Upload{
		AudioURL: SampleAddress + "/file/" + exampleFile,
		AudioMetadata: messages.AudioMetadata{
			ID: exampleFile, Filename: "talk.wav", Extension: "wav", Size: 48044, AudioDuration: 1.5,
			NumberOfChannels: 1,
		},
	}
}

// exampleFile is the id of the file of the examples.
const exampleFile = "6a2f41a3-8a0e-4b1d-9b57-2d1f0c6de001"

// ExampleCreated is the answer to a request for a recorded file's transcription.
func ExampleCreated() any {
	return messages.Created{ID: exampleID, ResultURL: SampleAddress + "/v2/pre-recorded/" + exampleID}
}

// ExampleLiveJob is the record of a live session.
func ExampleLiveJob() any {
	q, problem := messages.ParseLive(encoded(ExampleLive()))
	if problem != nil {
		panic(problem)
	}
	result := exampleResult()
	result.Messages = messages.List[string]{string(messages.Append(nil, messages.Envelope{SessionID: exampleID,
		CreatedAt: ExampleTime().Time}, messages.EndSession{}))}
	return exampleJob(messages.JobLive, q.CustomMetadata, q, result)
}

// ExamplePreRecordedJob is the record of a recorded file's job.
func ExamplePreRecordedJob() any {
	q, problem := messages.ParsePreRecorded(encoded(ExamplePreRecorded()))
	if problem != nil {
		panic(problem)
	}
	text := exampleTranscription()
	return exampleJob(messages.JobPreRecorded, q.CustomMetadata, q,
		messages.PreRecordedResult{Metadata: exampleResult().Metadata, Transcription: &text})
}

func exampleJob(kind messages.JobKind, metadata messages.Object, request, result any) messages.Job {
	ended := messages.Stamp(ExampleTime().Add(2 * time.Second))
	return messages.Job{
		ID: exampleID, RequestID: messages.RequestID(exampleID), Version: messages.Version, Status: messages.StatusDone,
		CreatedAt: ExampleTime(), CompletedAt: &ended, CustomMetadata: metadata,
		PostSessionMetadata: messages.Object{}, Kind: kind,
		File:          &messages.File{ID: exampleFile, AudioDuration: pointer(1.5), NumberOfChannels: pointer(1)},
		RequestParams: encoded(request), Result: encoded(result),
	}
}

// ExamplePage is a page of a list whose addresses begin with the path, and that has one job.
func ExamplePage(path string, job any) any {
	address := SampleAddress + path + "?offset=0&limit=20"
	return messages.Page{First: address, Current: address, Items: messages.List[messages.Job]{job.(messages.Job)}}
}

// ExampleMetadata is what may be added to a job's metadata.
func ExampleMetadata() any { return map[string]any{"rating": 5} }

// ExampleToken asks for a token with which a page may open sessions for ten minutes.
func ExampleToken() any {
	return map[string]any{"name": "microphone of a page", "scopes": []string{"live"}, "lifetime": 600}
}

// ExampleSubscriber asks for a token that shows a session's finals.
func ExampleSubscriber() any {
	return map[string]any{"name": "captions", "lifetime": 3600, "receive_partial_transcripts": true}
}

// ExampleBotAnswer is the answer to a meeting bot.
func ExampleBotAnswer() any {
	return messages.BotAnswer{Status: messages.StatusDone,
		Result: &messages.BotResult{Transcription: exampleTranscription()}}
}

// ExampleEvents are server-sent events of the session of the examples.
func ExampleEvents() any {
	var text strings.Builder
	for i, m := range []messages.Message{messages.SpeechStart{Time: 0.21}, messages.SpeechEnd{Time: 1.2}} {
		at := messages.Envelope{SessionID: exampleID, CreatedAt: ExampleTime().Add(time.Duration(i+1) * time.Second)}
		fmt.Fprintf(&text, "id: 1-%d\nevent: %s\ndata: %s\n\n", i+3, m.Kind(), messages.Append(nil, at, m))
	}
	return text.String()
}

// encoded is the JSON of what can be encoded.
func encoded(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// exampleRefusal is the answer to a request with a fault.
func exampleRefusal() messages.ErrorBody {
	return messages.ErrorBody{
		Timestamp: ExampleTime(), Path: "/v2/live", RequestID: messages.RequestID(exampleID), StatusCode: 400,
		Message:          "Validation failed",
		ValidationErrors: []string{"endpointing must not be less than 0.01"},
	}
}
