package files

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"steno/messages"
)

func TestParse(t *testing.T) {
	job, o, err := parse([]byte(`{"audio_url":"https://example.org/a.mp3","speech_models":["universal-3-pro"],
		"language_code":"en_us","punctuate":false,"speaker_labels":true,"speakers_expected":2,
		"word_boost":["Zyntriqix"],
		"keyterms_prompt":["Digique Plus"],"custom_spelling":[{"from":["sql"],"to":"SQL"}],"redact_pii":true,
		"redact_pii_policies":["person_name","phone_number"],"redact_pii_sub":"entity_name","summarization":true,
		"summary_type":"bullets","auto_chapters":true,"entity_detection":true,"sentiment_analysis":true,
		"webhook_url":"https://example.org/h",
		"dual_channel":true,"unknown":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	if !o.Plain || !o.SpeakerLabels || !o.Multichannel || o.AudioURL != "https://example.org/a.mp3" {
		t.Errorf("options %+v", o)
	}
	text, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"languages":["en"]`, `"number_of_speakers":2`,
		`"vocabulary":["Zyntriqix","Digique Plus"]`,
		`"spelling_dictionary":{"SQL":["sql"]}`, `"entity_types":["NAME","PHONE_NUMBER"]`,
		`"processed_text_type":"MARKER"`,
		`"type":"bullet_points"`, `"chapterization":true`, `"named_entity_recognition":true`,
		`"sentiment_analysis":true`,
		`"callback_config":{"url":"https://example.org/h","method":"POST"}`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%s lacks %s", text, part)
		}
	}
}

// Whatever the body, the job is one that the queue reads back, or the request is refused.
func FuzzParse(f *testing.F) {
	f.Add(`{"audio_url":"http://x/","speaker_options":{"min_speakers_expected":3,"max_speakers_expected":2}}`)
	f.Add(`{"audio_url":"http://x/","custom_spelling":[{"from":[],"to":""}],"redact_pii":true}`)
	f.Add(`{"audio_url":"","language_codes":["en","de"],"word_boost":[""]}`)
	f.Fuzz(func(t *testing.T, text string) {
		job, o, err := parse([]byte(text))
		if err != nil {
			if _, ok := errors.AsType[*messages.Problem](err); !ok {
				t.Errorf("refused with %v", err)
			}
			return
		}
		if job.AudioURL == "" || o.AudioURL != job.AudioURL {
			t.Errorf("%+v %+v", job, o)
		}
	})
}
