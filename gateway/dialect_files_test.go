package gateway

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/store"
)

// openAI posts a form of OpenAI's interface: fields, then the file.
func (r *testServer) openAI(path string, file []byte, fields ...string) answer {
	r.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for i := 0; i+1 < len(fields); i += 2 {
		if err := form.WriteField(fields[i], fields[i+1]); err != nil {
			r.t.Fatal(err)
		}
	}
	if file != nil {
		part, err := form.CreateFormFile("file", "talk.wav")
		if err == nil {
			_, err = part.Write(file)
		}
		if err != nil {
			r.t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		r.t.Fatal(err)
	}
	return r.do("POST", path, b.String(), "Content-Type", form.FormDataContentType(), "x-service-key", "",
		"Authorization", "Bearer "+testKey)
}

// timed is a word with its times, in milliseconds.
type timed struct {
	word       string
	start, end int
}

func timedOf(word string, start, end float64) timed {
	return timed{strings.TrimSpace(word), int(start*1000 + 0.5), int(end*1000 + 0.5)}
}

// nativeWords are the words of a result.
func nativeWords(t *messages.Transcription) (all []timed) {
	for _, u := range t.Utterances {
		for _, w := range u.Words {
			all = append(all, timedOf(w.Word, w.Start, w.End))
		}
	}
	return all
}

// decodeJSON reads an answer with a status of success.
func (a answer) decodeJSON(t testing.TB, to any) {
	t.Helper()
	if err := json.Unmarshal(a.body, to); err != nil || a.status != http.StatusOK ||
		a.header.Get("Content-Type") != "application/json" {
		t.Fatalf("%d %s %v", a.status, a.body, err)
	}
}

// Every dialect for files has the text and the words, with their times, of a job of the gateway's
// own.
func TestFilesInAllDialects(t *testing.T) {
	r := recordedServer(t, nil)
	r.engines.languages = []string{"en"}
	file := wavOf(speech(4, 9), 16000, 1)
	want := r.transcribeFile("talk.wav", file).Transcription
	if len(want.Utterances) == 0 {
		t.Fatal("nothing is said")
	}
	for name, transcribe := range map[string]func() (text string, words []timed){
		"openai": func() (string, []timed) {
			var got struct {
				Text  string
				Words []struct {
					Word       string
					Start, End float64
				}
			}
			r.openAI("/v1/audio/transcriptions", file, "model", "whisper-1", "response_format", "verbose_json",
				"timestamp_granularities[]", "word").decodeJSON(t, &got)
			var words []timed
			for _, w := range got.Words {
				words = append(words, timedOf(w.Word, w.Start, w.End))
			}
			return got.Text, words
		},
		"deepgram": func() (string, []timed) {
			var got deepgramAnswer
			r.listen("punctuate=true", file).decodeJSON(t, &got)
			return got.words()
		},
		"assemblyai": func() (string, []timed) {
			got := r.assembled(file, "{}")
			var words []timed
			for _, w := range got.Words {
				words = append(words, timed{w.Text, w.Start, w.End})
			}
			return got.Text, words
		},
	} {
		text, words := transcribe()
		if text != want.FullTranscript || !slices.Equal(words, nativeWords(want)) {
			t.Errorf("%s: %q\n%v\nwant %q\n%v", name, text, words, want.FullTranscript, nativeWords(want))
		}
	}
}

func TestOpenAIFormats(t *testing.T) {
	r := recordedServer(t, nil)
	r.engines.languages = []string{"en"}
	file := wavOf(speech(4, 9), 16000, 1)
	want := r.transcribeFile("talk.wav", file).Transcription
	for format, check := range map[string]func(a answer) bool{
		"text": func(a answer) bool {
			return string(a.body) == want.FullTranscript+"\n" &&
				strings.HasPrefix(a.header.Get("Content-Type"), "text/plain")
		},
		"srt": func(a answer) bool { return bytes.HasPrefix(a.body, []byte("1\n00:00:0")) },
		"vtt": func(a answer) bool { return bytes.HasPrefix(a.body, []byte("WEBVTT")) },
		"json": func(a answer) bool {
			var got struct {
				Text     string
				Logprobs []struct {
					Token string
					Bytes []int
				}
			}
			a.decodeJSON(t, &got)
			return got.Text == want.FullTranscript && len(got.Logprobs) == len(nativeWords(want)) &&
				len(got.Logprobs[0].Bytes) == len(got.Logprobs[0].Token)
		},
		"diarized_json": func(a answer) bool {
			var got struct {
				Segments []struct{ ID, Type, Text, Speaker string }
			}
			a.decodeJSON(t, &got)
			return len(got.Segments) > 0 && got.Segments[0].Speaker == "A"
		},
	} {
		a := r.openAI("/openai/v1/audio/transcriptions", file, "response_format", format, "include[]", "logprobs")
		if a.status != http.StatusOK || !check(a) {
			t.Errorf("%s: %d %s", format, a.status, a.body)
		}
	}
	a := r.do("POST", "/v1/audio/transcriptions", fmt.Sprintf(`{"input_audio":{"data":%q,"format":"wav"}}`,
		base64.StdEncoding.EncodeToString(file)), "Content-Type", "application/json")
	var got struct{ Text string }
	if a.decodeJSON(t, &got); got.Text != want.FullTranscript {
		t.Errorf("of JSON: %s", a.body)
	}
}

// A stream has the finals as they come, and then the whole.
func TestOpenAIStream(t *testing.T) {
	r := recordedServer(t, nil)
	r.engines.languages = []string{"en"}
	a := r.openAI("/v1/audio/transcriptions", wavOf(speech(20, 9), 16000, 1), "stream", "true")
	deltas, whole, n := "", "", 0
	for line := range strings.SplitSeq(strings.TrimSpace(string(a.body)), "\n\n") {
		var event struct{ Type, Delta, Text string }
		if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &event); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		switch event.Type {
		case "transcript.text.delta":
			deltas += event.Delta
			n++
		case "transcript.text.done":
			whole = event.Text
		default:
			t.Errorf("event %s", line)
		}
	}
	if deltas != whole || n < 2 || a.header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("%d deltas: %q\nwhole %q", n, deltas, whole)
	}
}

// Clients read refusals in their own form, and nothing is kept of what is refused.
func TestOpenAIErrors(t *testing.T) {
	reader := Key{Text: "key-that-only-reads", Scopes: store.ScopeRead}
	r := recordedServer(t, func(c *Config) { c.Keys = append(c.Keys, reader) })
	r.engines.languages = []string{"en"}
	file := wavOf(speech(1, 9), 16000, 1)
	const path = "/v1/audio/transcriptions"
	for name, c := range map[string]struct {
		answer answer
		status int
		code   string
	}{
		"no file":        {r.openAI(path, nil, "model", "whisper-1"), 400, "missing_required_parameter"},
		"unknown model":  {r.openAI(path, file, "model", "gpt-4"), 404, "model_not_found"},
		"unknown format": {r.openAI(path, file, "response_format", "xml"), 400, "invalid_value"},
		"no recording":   {r.openAI(path, []byte("not audio"), "model", "whisper-1"), 400, "invalid_file"},
		"language":       {r.openAI(path, file, "language", "de"), 422, ""},
		"no translator":  {r.openAI("/v1/audio/translations", nil), 400, "missing_required_parameter"},
		"no form":        {r.do("POST", path, "x"), 400, ""},
		"no JSON":        {r.do("POST", path, "{", "Content-Type", "application/json"), 400, "invalid_value"},
		"unknown key": {r.do("GET", "/v1/models", "", "x-service-key", "", "Authorization", "Bearer no"), 401,
			"invalid_api_key"},
		"no key":          {r.do("GET", "/openai/v1/models", "", "x-service-key", ""), 401, "invalid_api_key"},
		"no scope":        {r.do("POST", path, "", "x-service-key", reader.Text), 403, "insufficient_permissions"},
		"another method":  {r.do("PUT", path, ""), 405, ""},
		"a model unknown": {r.do("GET", "/v1/models/gpt-4", ""), 404, "model_not_found"},
	} {
		var got struct {
			Error struct{ Message, Type, Code string }
		}
		if err := json.Unmarshal(c.answer.body, &got); err != nil || c.answer.status != c.status ||
			got.Error.Code != c.code || got.Error.Message == "" || got.Error.Type == "" {
			t.Errorf("%s: %d %s", name, c.answer.status, c.answer.body)
		}
		if retry := c.answer.header.Get("X-Should-Retry"); retry != "false" {
			t.Errorf("%s: may be tried again: %q", name, retry)
		}
	}
	if left := r.uploadFiles(); len(left) != 0 {
		t.Errorf("files are left: %v", left)
	}
}

// What is switched off is not there.
func TestDialectSwitchedOff(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.NoDialects = []string{"openai"} })
	for _, path := range []string{"/v1/models", "/openai/v1/models"} {
		if a := r.do("GET", path, ""); a.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	r = newTestServer(t, nil)
	var list struct {
		Object string
		Data   []struct{ ID, Object string }
	}
	if r.do("GET", "/v1/models", "").decodeJSON(t, &list); len(list.Data) < 2 || list.Object != "list" {
		t.Errorf("models %+v", list)
	}
	if a := r.do("GET", "/openai/v1/models/whisper-1", ""); a.status != http.StatusOK {
		t.Errorf("model: %d %s", a.status, a.body)
	}
}

// The job of a client that has left is cancelled: nobody would read what comes of it.
func TestClientLeavesFile(t *testing.T) {
	gated := newGatedRecognizer()
	r := recordedServer(t, nil, func(r *testServer) {
		r.engines.languages = []string{"en"}
		r.engines.asr = gated
	})
	defer close(gated.gate)
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	part, err := form.CreateFormFile("file", "talk.wav")
	if err == nil {
		_, err = part.Write(wavOf(speech(6, 1), 16000, 1))
	}
	if err = errors.Join(err, form.Close()); err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	req, err := http.NewRequestWithContext(ctx, "POST", r.http.URL+"/v1/audio/transcriptions", &b)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set("Authorization", "Bearer "+testKey)
	ended := make(chan error, 1)
	go func() {
		resp, err := r.http.Client().Do(req)
		if err == nil {
			err = resp.Body.Close()
		}
		ended <- err
	}()
	jobs := func() int { return strings.Count(string(r.do("GET", "/v2/pre-recorded", "").body), `"request_id"`) }
	waitUntil(t, "the job is there", func() bool { return jobs() == 1 })
	leave()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the request ended with %v", err)
	}
	waitUntil(t, "the job is gone, and its file", func() bool { return jobs() == 0 && len(r.uploadFiles()) == 0 })
}
