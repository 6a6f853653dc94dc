package messages

import (
	"reflect"
	"testing"
	"time"
)

// The texts of keys stand in stored logs: they must not change, and read back as they were.
func TestKeyText(t *testing.T) {
	for text, key := range map[string]Key{
		"start_session":                        {Kind: KindStartSession},
		"end_session":                          {Kind: KindEndSession},
		"post_final_transcript":                {Kind: KindPostFinalTranscript},
		"speech_start/00_00000003":             {Kind: KindSpeechStart, Subject: "00_00000003"},
		"speech_end/07_00000003":               {Kind: KindSpeechEnd, Subject: "07_00000003"},
		"final/00_00000003":                    {Kind: KindFinal, Subject: "00_00000003"},
		"pre_processing/01_500":                {Kind: KindPreProcessing, Subject: "01_500"},
		"translation/00_00000003/fr":           {Kind: KindTranslation, Subject: "00_00000003", Language: "fr"},
		"named_entity_recognition/00_00000003": {Kind: KindNamedEntityRecognition, Subject: "00_00000003"},
		"sentiment_analysis/00_00000003":       {Kind: KindSentimentAnalysis, Subject: "00_00000003"},
		"error/session":                        {Kind: KindError},
		"error/00_00000003":                    {Kind: KindError, Subject: "00_00000003"},
	} {
		if got := key.String(); got != text {
			t.Errorf("%+v is %q, want %q", key, got, text)
		}
		if got := ParseKey(key.Kind, text); got != key {
			t.Errorf("%q reads as %+v, want %+v", text, got, key)
		}
	}
}

func TestUtteranceIDReadsBack(t *testing.T) {
	for _, id := range []string{"00_00000000", "07_00000123", "12_123456789"} {
		if channel, n, ok := ParseUtteranceID(id); !ok || UtteranceID(channel, n) != id {
			t.Errorf("%s reads as %d, %d, %t", id, channel, n, ok)
		}
	}
	for _, odd := range []string{"", "00", "00_", "_1", "x_1", "00_x"} {
		if _, _, ok := ParseUtteranceID(odd); ok {
			t.Errorf("%q is taken for an id", odd)
		}
	}
}

// The value of a stored event is what the process that emitted it knew.
func TestDecode(t *testing.T) {
	u := Utterance{Start: 1, End: 1.5, Confidence: 0.5, Words: List[Word]{{" ö", 1, 1.5, 0.5}}, Text: " ö",
		Language: "de", Speaker: new(2), Engine: "b"}
	failed := &AddonError{StatusCode: 504, Exception: "Timeout", Message: "late"}
	of := func(k Kind) Key { return Key{Kind: k, Subject: "00_00000001"} }
	french := Key{Kind: KindTranslation, Subject: "00_00000001", Language: "fr"}
	for _, c := range []struct {
		key Key
		m   Message
	}{
		{of(KindFinal), Transcript{ID: "00_00000001", IsFinal: true, Utterance: u}},
		{french, Translation{"00_00000001", u, "de", "fr", u, nil}},
		{french, Translation{UtteranceID: "00_00000001", TargetLanguage: "fr", Error: failed}},
		{of(KindNamedEntityRecognition), NamedEntityRecognition{"00_00000001", u, List[Entity]{{"NAME", "ö", 1, 1.5}},
			nil}},
		{of(KindNamedEntityRecognition), NamedEntityRecognition{UtteranceID: "00_00000001", Error: failed}},
		{of(KindSentimentAnalysis), SentimentAnalysis{"00_00000001", u,
			List[Sentiment]{{"positive", "joy", "ö", 1, 1.5, 0, nil}}, nil}},
		{Key{Kind: KindPostSummarization}, PostSummarization{Results: new("short")}},
		{Key{Kind: KindPostSummarization}, PostSummarization{Error: failed}},
		{Key{Kind: KindPostChapterization}, PostChapterization{Error: failed}},
		{Key{Kind: KindEndSession}, nil},
	} {
		e := Event{Seq: 7, Key: c.key, Body: []byte(`{"type":"end_session"}`)}
		if c.m != nil {
			e.Body = Append(nil, Envelope{"s", time.Now()}, c.m)
		}
		got, err := e.Decode()
		if err != nil || !reflect.DeepEqual(got, c.m) {
			t.Errorf("%s: %+v, want %+v (%v)", e.Body, got, c.m, err)
		}
		if e.Message, e.Body = c.m, nil; c.m != nil {
			if got, err := e.Decode(); err != nil || !reflect.DeepEqual(got, c.m) {
				t.Errorf("%+v is lost (%v)", c.m, err)
			}
		}
	}
	if _, err := (&Event{Seq: 7, Key: of(KindFinal), Body: []byte(`{"data":`)}).Decode(); err == nil {
		t.Error("torn text has a message")
	}
}

func TestEventType(t *testing.T) {
	for want, e := range map[string]Event{
		"audio_chunk":    {Key: Key{Kind: KindFailedAck}, Message: AudioAck{Refused: "no"}},
		"stop_recording": {Key: Key{Kind: KindFailedAck}, Message: StopAck{Refused: "no"}},
		"transcript":     {Key: Key{Kind: KindFinal}},
	} {
		if got := e.Type(); got != want {
			t.Errorf("%+v has type %s, want %s", e, got, want)
		}
	}
}
