package openapi

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"

	"steno/messages"
)

// event describes one kind of message that a server sends.
type event struct {
	kind    messages.Kind
	name    string // of its schema
	summary string
	data    reflect.Type // nil: it has no data
	failure reflect.Type // of its error; nil: it has no error
	acked   string       // the constant of acknowledged; empty: it has none
	maybe   bool         // error or data is null
	types   string       // where it is not that of the kind
	item    string       // fields with what an add-on failed for, separated by commas
	code    bool         // it may have an error_code
}

// events are all messages of a server, those of declared add-ons last.
func (g *registry) events() []event { return append(events(), g.declared.events()...) }

// events are the messages of every server.
func events() []event {
	none, addon := reflect.TypeFor[null](), reflect.TypeFor[messages.AddonError]()
	return []event{
		{kind: messages.KindAudioAck, name: "AudioAck", summary: "Audio was received and will not be lost",
			data: reflect.TypeFor[audioRange](), failure: none, acked: "true"},
		{kind: messages.KindStopAck, name: "StopAck", summary: "stop_recording was received",
			data: reflect.TypeFor[stopTimes](), failure: none, acked: "true"},
		{kind: messages.KindFailedAck, name: "FailedAck", summary: "A message was refused", data: none,
			failure: reflect.TypeFor[refusal](), acked: "false", types: "audio_chunk,stop_recording"},
		{kind: messages.KindStartSession, name: "StartSession",
			summary: "The session was created; never sent to its own socket"},
		{kind: messages.KindStartRecording, name: "StartRecording", summary: "The first audio may come"},
		{kind: messages.KindEndRecording, name: "EndRecording", summary: "No audio follows",
			data: reflect.TypeFor[endTimes]()},
		{kind: messages.KindEndSession, name: "EndSession", summary: "The last message of a session", code: true},
		{kind: messages.KindSpeechStart, name: "SpeechStart", summary: "Speech began",
			data: reflect.TypeFor[speechTime]()},
		{kind: messages.KindSpeechEnd, name: "SpeechEnd", summary: "Speech ended", data: reflect.TypeFor[speechTime]()},
		{kind: messages.KindPartial, name: "PartialTranscript", summary: "The whole of an utterance so far",
			data: reflect.TypeFor[partial]()},
		{kind: messages.KindFinal, name: "FinalTranscript", summary: "An utterance in its final form",
			data: reflect.TypeFor[final]()},
		{kind: messages.KindPreProcessing, name: "PreProcessing", summary: "What was done to the audio",
			data: reflect.TypeFor[messages.PreProcessing]()},
		{kind: messages.KindTranslation, name: "Translation", summary: "An utterance in another language",
			data: reflect.TypeFor[translated](), failure: addon, maybe: true, item: "utterance_id,target_language"},
		{kind: messages.KindNamedEntityRecognition, name: "NamedEntityRecognition", summary: "What an utterance names",
			data: reflect.TypeFor[named](), failure: addon, maybe: true, item: "utterance_id"},
		{kind: messages.KindSentimentAnalysis, name: "SentimentAnalysis", summary: "The mood of an utterance",
			data: reflect.TypeFor[felt](), failure: addon, maybe: true, item: "utterance_id"},
		{kind: messages.KindPostTranscript, name: "PostTranscript",
			summary: "The whole text. Where that would be longer than 1 MiB: without words, then without " +
				"utterances, then without the full transcript; GET of the session " +
				"has all", data: reflect.TypeFor[messages.Transcription]()},
		{kind: messages.KindPostSummarization, name: "PostSummarization",
			summary: "The summary of the whole text; empty where it would be longer than 1 MiB",
			data:    reflect.TypeFor[summary](), failure: addon, maybe: true},
		{kind: messages.KindPostChapterization, name: "PostChapterization",
			summary: "The whole text in chapters. Where that would be longer than 1 MiB: without words, then " +
				"without sentences, then without texts, then without chapters; GET of the session " +
				"has all", data: reflect.TypeFor[chapters](), failure: addon, maybe: true},
		{kind: messages.KindPostFinalTranscript, name: "PostFinalTranscript",
			summary: "The result of the session. Where that would be longer than 1 MiB: without words; then " +
				"without what repeats the text, which is the utterances of translations and sentences and texts of " +
				"chapters; then without entities and sentiments; then without utterances; then without results of " +
				"add-ons; then without the full transcript. GET of the session " +
				"has all", data: reflect.TypeFor[finalResult]()},
		{kind: messages.KindError, name: "Failure",
			summary: "Something went wrong in the session, which goes on unless end_recording follows. " +
				"AudioMissing: the store may have lost audio and messages after the time that the message names, " +
				"though the client was told that they are kept", data: none, failure: addon},
	}
}

// message is the schema of the whole message.
func (g *registry) message(e event) *Schema {
	s := &Schema{Type: Types{"object"}, Description: e.summary}
	put := func(name string, field *Schema) {
		s.Properties.set(name, field)
		s.Required = append(s.Required, name)
	}
	put("session_id", &Schema{Type: Types{"string"}, Format: "uuid"})
	put("created_at", &Schema{Type: Types{"string"}, Format: "date-time"})
	if e.acked != "" {
		put("acknowledged", &Schema{Type: Types{"boolean"}, Const: json.RawMessage(e.acked)})
	}
	if e.failure != nil {
		put("error", g.nullable(e.failure, e.maybe))
	}
	put("type", scalar("string", reflect.StructTag(`enum:"`+e.wireTypes()+`"`), written))
	if e.data != nil {
		put("data", g.nullable(e.data, e.maybe))
	}
	if e.code {
		s.Properties.set("error_code",
			scalar("integer", `minimum:"400" maximum:"599" doc:"Only of a session without any socket: 408, no `+
				`client has connected in time; 401, its key was removed"`, written))
	}
	if e.item != "" {
		for name := range strings.SplitSeq(e.item, ",") {
			s.Properties.set(name, scalar("string", `doc:"What the add-on failed for; only where data is null"`,
				written))
		}
	}
	return s
}

// title is the type that stands above the message.
func (e event) title() string {
	if e.kind == messages.KindAddonFinal || e.kind == messages.KindAddonSession {
		return e.types
	}
	return e.kind.String()
}

// wireTypes are the types that the message may have, separated by commas.
func (e event) wireTypes() string { return cmp.Or(e.types, e.kind.String()) }

func (g *registry) nullable(t reflect.Type, maybe bool) *Schema {
	s := g.bare(t, "", written)
	if maybe {
		return s.orNull()
	}
	return s
}

// What messages hold whose own types write their JSON by hand.
type (
	audioRange struct {
		ByteRange [2]int64   `json:"byte_range" minimum:"0" doc:"From here up to but without there, in bytes of audio over the whole session"`
		TimeRange [2]float64 `json:"time_range" minimum:"0" doc:"The same in seconds"`
	}
	stopTimes struct {
		Duration float64 `json:"recording_duration" minimum:"0" doc:"Seconds of audio received"`
		Left     float64 `json:"recording_left_to_process" minimum:"0" doc:"Seconds of it not yet transcribed"`
	}
	endTimes struct {
		Duration float64 `json:"recording_duration" minimum:"0" doc:"Seconds of audio received"`
	}
	refusal struct {
		Message string `json:"message" doc:"Why not"`
	}
	speechTime struct {
		Time    float64 `json:"time" minimum:"0" doc:"Seconds from the session's start"`
		Channel int     `json:"channel" minimum:"0" doc:"Counted from 0"`
	}
	partial struct {
		ID        string             `json:"id" doc:"Of the utterance: channel and number"`
		IsFinal   bool               `json:"is_final" const:"false" doc:"More may come"`
		Utterance messages.Utterance `json:"utterance"`
	}
	final struct {
		ID        string             `json:"id" doc:"Of the utterance: channel and number"`
		IsFinal   bool               `json:"is_final" const:"true" doc:"It will not change"`
		Utterance messages.Utterance `json:"utterance"`
	}
	ofUtterance struct {
		UtteranceID string             `json:"utterance_id" doc:"That of its final transcript"`
		Utterance   messages.Utterance `json:"utterance"`
	}
	translated struct {
		ofUtterance
		OriginalLanguage    string             `json:"original_language" doc:"Code of the language spoken"`
		TargetLanguage      string             `json:"target_language" doc:"Code of the language translated into"`
		TranslatedUtterance messages.Utterance `json:"translated_utterance"`
	}
	named struct {
		ofUtterance
		Results messages.List[messages.Entity] `json:"results" doc:"What it names"`
	}
	felt struct {
		ofUtterance
		Results messages.List[messages.Sentiment] `json:"results" doc:"Its moods"`
	}
	summary struct {
		Results string `json:"results" doc:"The summary; may be empty"`
	}
	chapters struct {
		Results messages.List[messages.Chapter] `json:"results" doc:"The chapters, in order"`
	}
	finalResult struct {
		messages.LiveResult
		Messages hidden `json:"messages"`
	}
)
