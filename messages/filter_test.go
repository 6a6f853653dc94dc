package messages

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

var flagNames = []string{
	"receive_partial_transcripts", "receive_final_transcripts", "receive_speech_events",
	"receive_pre_processing_events", "receive_realtime_processing_events", "receive_post_processing_events",
	"receive_acknowledgments", "receive_errors", "receive_lifecycle_events",
}

// flagsJSON sets the flags named to on and all others to off.
func flagsJSON(on ...string) string {
	var parts []string
	for _, name := range flagNames {
		parts = append(parts, fmt.Sprintf("%q:%t", name, slices.Contains(on, name)))
	}
	return strings.Join(parts, ",")
}

func kindsOf(f Filter) []Kind {
	var out []Kind
	for _, k := range Kinds() {
		if f.Has(k) {
			out = append(out, k)
		}
	}
	return out
}

// withDeclared adds the kinds of declared add-ons, which pass with those of the others.
func withDeclared(kinds []Kind) []Kind {
	all := slices.Clone(kinds)
	if slices.Contains(kinds, KindSentimentAnalysis) {
		all = append(all, KindAddonFinal)
	}
	if slices.Contains(kinds, KindPostFinalTranscript) {
		all = append(all, KindAddonSession)
	}
	return all
}

// TestFilters holds every flag against both sinks and every kind. The sets are written out: nothing
// of the code under test had a part in them.
func TestFilters(t *testing.T) {
	type set = []Kind
	alone := func(flag string) string { return flagsJSON(flag) }
	for _, tc := range []struct {
		name             string
		flags            string // of both configs
		extra            string // further fields of the request
		socket, callback set
	}{
		{"all off", flagsJSON(), "", nil, nil},
		{"partials", alone("receive_partial_transcripts"), "", set{KindPartial}, set{KindPartial}},
		{"finals", alone("receive_final_transcripts"), "", set{KindFinal}, set{KindFinal}},
		{"speech", alone("receive_speech_events"), "", set{KindSpeechStart, KindSpeechEnd},
			set{KindSpeechStart, KindSpeechEnd}},
		{"pre-processing", alone("receive_pre_processing_events"), "", set{KindPreProcessing}, set{KindPreProcessing}},
		{"real-time", alone("receive_realtime_processing_events"), "",
			set{KindTranslation, KindNamedEntityRecognition, KindSentimentAnalysis},
			set{KindTranslation, KindNamedEntityRecognition, KindSentimentAnalysis}},
		{"post-processing", alone("receive_post_processing_events"), "",
			set{KindPostTranscript, KindPostSummarization, KindPostChapterization, KindPostFinalTranscript},
			set{KindPostTranscript, KindPostSummarization, KindPostChapterization, KindPostFinalTranscript}},
		{"acknowledgments", alone("receive_acknowledgments"), "",
			set{KindAudioAck, KindStopAck, KindFailedAck}, set{KindAudioAck, KindStopAck, KindFailedAck}},
		{"errors", alone("receive_errors"), "", set{KindFailedAck, KindError}, set{KindFailedAck, KindError}},
		{"lifecycle", alone("receive_lifecycle_events"), "",
			set{KindStartRecording, KindEndRecording, KindEndSession},
			set{KindStartSession, KindStartRecording, KindEndRecording, KindEndSession}},
		{"all on", flagsJSON(flagNames...), "",
			set{KindAudioAck, KindStopAck, KindFailedAck, KindStartRecording, KindEndRecording, KindEndSession,
				KindSpeechStart, KindSpeechEnd, KindPartial, KindFinal, KindPreProcessing, KindTranslation,
				KindNamedEntityRecognition, KindSentimentAnalysis, KindPostTranscript, KindPostSummarization,
				KindPostChapterization, KindPostFinalTranscript, KindError},
			set{KindAudioAck, KindStopAck, KindFailedAck, KindStartSession, KindStartRecording, KindEndRecording,
				KindEndSession,
				KindSpeechStart, KindSpeechEnd, KindPartial, KindFinal, KindPreProcessing, KindTranslation,
				KindNamedEntityRecognition, KindSentimentAnalysis, KindPostTranscript, KindPostSummarization,
				KindPostChapterization, KindPostFinalTranscript, KindError}},
		{"defaults", "", "",
			set{KindAudioAck, KindStopAck, KindFailedAck, KindSpeechStart, KindSpeechEnd, KindFinal, KindTranslation,
				KindNamedEntityRecognition, KindSentimentAnalysis, KindPostTranscript, KindPostSummarization,
				KindPostFinalTranscript},
			set{KindStartSession, KindStartRecording, KindEndRecording, KindEndSession, KindFinal, KindPreProcessing,
				KindTranslation, KindNamedEntityRecognition, KindSentimentAnalysis, KindPostTranscript,
				KindPostSummarization,
				KindPostChapterization, KindPostFinalTranscript}},
		{"defaults with chapterization", "", `"post_processing":{"chapterization":true}`,
			set{KindAudioAck, KindStopAck, KindFailedAck, KindSpeechStart, KindSpeechEnd, KindFinal, KindTranslation,
				KindNamedEntityRecognition, KindSentimentAnalysis, KindPostTranscript, KindPostSummarization,
				KindPostChapterization, KindPostFinalTranscript},
			set{KindStartSession, KindStartRecording, KindEndRecording, KindEndSession, KindFinal, KindPreProcessing,
				KindTranslation, KindNamedEntityRecognition, KindSentimentAnalysis, KindPostTranscript,
				KindPostSummarization,
				KindPostChapterization, KindPostFinalTranscript}},
		{"chapterization, but no post-processing events", flagsJSON(), `"post_processing":{"chapterization":true}`,
			nil, nil},
		{"null flags are missing flags",
			`"receive_errors":null,"receive_pre_processing_events":null,"receive_post_processing_events":null`, "",
			set{KindAudioAck, KindStopAck, KindFailedAck, KindSpeechStart, KindSpeechEnd, KindFinal, KindTranslation,
				KindNamedEntityRecognition, KindSentimentAnalysis, KindPostTranscript, KindPostSummarization,
				KindPostFinalTranscript},
			set{KindStartSession, KindStartRecording, KindEndRecording, KindEndSession, KindFinal, KindPreProcessing,
				KindTranslation, KindNamedEntityRecognition, KindSentimentAnalysis, KindPostTranscript,
				KindPostSummarization,
				KindPostChapterization, KindPostFinalTranscript}},
		{"acks off, errors by default", `"receive_acknowledgments":false`, "",
			set{KindFailedAck, KindSpeechStart, KindSpeechEnd, KindFinal, KindTranslation,
				KindNamedEntityRecognition, KindSentimentAnalysis, KindPostTranscript, KindPostSummarization,
				KindPostFinalTranscript},
			set{KindStartSession, KindStartRecording, KindEndRecording, KindEndSession, KindFinal, KindPreProcessing,
				KindTranslation, KindNamedEntityRecognition, KindSentimentAnalysis, KindPostTranscript,
				KindPostSummarization,
				KindPostChapterization, KindPostFinalTranscript}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			body := fmt.Sprintf(`{"callback":true,"messages_config":{%s},"callback_config":{"url":"https://example.com/hook"%s}`,
				tc.flags, strings.TrimSuffix(","+tc.flags, ","))
			if tc.extra != "" {
				body += "," + tc.extra
			}
			r, problem := ParseLive([]byte(body + "}"))
			if problem != nil {
				t.Fatal(problem.ValidationErrors)
			}
			if got := kindsOf(r.SocketFilter()); !slices.Equal(got, withDeclared(tc.socket)) {
				t.Errorf("socket: got %v, want %v", got, withDeclared(tc.socket))
			}
			if got := kindsOf(r.CallbackFilter()); !slices.Equal(got, withDeclared(tc.callback)) {
				t.Errorf("callback: got %v, want %v", got, withDeclared(tc.callback))
			}
		})
	}
}

func TestCallbackFilterIsEmptyWithoutCallback(t *testing.T) {
	r, problem := ParseLive([]byte(`{"callback_config":{"url":"https://example.com/",` + flagsJSON(flagNames...) +
		`}}`))
	if problem != nil {
		t.Fatal(problem)
	}
	if got := kindsOf(r.CallbackFilter()); got != nil {
		t.Errorf("got %v", got)
	}
}

func TestFilterSets(t *testing.T) {
	f := FilterOf(KindFinal, KindError)
	for _, k := range Kinds() {
		if want := k == KindFinal || k == KindError; f.Has(k) != want {
			t.Errorf("%v: %v", k, f.Has(k))
		}
	}
	if f.Has(0) || f.Has(kindEnd) || f.Has(32+KindFinal) || f.Has(255) {
		t.Error("has what is no kind")
	}
	if f.With(KindPartial) != FilterOf(KindError, KindFinal, KindPartial) || f.Without(KindFinal) !=
		FilterOf(KindError) {
		t.Error("With and Without")
	}
}

func TestKinds(t *testing.T) {
	unlogged := []Kind{KindAudioAck, KindStopAck, KindFailedAck, KindPartial}
	types := map[Kind]string{
		KindAudioAck: "audio_chunk", KindStopAck: "stop_recording", KindFailedAck: "failed_ack",
		KindStartSession: "start_session", KindStartRecording: "start_recording", KindEndRecording: "end_recording",
		KindEndSession: "end_session", KindSpeechStart: "speech_start", KindSpeechEnd: "speech_end",
		KindPartial: "transcript", KindFinal: "transcript", KindPreProcessing: "pre_processing",
		KindTranslation: "translation", KindNamedEntityRecognition: "named_entity_recognition",
		KindSentimentAnalysis: "sentiment_analysis", KindPostTranscript: "post_transcript",
		KindPostSummarization: "post_summarization", KindPostChapterization: "post_chapterization",
		KindPostFinalTranscript: "post_final_transcript", KindError: "error",
		KindAddonFinal: "addon_final", KindAddonSession: "addon_session",
	}
	if len(Kinds()) != len(types) {
		t.Fatalf("%d kinds, want %d", len(Kinds()), len(types))
	}
	for _, k := range Kinds() {
		if k.String() != types[k] {
			t.Errorf("kind %d: type %q, want %q", k, k, types[k])
		}
		if k.Logged() == slices.Contains(unlogged, k) {
			t.Errorf("%v: logged %v", k, k.Logged())
		}
	}
	if Kind(0).Logged() || kindEnd.Logged() || Kind(0).String() != "unknown" {
		t.Error("what is no kind has a log or a name")
	}
}
