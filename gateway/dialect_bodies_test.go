package gateway

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"steno/session/store"
)

// TestDialectsHold calls every operation of the dialects in every described way, below their
// prefixes and without.
func TestDialectsHold(t *testing.T) {
	t.Parallel()
	d := newDescribed(t, func(c *Config) {
		c.Limits.Upload = 1 << 20
		c.Keys = append(c.Keys, Key{Text: adminKey, Scopes: store.ScopeAdmin})
	})
	far := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer far.Close()
	var table []string
	for path, item := range within(d.open, "paths") {
		for method, operation := range item.(map[string]any) {
			if ofDialect(operation) {
				table = append(table, strings.ToUpper(method)+" "+path)
			}
		}
	}
	d.keyless(table)
	d.scopeless(table)
	for _, prefixed := range []bool{true, false} {
		below := func(name string) string {
			if prefixed {
				return "/" + name
			}
			return ""
		}
		d.openAIFiles(below("openai"))
		d.openAISecrets(below("openai"))
		d.deepgramFiles(below("deepgram"), far.URL)
		const token = "/v3/token"
		for _, query := range []string{"", "?expires_in_seconds=0"} {
			d.ask("GET "+below("assemblyai")+token, below("assemblyai")+token+query, "")
		}
	}
	d.assemblyAIFiles()
	statuses := d.statusesOf(true)
	if len(statuses) < 100 {
		t.Errorf("only %d answers are described", len(statuses))
	}
	for _, status := range statuses {
		if !d.seen[status] {
			t.Errorf("described and never seen: %s", status)
		}
	}
}

// openAIFiles asks for texts of files in all forms, and for models.
func (d *described) openAIFiles(prefix string) {
	for _, path := range []string{prefix + "/v1/audio/transcriptions", prefix + "/v1/audio/translations"} {
		send := func(file string, fields ...string) {
			body, kind := form("file", file, fields...)
			d.ask("POST "+path, path, body, "Content-Type", kind)
		}
		for _, format := range []string{"json", "text", "srt", "vtt", "verbose_json", "diarized_json", "xml"} {
			send(sample(), "response_format", format, "include[]", "logprobs", "timestamp_granularities[]", "word",
				"timestamp_granularities[]", "segment")
		}
		send(sample(), "stream", "true")
		send(sample(), "model", "gpt-4")
		send(sample(), "model", "stt-3", "languages", "en", "languages", "de")
		send(sample(), "language", "fr")
		send(strings.Repeat("no recording", 100))
		send(strings.Repeat("x", 2<<20))
		text := base64.StdEncoding.EncodeToString([]byte(sample()))
		d.ask("POST "+path, path, `{"input_audio":{"data":"`+text+`","format":"wav"}}`, "Content-Type",
			"application/json")
	}
	models := prefix + "/v1/models"
	d.ask("GET "+models, models, "")
	for _, name := range []string{"whisper-1", "gpt-4"} {
		d.ask("GET "+models+"/{id}", models+"/"+name, "")
	}
}

// openAISecrets makes keys for clients of both forms.
func (d *described) openAISecrets(prefix string) {
	for path, bodies := range map[string][]string{
		prefix + "/v1/realtime/client_secrets": {
			`{"session":{"type":"transcription","include":["item.input_audio_transcription.logprobs"],"audio":{"input":{
				"format":{"type":"audio/pcmu"},"turn_detection":{"type":"semantic_vad","eagerness":"low"},
				"noise_reduction":{"type":"near_field"},
				"transcription":{"model":"whisper-1","language":"en","prompt":"Ada","keywords":["Ada"]}}}},
				"expires_after":{"anchor":"created_at","seconds":60}}`,
			`{"session":{"audio":{"input":{"turn_detection":null,"transcription":{"languages":["en","de"]}}}}}`,
			`{"session":{"audio":{"input":{"transcription":{"model":"gpt-4"}}}}}`,
		},
		prefix + "/v1/realtime/transcription_sessions": {
			`{"input_audio_format":"g711_ulaw","input_audio_transcription":{"model":"whisper-1","language":"en"},
				"turn_detection":null,"input_audio_noise_reduction":{"type":"far_field"},
				"client_secret":{"expires_after":{"seconds":60}}}`,
			`{"input_audio_transcription":{"model":"gpt-4"}}`,
		},
	} {
		for _, body := range append(bodies, "", "[]", `{"x":"`+strings.Repeat("x", 20<<10)+`"}`) {
			d.ask("POST "+path, path, body)
		}
	}
}

// deepgramFiles asks for texts of files, and for tokens.
func (d *described) deepgramFiles(prefix, callback string) {
	listen, grant := prefix+"/v1/listen", prefix+"/v1/auth/grant"
	send := func(query, file string, headers ...string) { d.ask("POST "+listen, listen+query, file, headers...) }
	send("", sample())
	send("?smart_format=true&utterances=true&diarize=true&multichannel=true&detect_language=true&summarize=v2",
		sample())
	send("?language=fr", sample())
	send("?model=gpt-4", sample())
	send("", strings.Repeat("no recording", 100))
	send("", strings.Repeat("x", 2<<20))
	send("?callback="+url.QueryEscape(callback), sample())
	send("", `{"url":"`+d.http.URL+`/file`+nobody+`"}`, "Content-Type", "application/json")
	for _, body := range []string{"", `{"ttl_seconds":5}`, `{"ttl_seconds":0}`, strings.Repeat(" ", 2<<20)} {
		d.ask("POST "+grant, grant, body)
	}
}

// assemblyAIFiles has files transcribed, and reads, lists and deletes the transcripts.
func (d *described) assemblyAIFiles() {
	const upload, all = "/assemblyai/v2/upload", "/assemblyai/v2/transcript"
	const one = all + "/{id}"
	for _, file := range []string{"", strings.Repeat("no recording", 100), "fLaC" + strings.Repeat("\xff\x00", 99),
		strings.Repeat("x", 2<<20)} {
		d.ask("POST "+upload, upload, file)
	}
	var up struct {
		URL string `json:"upload_url"`
	}
	d.ask("POST "+upload, upload, sample()).decodeJSON(d.t, &up)
	for _, body := range []string{"{", `{"audio_url":"` + up.URL + `","language_code":"fr"}`,
		`{"x":"` + strings.Repeat("x", 2<<20) + `"}`} {
		d.ask("POST "+all, all, body)
	}
	done := d.assemble(`{"audio_url":"` + up.URL + `","speaker_labels":true,"multichannel":true,"summarization":true,
		"auto_chapters":true,"entity_detection":true,"sentiment_analysis":true,"redact_pii":true}`)
	failed := d.assemble(`{"audio_url":"http://127.0.0.1:1/talk.mp3"}`)
	for _, query := range []string{"?limit=1", "?limit=0", "?before_id=" + nobody[1:]} {
		d.ask("GET "+all, all+query, "")
	}
	parts := map[string]string{"": "", "/sentences": "", "/paragraphs": "", "/word-search": "?words=a,said",
		"/srt": "", "/vtt": "?chars_per_caption=20"}
	for part, query := range parts {
		for _, id := range []string{done, failed, nobody[1:]} {
			d.ask("GET "+one+part, all+"/"+id+part+query, "")
		}
	}
	for _, id := range []string{done, done} {
		d.ask("DELETE "+one, all+"/"+id, "")
	}
}

// assemble makes a transcript, and returns its id once it has ended.
func (d *described) assemble(body string) string {
	const all = "/assemblyai/v2/transcript"
	var got assembled
	d.ask("POST "+all, all, body).decodeJSON(d.t, &got)
	id := got.ID
	waitUntil(d.t, "the transcript has ended", func() bool {
		d.ask("GET "+all+"/{id}", all+"/"+id, "").decodeJSON(d.t, &got)
		return got.Status == "completed" || got.Status == "error"
	})
	return id
}
