package openapi

import (
	"time"

	"steno/messages"
)

// exampleID is the session of the examples.
const exampleID = "45463597-20b7-4af7-b3b3-f5fb778203ab"

// examplesOf are messages of a kind, written as sessions write them.
func examplesOf(k messages.Kind) []example {
	at := messages.Envelope{SessionID: exampleID, CreatedAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	var all []example
	for _, m := range exampleMessages() {
		if m.Kind() == k {
			all = append(all, example{messages.Append(nil, at, m)})
		}
	}
	return all
}

// exampleMessages returns at least one message of each kind.
func exampleMessages() []messages.Message {
	u := exampleUtterance()
	failed := &messages.AddonError{StatusCode: 501, Exception: "NotImplemented",
		Message: "this add-on is not available"}
	return []messages.Message{
		messages.AudioAck{ByteRange: [2]int64{0, 3200}, TimeRange: [2]float64{0, 0.1}},
		messages.AudioAck{Refused: "data.chunk must be base64"},
		messages.StopAck{Duration: 1.5, Left: 0.5},
		messages.StopAck{Refused: "recording has ended already"},
		messages.StartSession{}, messages.StartRecording{}, messages.EndRecording{Duration: 1.5}, messages.EndSession{},
		messages.SpeechStart{Time: 0.21}, messages.SpeechEnd{Time: 1.2},
		messages.Transcript{ID: messages.UtteranceID(0, 0), Utterance: u},
		messages.Transcript{ID: messages.UtteranceID(0, 0), IsFinal: true, Utterance: u},
		messages.PreProcessing{Time: 2, Step: "audio_enhancer", NoiseDB: -41.5, GainDB: -9.2},
		messages.Translation{
			UtteranceID: messages.UtteranceID(0, 0), Utterance: u, OriginalLanguage: "en", TargetLanguage: "fr",
			TranslatedUtterance: inFrench(u),
		},
		messages.Translation{Error: failed, UtteranceID: messages.UtteranceID(0, 1), TargetLanguage: "fr"},
		messages.NamedEntityRecognition{
			UtteranceID: messages.UtteranceID(0, 0), Utterance: u,
			Results: []messages.Entity{{EntityType: "NAME_GIVEN", Text: "Ada", Start: 0.5, End: 0.9}},
		},
		messages.NamedEntityRecognition{Error: failed, UtteranceID: messages.UtteranceID(0, 1)},
		messages.SentimentAnalysis{
			UtteranceID: messages.UtteranceID(0, 0), Utterance: u,
			Results: []messages.Sentiment{{Sentiment: "positive", Emotion: "joy", Text: "Hello Ada", Start: 0.21,
				End: 0.9}},
		},
		messages.SentimentAnalysis{Error: failed, UtteranceID: messages.UtteranceID(0, 1)},
		messages.PostTranscript{Transcription: exampleTranscription()},
		messages.PostSummarization{Results: pointer("Somebody greets Ada.")},
		messages.PostSummarization{Error: failed},
		messages.PostChapterization{Results: []messages.Chapter{{
			Headline: "Greeting", Gist: "A greeting", Keywords: []string{"hello"}, Start: 0.21, End: 0.9,
			Sentences: []messages.ChapterSentence{{Sentence: "Hello Ada", Start: 0.21, End: 0.9, Words: u.Words}},
			Text:      "Hello Ada", Summary: "Somebody greets Ada.",
		}}},
		messages.PostChapterization{Error: failed},
		messages.PostFinalTranscript{LiveResult: exampleResult()},
		messages.Failure{AddonError: messages.AddonError{StatusCode: 503, Exception: "EngineUnavailable",
			Message: "no engine answers"}},
	}
}

func exampleUtterance() messages.Utterance {
	return messages.Utterance{
		Start: 0.21, End: 0.9, Confidence: 0.93, Text: " Hello Ada", Language: "en",
		Words: []messages.Word{
			{Word: " Hello", Start: 0.21, End: 0.5, Confidence: 0.95}, {Word: " Ada", Start: 0.5, End: 0.9,
				Confidence: 0.91},
		},
	}
}

func inFrench(u messages.Utterance) messages.Utterance {
	u.Words = []messages.Word{{Word: " Bonjour", Start: 0.21, End: 0.5, Confidence: 0.95}, {Word: " Ada", Start: 0.5,
		End: 0.9, Confidence: 0.91}}
	u.Text, u.Language = " Bonjour Ada", "fr"
	return u
}

func exampleTranscription() messages.Transcription {
	return messages.Transcription{
		FullTranscript: "Hello Ada", Languages: []string{"en"}, Utterances: []messages.Utterance{exampleUtterance()},
	}
}

func exampleResult() messages.LiveResult {
	return messages.LiveResult{
		Metadata: messages.Metadata{AudioDuration: 1.5, NumberOfDistinctChannels: 1, BillingTime: 1.5,
			TranscriptionTime: 0.4},
		Transcription: exampleTranscription(),
		Summarization: &messages.AddonResult[*string]{Success: true, ExecTime: 0.2,
			Results: pointer("Somebody greets Ada.")},
	}
}

func pointer[T any](v T) *T { return &v }

// ExampleLive is a live request.
func ExampleLive() any {
	return map[string]any{
		"encoding": "wav/pcm", "bit_depth": 16, "sample_rate": 16000, "channels": 1,
		"language_config": map[string]any{"languages": []string{"en"}},
		"post_processing": map[string]any{"summarization": true},
		"messages_config": map[string]any{"receive_partial_transcripts": true},
		"custom_metadata": map[string]any{"user": "Ada"},
	}
}

// ExamplePreRecorded is a recorded file's request.
func ExamplePreRecorded() any {
	return map[string]any{
		"audio_url":       "https://example.com/talk.mp3",
		"language_config": map[string]any{"languages": []string{"en", "fr"}, "code_switching": true},
		"diarization":     true,
		"subtitles":       true, "subtitles_config": map[string]any{"formats": []string{"srt", "vtt"}},
	}
}
