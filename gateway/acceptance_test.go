package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"steno/gateway/admission"
	"steno/messages"
	"steno/session/asr"
	"steno/session/asr/scripted"
)

// languageRecorder is a recognizer that records the languages it is asked for.
type languageRecorder struct {
	asr.Recognizer
	mu  sync.Mutex
	all []string
}

func newLanguageRecorder() *languageRecorder {
	return &languageRecorder{Recognizer: scripted.New(scripted.Config{})}
}

func (n *languageRecorder) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	n.mu.Lock()
	n.all = append(n.all, fmt.Sprint(p.Language, p.Languages))
	n.mu.Unlock()
	return n.Recognizer.Open(ctx, p)
}

// distinct returns the languages asked for since the last call, each once.
func (n *languageRecorder) distinct() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := n.all
	n.all = nil
	slices.Sort(all)
	return slices.Compact(all)
}

// answered is the answer to a creation, without the id.
type answered struct {
	ID       string            `json:"id"`
	URL      string            `json:"url"`
	Warnings messages.Warnings `json:"warnings"`
}

func (r *testServer) ask(path, body string) (answered, answer) {
	r.t.Helper()
	a := r.do("POST", path, body)
	var got answered
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != http.StatusCreated {
		r.t.Fatalf("%s: %d %s", body, a.status, a.body)
	}
	return got, a
}

// Of several languages the served ones are used, and stay the only ones when more are served later.
func TestLanguagesServedInPart(t *testing.T) {
	heard := newLanguageRecorder()
	r := recordedServer(t, nil, func(r *testServer) {
		r.engines.asr, r.engines.languages = heard, []string{"de", "en"}
	})
	sound := speech(4, 5)
	file := r.uploadFile("a.wav", wavOf(sound, 16000, 1)).AudioURL
	want := messages.Warnings{{Field: "language_config.languages",
		Message: "fr, zh: not served here by model stt-1, which takes en"}}
	const config = `"language_config":{"languages":["en-US","fr","zh"],"code_switching":true}`

	live, a := r.ask("/v2/live", `{`+config+`}`)
	if a.header.Get("X-Steno-Ignored") != "language_config.languages" || !slices.Equal(live.Warnings, want) {
		t.Errorf("live: header %q, warnings %+v", a.header.Get("X-Steno-Ignored"), live.Warnings)
	}
	c := call(t, live.URL).mustConnect()
	if err := c.send(sound); err != nil {
		t.Fatal(err)
	}
	c.ackedTo(int64(len(sound)))
	c.hangUp()
	if got := heard.distinct(); !slices.Equal(got, []string{"en[]"}) {
		t.Errorf("live: recognizer is asked for %q", got)
	}
	r.engines.languages = []string{"de", "en", "fr", "zh"}
	r.restart()
	c.url = "ws" + strings.TrimPrefix(r.http.URL, "http") + live.URL[strings.Index(live.URL, "/v2"):]
	c.mustConnect()
	for _, do := range []error{c.send(speech(4, 7)), c.stop()} {
		if do != nil {
			t.Fatal(do)
		}
	}
	if code := c.end(); code != 1000 {
		t.Fatalf("closed with %d", code)
	}
	if got := heard.distinct(); !slices.Equal(got, []string{"en[]"}) {
		t.Errorf("live, after a restart: recognizer is asked for %q", got)
	}
	if got := r.result(live.ID).Transcription.Languages; !slices.Equal(got, []string{"en"}) {
		t.Errorf("live: languages %v", got)
	}
	if job := r.job(live.ID); !slices.Equal(job.Warnings, want) || !strings.Contains(string(job.RequestParams),
		`"languages":["en","fr","zh"],"code_switching":true`) {
		t.Errorf("live record: %+v, %s", job.Warnings, job.RequestParams)
	}

	r.engines.languages = []string{"de", "en"}
	job, a := r.ask("/v2/pre-recorded", `{"audio_url":"`+file+`",`+config+`}`)
	if a.header.Get("X-Steno-Ignored") != "language_config.languages" || !slices.Equal(job.Warnings, want) {
		t.Errorf("recorded: header %q, warnings %+v", a.header.Get("X-Steno-Ignored"), job.Warnings)
	}
	r.awaitResult(job.ID)
	if got := heard.distinct(); !slices.Equal(got, []string{"en[]"}) {
		t.Errorf("recorded: recognizer is asked for %q", got)
	}
	if job := r.recordedJob(job.ID); !slices.Equal(job.Warnings, want) || !strings.Contains(string(job.RequestParams),
		`"languages":["en","fr","zh"],"code_switching":true`) {
		t.Errorf("recorded record: %+v, %s", job.Warnings, job.RequestParams)
	}
	if list := r.do("GET", "/v2/pre-recorded", ""); !strings.Contains(string(list.body),
		`"warnings":[{"field":"language_config.languages"`) {
		t.Errorf("list: %s", list.body)
	}
	job, _ = r.ask("/v2/pre-recorded", `{"audio_url":"`+file+
		`","model":"solaria-3","language_config":{"languages":["en","zh"]}}`)
	if len(job.Warnings) != 1 || !strings.HasPrefix(job.Warnings[0].Message, "zh: not served here by model stt-3") {
		t.Errorf("stt-3: %+v", job.Warnings)
	}
}

// A former name of a language selects the language.
func TestFormerLanguageIsHeard(t *testing.T) {
	heard := newLanguageRecorder()
	r := recordedServer(t, nil, func(r *testServer) { r.engines.asr = heard })
	file := r.uploadFile("a.wav", wavOf(speech(4, 5), 16000, 1)).AudioURL
	job, a := r.ask("/v2/pre-recorded", `{"audio_url":"`+file+`","language":"fr"}`)
	if result := r.awaitResult(job.ID); !slices.Equal(result.Transcription.Languages, []string{"fr"}) {
		t.Errorf("languages %v", result.Transcription.Languages)
	}
	if got := heard.distinct(); !slices.Equal(got, []string{"fr[]"}) {
		t.Errorf("recognizer is asked for %q", got)
	}
	if a.header.Get("X-Steno-Ignored") != "" || len(job.Warnings) != 1 || job.Warnings[0].Field != "language" {
		t.Errorf("header %q, warnings %+v", a.header.Get("X-Steno-Ignored"), job.Warnings)
	}
}

// While engines start, a list of languages is not cut down to those available; after some minutes
// it is.
func TestLanguagesServedLater(t *testing.T) {
	r := newTestServer(t, nil)
	r.engines.languages, r.engines.away = []string{"en"}, "gpu"
	const body = `{"language_config":{"languages":["en","fr"]}}`
	if a := r.do("POST", "/v2/live", body); a.status != http.StatusServiceUnavailable ||
		a.header.Get("Retry-After") == "" {
		t.Errorf("at the start: %d %s", a.status, a.body)
	}
	r.server.policy.Started = time.Now().Add(-admission.StartTime)
	if _, a := r.ask("/v2/live", body); a.header.Get("X-Steno-Ignored") == "" {
		t.Error("long after the start: nothing is ignored")
	}
}

func TestIgnoredFields(t *testing.T) {
	r := recordedServer(t, nil)
	file := r.uploadFile("a.wav", wavOf(speech(4, 1), 16000, 1)).AudioURL
	secret := "a value of the client"
	for _, tc := range []struct{ name, path, body, header string }{
		{"live", "/v2/live?region=eu-west", `{"sample_rat":"` + secret +
			`","realtime_processing":{"words_accurate_timestamps":true},"pii_redaction":true}`,
			"pii_redaction, sample_rat, realtime_processing.words_accurate_timestamps, region"},
		{"recorded", "/v2/pre-recorded", `{"audio_url":"` + file + `","diarisation":"` + secret + `","language":"fr"}`,
			"diarisation"},
		{"old path", "/v2/transcription", `{"audio_url":"` + file + `","x` + "\\r\\nset-cookie: a" + `":1}`,
			"x??set-cookie: a"},
		{"nothing", "/v2/live", `{"channels":1}`, ""},
	} {
		r.lines.Reset()
		got, a := r.ask(tc.path, tc.body)
		if h := a.header.Get("X-Steno-Ignored"); h != tc.header || h == "" && strings.Contains(string(a.body),
			"warnings") {
			t.Errorf("%s: header %q, want %q: %s", tc.name, h, tc.header, a.body)
		}
		if strings.Join(got.Warnings.Names(), ", ") !=
			strings.TrimPrefix(map[bool]string{true: "language, "}[tc.name == "recorded"]+tc.header, "") {
			t.Errorf("%s: warnings %+v", tc.name, got.Warnings)
		}
		job := r.do("GET", map[bool]string{true: "/v2/live/", false: "/v2/pre-recorded/"}[strings.Contains(tc.path,
			"live")]+got.ID, "")
		var record struct{ Warnings messages.Warnings }
		if err := json.Unmarshal(job.body, &record); err != nil || !slices.Equal(record.Warnings, got.Warnings) {
			t.Errorf("%s: %v, record %s", tc.name, err, job.body)
		}
		lines := r.lines.String()
		for _, name := range strings.Split(tc.header, ", ") {
			if !strings.Contains(lines, name) {
				t.Errorf("%s: %s is not in the log: %s", tc.name, name, lines)
			}
		}
		if strings.Contains(lines, secret) || tc.header == "" && strings.Contains(lines, "ignored") {
			t.Errorf("%s: log %s", tc.name, lines)
		}
	}
}

// A request that asks for it, or a server configured so, gets a refusal that names all ignored
// fields.
func TestStrictRequests(t *testing.T) {
	strict := false
	r := newTestServer(t, func(c *Config) { c.Strict = strict })
	r.engines.languages = []string{"en"}
	const body = `"sample_rat":8000,"language_config":{"languages":["en","fr"]},"enable_code_switching":false`
	if a := r.do("POST", "/v2/live", `{`+body+`}`); a.status != http.StatusCreated {
		t.Fatalf("%d %s", a.status, a.body)
	}
	for range 2 {
		field := `"strict":true,`
		if strict {
			field = `"strict":false,`
		}
		a := r.do("POST", "/v2/live?region=us", `{`+field+body+`}`)
		var got messages.ErrorBody
		if err := json.Unmarshal(a.body, &got); err != nil || a.status != http.StatusBadRequest ||
			!slices.Equal(got.ValidationErrors, []string{
				"sample_rat must not be ignored: is not a known field: did you mean sample_rate?",
				"language_config.languages must not be ignored: fr: not served here by model stt-1, which takes en",
				"region must not be ignored: is not a known parameter of the query",
			}) {
			t.Errorf("configured %v: %d %s", strict, a.status, a.body)
		}
		if a := r.do("POST", "/v2/live", `{`+field+`"detect_language":true}`); a.status != http.StatusCreated {
			t.Errorf("deprecated alone: %d %s", a.status, a.body)
		}
		strict = true
		r.restart()
	}
	if a := r.do("POST", "/v2/live", `{"strict":"yes"}`); a.status != http.StatusBadRequest {
		t.Errorf("strict itself: %d", a.status)
	}
}
