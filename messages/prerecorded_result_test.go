package messages

import (
	"bytes"
	"encoding/json"
	"testing"
)

// expectJSON holds a value against its exact JSON, and the JSON against reading back.
func expectJSON[T any](t *testing.T, name string, v T, want string) {
	t.Helper()
	got, err := json.Marshal(v)
	if err != nil || string(got) != want {
		t.Errorf("%s: got\n%s, %v\nwant\n%s", name, got, err, want)
		return
	}
	var back T
	if err := json.Unmarshal(got, &back); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if again, _ := json.Marshal(back); string(again) != want {
		t.Errorf("%s reads back as\n%s", name, again)
	}
}

const testMetadataJSON = `{"audio_duration":12.4,"number_of_distinct_channels":2,"billing_time":24.8,"transcription_time":1.5}`

func testMetadata() Metadata {
	return Metadata{AudioDuration: 12.4, NumberOfDistinctChannels: 2, BillingTime: 24.8, TranscriptionTime: 1.5}
}

func TestPreRecordedResultGolden(t *testing.T) {
	failed := &AddonError{StatusCode: 501, Exception: "NotImplemented", Message: "no translator is configured"}
	const failedJSON = `{"status_code":501,"exception":"NotImplemented","message":"no translator is configured"}`
	const good, bad = `{"success":true,"is_empty":false,"exec_time":0.25,"error":null,"results":`,
		`{"success":false,"is_empty":true,"exec_time":0,"error":` + failedJSON + `,"results":`
	spoken := testTranscription()
	spoken.Utterances[0].Speaker = ptr(1)
	spoken.Sentences = []AddonResult[List[string]]{{Success: true, ExecTime: 0.25, Results: []string{"Good morning."}}}
	spoken.Subtitles = []Subtitle{{"srt", "1\n"}, {"vtt", "WEBVTT"}}
	spokenUtterance := testUtteranceJSON[:len(testUtteranceJSON)-1] + `,"speaker":1}`
	spokenJSON := `{"full_transcript":"Good morning.","languages":["en"],"utterances":[` + spokenUtterance + `],` +
		`"sentences":[` + good +
		`["Good morning."]}],"subtitles":[{"format":"srt","subtitles":"1\n"},{"format":"vtt","subtitles":"WEBVTT"}]}`
	text := testTranscription()

	expectJSON(t, "least", PreRecordedResult{Metadata: testMetadata()}, `{"metadata":`+testMetadataJSON+`}`)
	expectJSON(t, "silence", PreRecordedResult{Metadata: testMetadata(), Transcription: &Transcription{}},
		`{"metadata":`+testMetadataJSON+`,"transcription":{"full_transcript":"","languages":[],"utterances":[]}}`)
	expectJSON(t, "all done", PreRecordedResult{
		Metadata: testMetadata(), Transcription: &spoken,
		Translation: &AddonResult[List[TranslationResult]]{Success: true, ExecTime: 0.25, Results: []TranslationResult{
			{FullTranscript: "Bonjour.", Languages: []string{"fr"}, Utterances: text.Utterances}, {Error: failed}}},
		Summarization: &AddonResult[*string]{Success: true, ExecTime: 0.25, Results: ptr("A greeting.")},
		NamedEntityRecognition: &AddonResult[List[Entity]]{Success: true, ExecTime: 0.25,
			Results: []Entity{{"DATE", "morning", 0.61, 1.18}}},
		NameConsistency:          &AddonResult[*string]{Success: true, ExecTime: 0.25, Results: ptr("n")},
		StructuredDataExtraction: &AddonResult[*string]{Success: true, ExecTime: 0.25, Results: ptr("{}")},
		SentimentAnalysis:        &AddonResult[string]{Success: true, ExecTime: 0.25, Results: "[]"},
		AudioToLLM: &AddonResult[List[AudioToLLM]]{Success: true, ExecTime: 0.25, Results: []AudioToLLM{
			{Success: true, ExecTime: 0.25, Results: &LLMAnswer{Prompt: ptr("Polite?"), Response: ptr("Yes.")}},
			{IsEmpty: true, Error: failed}, {IsEmpty: true, Error: failed, Results: &LLMAnswer{}}}},
		Sentences:   &AddonResult[List[string]]{Success: true, ExecTime: 0.25, Results: []string{"Good morning."}},
		DisplayMode: &AddonResult[List[string]]{Success: true, ExecTime: 0.25, Results: []string{"Good morning."}},
	}, `{"metadata":`+testMetadataJSON+`,"transcription":`+spokenJSON+
		`,"translation":`+good+`[{"error":null,"full_transcript":"Bonjour.","languages":["fr"],"utterances":[`+
		testUtteranceJSON+`]},`+
		`{"error":`+failedJSON+`,"full_transcript":"","languages":[],"utterances":[]}]}`+
		`,"summarization":`+good+`"A greeting."},"named_entity_recognition":`+good+
		`[{"entity_type":"DATE","text":"morning","start":0.61,"end":1.18}]}`+
		`,"name_consistency":`+good+`"n"},"structured_data_extraction":`+good+`"{}"},"sentiment_analysis":`+good+
		`"[]"}`+
		`,"audio_to_llm":`+good+`[`+good+`{"prompt":"Polite?","response":"Yes."}},`+bad+`null},`+bad+
		`{"prompt":null,"response":null}}]}`+
		`,"sentences":`+good+`["Good morning."]},"display_mode":`+good+`["Good morning."]}}`)
	expectJSON(t, "all failed", PreRecordedResult{
		Metadata:                 testMetadata(),
		Translation:              &AddonResult[List[TranslationResult]]{IsEmpty: true, Error: failed},
		Summarization:            &AddonResult[*string]{IsEmpty: true, Error: failed},
		NamedEntityRecognition:   &AddonResult[List[Entity]]{IsEmpty: true, Error: failed},
		NameConsistency:          &AddonResult[*string]{IsEmpty: true, Error: failed},
		StructuredDataExtraction: &AddonResult[*string]{IsEmpty: true, Error: failed},
		SentimentAnalysis:        &AddonResult[string]{IsEmpty: true, Error: failed},
		AudioToLLM:               &AddonResult[List[AudioToLLM]]{IsEmpty: true, Error: failed},
		Sentences:                &AddonResult[List[string]]{IsEmpty: true, Error: failed},
		DisplayMode:              &AddonResult[List[string]]{IsEmpty: true, Error: failed},
		Diarization:              &AddonResult[List[Utterance]]{IsEmpty: true, Error: failed, Results: text.Utterances},
	}, `{"metadata":`+testMetadataJSON+`,"translation":`+bad+`[]},"summarization":`+bad+
		`null},"named_entity_recognition":`+bad+`[]},`+
		`"name_consistency":`+bad+`null},"structured_data_extraction":`+bad+`null},"sentiment_analysis":`+bad+
		`""},"audio_to_llm":`+bad+`[]},`+
		`"sentences":`+bad+`[]},"display_mode":`+bad+`[]},"diarization":`+bad+`[`+testUtteranceJSON+`]}}`)
}

func TestAnswersGolden(t *testing.T) {
	const id = "45463597-20b7-4af7-b3b3-f5fb778203ab"
	expectJSON(t, "created", Created{ID: id, ResultURL: "https://a.example/v2/pre-recorded/" + id},
		`{"id":"`+id+`","result_url":"https://a.example/v2/pre-recorded/`+id+`"}`)
	upload := Upload{AudioURL: "https://a.example/file/" + id, AudioMetadata: AudioMetadata{
		ID: id, Filename: "a b.mp3", Extension: "mp3", Size: 5_000_000_000, AudioDuration: 12.4, NumberOfChannels: 2}}
	const head = `{"audio_url":"https://a.example/file/` + id + `","audio_metadata":{"id":"` + id +
		`","filename":"a b.mp3",`
	const tail = `"extension":"mp3","size":5000000000,"audio_duration":12.4,"number_of_channels":2}}`
	expectJSON(t, "upload", upload, head+tail)
	upload.AudioMetadata.Source = "https://b.example/c"
	expectJSON(t, "fetched", upload, head+`"source":"https://b.example/c",`+tail)
	expectJSON(t, "bot done", BotDone(testTranscription()), `{"status":"done","result":{"transcription":`+
		testTranscriptionJSON+`}}`)
	expectJSON(t, "bot heard nothing", BotDone(Transcription{}),
		`{"status":"done","result":{"transcription":{"full_transcript":"","languages":[],"utterances":[]}}}`)
	expectJSON(t, "bot error", BotError("engine_unavailable"), `{"status":"error","error_code":"engine_unavailable"}`)
}

func TestCallbackGolden(t *testing.T) {
	result := PreRecordedResult{Metadata: testMetadata()}
	const success = `{"id":"J","event":"transcription.success","payload":{"metadata":` + testMetadataJSON + `}`
	expectJSON(t, "success", NewCallbackSuccess("J", result, nil), success+`}`)
	expectJSON(t, "success with metadata", NewCallbackSuccess("J", result, Object{"n": json.Number("1.50")}),
		success+`,"custom_metadata":{"n":1.50}}`)
	const failure = `{"id":"J","event":"transcription.error","error":{"code":422,"message":"not an audio file"}`
	expectJSON(t, "error", NewCallbackError("J", 422, "not an audio file", nil), failure+`}`)
	expectJSON(t, "error with metadata", NewCallbackError("J", 422, "not an audio file", Object{}),
		failure+`,"custom_metadata":{}}`)
}

func TestAppendLiveCallback(t *testing.T) {
	for event, m := range map[string]Message{
		"live.start_session": StartSession{}, "live.transcript": Transcript{ID: "00_00000000", IsFinal: true,
			Utterance: testUtterance()},
		"live.audio_chunk":    AudioAck{Refused: `"stop_recording","data":null} is over`},
		"live.stop_recording": StopAck{Refused: "again"},
		"live.error":          Failure{AddonError{503, "EngineUnavailable", "<none>"}},
		"live.end_session":    EndSession{},
	} {
		message := Append(nil, testEnvelope, m)
		e := Event{Key: Key{Kind: m.Kind()}, Message: m}
		got := AppendLiveCallback([]byte("before"), `S"1`, e.Type(), message)
		want := `before{"id":"S\"1","event":"` + event + `","payload":` + string(message) + `}`
		if string(got) != want || !json.Valid(bytes.TrimPrefix(got, []byte("before"))) {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	ack := AudioAck{ByteRange: [2]int64{0, 3200}}
	if got := AppendLiveCallback(nil, "S", ack.Kind().String(), Append(nil, testEnvelope, ack)); !bytes.HasPrefix(got,
		[]byte(`{"id":"S","event":"live.audio_chunk","payload":{"session_id"`)) {
		t.Errorf("%s", got)
	}
}
