package messages

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"
)

// The envelope of all golden messages, in a zone of its own so that the conversion shows.
var (
	testEnvelope = Envelope{
		SessionID: "S",
		CreatedAt: time.Date(2026, 1, 2, 5, 4, 5, 678_999_999, time.FixedZone("", 2*3600)),
	}
	testHead = `{"session_id":"S","created_at":"2026-01-02T03:04:05.678Z",`
)

func testUtterance() Utterance {
	return Utterance{
		Start: 0.32, End: 1.18, Confidence: 0.87, Channel: 0, Text: " Good morning.", Language: "en",
		Words: []Word{{" Good", 0.32, 0.6, 0.9}, {" morning.", 0.61, 1.18, 0.84}},
	}
}

const testUtteranceJSON = `{"start":0.32,"end":1.18,"confidence":0.87,"channel":0,"words":[` +
	`{"word":" Good","start":0.32,"end":0.6,"confidence":0.9},` +
	`{"word":" morning.","start":0.61,"end":1.18,"confidence":0.84}],"text":" Good morning.","language":"en"}`

func testTranscription() Transcription {
	return Transcription{
		FullTranscript: "Good morning.", Languages: []string{"en"}, Utterances: []Utterance{testUtterance()},
	}
}

const testTranscriptionJSON = `{"full_transcript":"Good morning.","languages":["en"],"utterances":[` +
	testUtteranceJSON + `]}`

func ptr[T any](v T) *T { return &v }

func TestAppendGolden(t *testing.T) {
	u := testUtterance()
	failed := &AddonError{StatusCode: 503, Exception: "EngineUnavailable", Message: "no <engine> & no \"words\""}
	const failedJSON = `{"status_code":503,"exception":"EngineUnavailable","message":"no <engine> & no \"words\""}`
	for _, tc := range []struct {
		name string
		kind Kind
		m    Message
		want string // after the envelope
	}{
		{"start_session", KindStartSession, StartSession{}, `"type":"start_session"}`},
		{"start_recording", KindStartRecording, StartRecording{}, `"type":"start_recording"}`},
		{"end_session", KindEndSession, EndSession{}, `"type":"end_session"}`},
		{"audio ack", KindAudioAck, AudioAck{ByteRange: [2]int64{3200, 6400}, TimeRange: [2]float64{0.1, 0.2}},
			`"acknowledged":true,"error":null,"type":"audio_chunk","data":{"byte_range":[3200,6400],"time_range":[0.1,0.2]}}`},
		{"keep-alive ack", KindAudioAck, AudioAck{},
			`"acknowledged":true,"error":null,"type":"audio_chunk","data":{"byte_range":[0,0],"time_range":[0,0]}}`},
		{"audio refused", KindFailedAck, AudioAck{Refused: "Recording already stopped", ByteRange: [2]int64{1, 2}},
			`"acknowledged":false,"error":{"message":"Recording already stopped"},"type":"audio_chunk","data":null}`},
		{"stop ack", KindStopAck, StopAck{Duration: 12.4, Left: 0.8},
			`"acknowledged":true,"error":null,"type":"stop_recording","data":{"recording_duration":12.4,"recording_left_to_process":0.8}}`},
		{"stop refused", KindFailedAck, StopAck{Refused: "Recording already stopped"},
			`"acknowledged":false,"error":{"message":"Recording already stopped"},"type":"stop_recording","data":null}`},
		{"speech_start", KindSpeechStart, SpeechStart{Time: 0.32, Channel: 0},
			`"type":"speech_start","data":{"time":0.32,"channel":0}}`},
		{"speech_end", KindSpeechEnd, SpeechEnd{Time: 1.21, Channel: 7},
			`"type":"speech_end","data":{"time":1.21,"channel":7}}`},
		{"partial", KindPartial, Transcript{ID: "00_00000000", Utterance: u},
			`"type":"transcript","data":{"id":"00_00000000","is_final":false,"utterance":` + testUtteranceJSON + `}}`},
		{"final", KindFinal, Transcript{ID: "00_00000000", IsFinal: true, Utterance: u},
			`"type":"transcript","data":{"id":"00_00000000","is_final":true,"utterance":` + testUtteranceJSON + `}}`},
		{"empty utterance", KindFinal, Transcript{ID: "01_00000002", IsFinal: true,
			Utterance: Utterance{Speaker: ptr(2)}},
			`"type":"transcript","data":{"id":"01_00000002","is_final":true,"utterance":` +
				`{"start":0,"end":0,"confidence":0,"channel":0,"words":[],"text":"","language":"","speaker":2}}}`},
		{"translation", KindTranslation, Translation{UtteranceID: "00_00000000", Utterance: u, OriginalLanguage: "en",
			TargetLanguage: "fr", TranslatedUtterance: u},
			`"error":null,"type":"translation","data":{"utterance_id":"00_00000000","utterance":` + testUtteranceJSON +
				`,"original_language":"en","target_language":"fr","translated_utterance":` + testUtteranceJSON + `}}`},
		{"translation failed", KindTranslation, Translation{UtteranceID: "00_00000000", Utterance: u,
			TargetLanguage: "fr", Error: failed},
			`"error":` + failedJSON +
				`,"type":"translation","data":null,"utterance_id":"00_00000000","target_language":"fr"}`},
		{"entities", KindNamedEntityRecognition, NamedEntityRecognition{UtteranceID: "00_00000000", Utterance: u,
			Results: []Entity{{"NAME_GIVEN", "Sasha", 2.1, 2.5}}},
			`"error":null,"type":"named_entity_recognition","data":{"utterance_id":"00_00000000","utterance":` +
				testUtteranceJSON +
				`,"results":[{"entity_type":"NAME_GIVEN","text":"Sasha","start":2.1,"end":2.5}]}}`},
		{"no entities", KindNamedEntityRecognition, NamedEntityRecognition{UtteranceID: "00_00000000", Utterance: u},
			`"error":null,"type":"named_entity_recognition","data":{"utterance_id":"00_00000000","utterance":` +
				testUtteranceJSON + `,"results":[]}}`},
		{"entities failed", KindNamedEntityRecognition, NamedEntityRecognition{UtteranceID: "00_00000001",
			Error: failed},
			`"error":` + failedJSON + `,"type":"named_entity_recognition","data":null,"utterance_id":"00_00000001"}`},
		{"sentiment", KindSentimentAnalysis, SentimentAnalysis{UtteranceID: "00_00000000", Utterance: u,
			Results: []Sentiment{{Sentiment: "positive", Emotion: "neutral", Text: "Q&A <b>", Start: 0.32, End: 1.18}}},
			`"error":null,"type":"sentiment_analysis","data":{"utterance_id":"00_00000000","utterance":` +
				testUtteranceJSON +
				`,"results":[{"sentiment":"positive","emotion":"neutral","text":"Q&A <b>","start":0.32,"end":1.18,"channel":0}]}}`},
		{"sentiment failed", KindSentimentAnalysis, SentimentAnalysis{UtteranceID: "00_00000001", Error: failed},
			`"error":` + failedJSON + `,"type":"sentiment_analysis","data":null,"utterance_id":"00_00000001"}`},
		{"end_recording", KindEndRecording, EndRecording{Duration: 12.4},
			`"type":"end_recording","data":{"recording_duration":12.4}}`},
		{"post_transcript", KindPostTranscript, PostTranscript{testTranscription()},
			`"type":"post_transcript","data":` + testTranscriptionJSON + `}`},
		{"post_transcript of silence", KindPostTranscript, PostTranscript{},
			`"type":"post_transcript","data":{"full_transcript":"","languages":[],"utterances":[]}}`},
		{"post_summarization", KindPostSummarization, PostSummarization{Results: ptr("short")},
			`"error":null,"type":"post_summarization","data":{"results":"short"}}`},
		{"post_summarization of silence", KindPostSummarization, PostSummarization{},
			`"error":null,"type":"post_summarization","data":{"results":""}}`},
		{"post_summarization failed", KindPostSummarization, PostSummarization{Error: failed},
			`"error":` + failedJSON + `,"type":"post_summarization","data":null}`},
		{"post_chapterization", KindPostChapterization, PostChapterization{Results: []Chapter{{
			Headline: "h", Gist: "g", Keywords: []string{"k"}, End: 12.4, Text: "t", Summary: "s",
			Sentences: []ChapterSentence{{Sentence: "t", Start: 1, End: 2}},
		}}},
			`"error":null,"type":"post_chapterization","data":{"results":[{"headline":"h","gist":"g","keywords":["k"],"start":0,"end":12.4,` +
				`"sentences":[{"sentence":"t","start":1,"end":2,"words":[]}],"text":"t","summary":"s"}]}}`},
		{"post_chapterization failed", KindPostChapterization, PostChapterization{Error: failed},
			`"error":` + failedJSON + `,"type":"post_chapterization","data":null}`},
		{"post_final_transcript", KindPostFinalTranscript, PostFinalTranscript{LiveResult{
			Metadata: Metadata{AudioDuration: 12.4, NumberOfDistinctChannels: 2, BillingTime: 24.8,
				TranscriptionTime: 1.5},
			Transcription: testTranscription(),
			Summarization: &AddonResult[*string]{Success: true, ExecTime: 0.1, Results: ptr("short")},
			Messages:      []string{"not shown here"},
		}},
			`"type":"post_final_transcript","data":{"metadata":{"audio_duration":12.4,"number_of_distinct_channels":2,"billing_time":24.8,"transcription_time":1.5},` +
				`"transcription":` + testTranscriptionJSON +
				`,"summarization":{"success":true,"is_empty":false,"exec_time":0.1,"error":null,"results":"short"}}}`},
		{"pre_processing", KindPreProcessing, PreProcessing{Channel: 0, Time: 2, Step: "audio_enhancer",
			NoiseDB: -41.5, GainDB: -9.2},
			`"type":"pre_processing","data":{"channel":0,"time":2,"kind":"audio_enhancer","noise_db":-41.5,"gain_db":-9.2}}`},
		{"error", KindError, Failure{*failed}, `"error":` + failedJSON + `,"type":"error","data":null}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := string(Append([]byte("before"), testEnvelope, tc.m))
			if want := "before" + testHead + tc.want; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if tc.m.Kind() != tc.kind {
				t.Errorf("kind %v, want %v", tc.m.Kind(), tc.kind)
			}
			if !json.Valid([]byte(got[len("before"):])) {
				t.Error("not valid JSON")
			}
		})
	}
}

func TestLiveResultGolden(t *testing.T) {
	got, err := json.Marshal(LiveResult{
		Translation: &AddonResult[List[TranslationResult]]{Success: true,
			Results: []TranslationResult{{FullTranscript: "Bonjour."}}},
		NamedEntityRecognition: &AddonResult[List[Entity]]{Error: &AddonError{500, "Broken", "it broke"}},
		SentimentAnalysis:      &AddonResult[string]{Success: true, Results: "[]"},
		Summarization:          &AddonResult[*string]{Success: true, IsEmpty: true},
		Chapterization:         &AddonResult[List[Chapter]]{Success: true, IsEmpty: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"metadata":{"audio_duration":0,"number_of_distinct_channels":0,"billing_time":0,"transcription_time":0},` +
		`"transcription":{"full_transcript":"","languages":[],"utterances":[]},` +
		`"translation":{"success":true,"is_empty":false,"exec_time":0,"error":null,"results":[{"error":null,"full_transcript":"Bonjour.","languages":[],"utterances":[]}]},` +
		`"summarization":{"success":true,"is_empty":true,"exec_time":0,"error":null,"results":null},` +
		`"named_entity_recognition":{"success":false,"is_empty":false,"exec_time":0,"error":{"status_code":500,"exception":"Broken","message":"it broke"},"results":[]},` +
		`"sentiment_analysis":{"success":true,"is_empty":false,"exec_time":0,"error":null,"results":"[]"},` +
		`"chapterization":{"success":true,"is_empty":true,"exec_time":0,"error":null,"results":[]},"messages":[]}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAppendLeavesOutWordsOfLongMessages(t *testing.T) {
	long := Transcription{FullTranscript: "x"}
	for range 12000 {
		long.Utterances = append(long.Utterances, Utterance{Text: " x", Words: []Word{{" x", 1, 2, 0.5}}})
	}
	translated := LiveResult{Transcription: long,
		Translation: &AddonResult[List[TranslationResult]]{Results: []TranslationResult{{Utterances: long.Utterances[:10]}}}}
	for _, m := range []Message{PostTranscript{long}, PostFinalTranscript{translated}} {
		got := Append(nil, testEnvelope, m)
		if !json.Valid(got) {
			t.Fatalf("%v: not valid JSON", m.Kind())
		}
		if strings.Contains(string(got), `"word":`) || !strings.Contains(string(got), `"words":[]`) {
			t.Errorf("%v of %d bytes still has words", m.Kind(), len(got))
		}
	}
	if len(long.Utterances[0].Words) != 1 {
		t.Error("the caller's utterances lost their words")
	}
	short := Append(nil, testEnvelope, PostTranscript{Transcription{Utterances: long.Utterances[:7000]}})
	if len(short) > maxMessage || !strings.Contains(string(short), `"word":`) {
		t.Errorf("a message of %d bytes lost its words", len(short))
	}
}

func TestAppendNumbersThatAreNone(t *testing.T) {
	m := PreProcessing{NoiseDB: math.Inf(-1), GainDB: math.NaN()}
	want := testHead + `"type":"pre_processing","data":{"channel":0,"time":0,"kind":"","noise_db":0,"gain_db":0}}`
	if got := string(Append(nil, testEnvelope, m)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	entity := NamedEntityRecognition{Results: []Entity{{Start: math.NaN()}}}
	if got := Append(nil, testEnvelope, entity); !json.Valid(got) {
		t.Errorf("not valid JSON: %s", got)
	}
}

func TestAppendWithoutAllocation(t *testing.T) {
	buf := make([]byte, 0, 4096)
	for _, m := range []Message{
		AudioAck{ByteRange: [2]int64{3200, 6400}, TimeRange: [2]float64{0.1, 0.2}},
		AudioAck{Refused: "Recording already stopped"},
		StopAck{Duration: 12.4, Left: 0.8},
		SpeechStart{Time: 0.32},
		Transcript{ID: "00_00000000", Utterance: testUtterance()},
	} {
		if n := testing.AllocsPerRun(100, func() { buf = Append(buf[:0], testEnvelope, m) }); n != 0 {
			t.Errorf("%v: %v allocations", m.Kind(), n)
		}
	}
}

// A socket keeps its ack and hands out its address, so that not even the interface value costs
// anything.
func TestAppendAckByPointerWithoutAllocation(t *testing.T) {
	buf := make([]byte, 0, 512)
	ack := new(AudioAck)
	n := testing.AllocsPerRun(100, func() {
		ack.ByteRange[1] += 3200
		buf = Append(buf[:0], testEnvelope, ack)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkAppendAck(b *testing.B) {
	buf := make([]byte, 0, 512)
	ack := &AudioAck{ByteRange: [2]int64{3200, 6400}, TimeRange: [2]float64{0.1, 0.2}}
	b.ReportAllocs()
	for b.Loop() {
		buf = Append(buf[:0], testEnvelope, ack)
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "plain", "a\"b\\c", "\x00\x1f\x7f\b\f\n\r\t", "é€😀", "\u2028\u2029", "\xff\xfe",
		"a\xc3", "<&>", "\ufffd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := AppendString(nil, s); string(got) != string(want) {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func FuzzAppendFloat(f *testing.F) {
	for _, x := range []float64{0, 0.1, -41.5, 1e-7, 1e21, 123456789.125, math.MaxFloat64,
		math.SmallestNonzeroFloat64} {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, x float64) {
		var back float64
		if err := json.Unmarshal(AppendFloat(nil, x), &back); err != nil {
			t.Fatal(err)
		}
		if finite := !math.IsNaN(x) && !math.IsInf(x, 0); finite && back != x || !finite && back != 0 {
			t.Errorf("%v became %v", x, back)
		}
	})
}
