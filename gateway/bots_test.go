package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/asr"
)

// noEngine is a recognizer whose engine is away.
type noEngine struct{}

func (noEngine) Open(context.Context, asr.Params) (asr.Stream, error) {
	return nil, fmt.Errorf("%w: none", asr.ErrUnavailable)
}

// bot sends a bot's form.
func (r *testServer) bot(f filled) messages.BotAnswer {
	r.t.Helper()
	a := r.send("/v2/bots/transcribe", f)
	var got messages.BotAnswer
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != http.StatusOK {
		r.t.Fatalf("bot: %d %s", a.status, a.body)
	}
	return got
}

func TestBots(t *testing.T) {
	t.Parallel()
	r := recordedServer(t, nil)
	r.engines.languages = []string{"en", "de"}
	sound := speech(4, 5)
	want := r.transcribeFile("a.wav", wavOf(sound, 16000, 1)).Transcription
	mp3 := encode(t, wavOf(sound, 16000, 1), "file.mp3", "-b:a", "128k")
	asMP3 := r.transcribeFile("file.mp3", mp3).Transcription
	before := len(r.uploadFiles())
	for name, tc := range map[string]struct {
		form filled
		want *messages.Transcription
	}{
		"rate first": {filled{fields: []string{"sample_rate", "16000", "bot_id", "x"}, filename: "audio",
			content: sound}, want},
		"rate last": {filled{filename: "audio.pcm", content: sound, last: []string{"sample_rate", "16000"}}, want},
		"odd end": {filled{filename: "audio", content: append(slices.Clone(sound), 1),
			last: []string{"sample_rate", "16000"}}, want},
		"switching": {filled{fields: []string{"sample_rate", "16000", "enable_code_switching", "true",
			"code_switching_languages", "en"}, filename: "a", content: sound}, want},
		"wav": {filled{filename: "audio", content: wavOf(sound, 16000, 1), last: []string{"sample_rate",
			"44100"}}, want},
		"mp3 by name": {filled{filename: "file.mp3", content: mp3, last: []string{"sample_rate", "16000"}}, asMP3},
		"mp3 by type": {filled{filename: "audio", kind: "audio/mpeg", content: mp3, last: []string{"sample_rate",
			"16000"}}, asMP3},
		"mp3, alone": {filled{filename: "audio", content: mp3}, asMP3},
	} {
		t.Run(name, func(t *testing.T) {
			got := r.bot(tc.form)
			if got.Status != messages.StatusDone || got.Result == nil || got.ErrorCode != "" {
				t.Fatalf("answer %+v", got)
			}
			if a, b := fmt.Sprintf("%+v", got.Result.Transcription), fmt.Sprintf("%+v", *tc.want); a != b ||
				len(tc.want.Utterances) == 0 {
				t.Errorf("got  %s\nwant %s", a, b)
			}
		})
	}
	if n := len(r.uploadFiles()); n != before {
		t.Errorf("%d files kept, %d before", n, before)
	}
	if jobs := r.do("GET", "/v2/pre-recorded", ""); strings.Count(string(jobs.body), `"request_id"`) != 2 {
		t.Errorf("jobs of bots are left: %s", jobs.body)
	}
}

func TestBotErrors(t *testing.T) {
	r := recordedServer(t, func(c *Config) { c.Limits.Upload = 100_000 })
	r.engines.languages = []string{"en"}
	sound := speech(1, 5)
	for name, tc := range map[string]struct {
		form   filled
		status int
	}{
		"no audio":   {filled{fields: []string{"sample_rate", "16000"}}, 400},
		"bad rate":   {filled{fields: []string{"sample_rate", "fast"}, filename: "a", content: sound}, 400},
		"low rate":   {filled{fields: []string{"sample_rate", "100"}, filename: "a", content: sound}, 400},
		"no rate":    {filled{filename: "a", content: sound}, 400},
		"no rate in": {filled{filename: "a", fields: []string{"sample_rate", ""}, content: sound}, 400},
		"no rate of": {filled{filename: "notes.txt", content: []byte(strings.Repeat("text ", 99))}, 400},
		"settings": {filled{fields: []string{"sample_rate", "16000", "transcription_settings", "[]"}, filename: "a",
			content: sound}, 400},
		"no audio in": {filled{filename: "a.mp3", content: []byte(strings.Repeat("text ", 99)),
			last: []string{"sample_rate", "16000"}}, 415},
		"language": {filled{fields: []string{"sample_rate", "16000", "language", "fr"}, filename: "a",
			content: sound}, 422},
		"too large": {filled{fields: []string{"sample_rate", "16000"}, filename: "a",
			content: make([]byte, 100_001)}, 413},
		"long field": {filled{fields: []string{"note", strings.Repeat("x", 1<<20+1)}, filename: "a", content: sound},
			400},
		"many fields": {filled{fields: slices.Repeat([]string{"a", "b"}, 65), filename: "a", content: sound}, 400},
	} {
		t.Run(name, func(t *testing.T) {
			a := r.send("/v2/bots/transcribe", tc.form)
			checkError(t, a, tc.status, "/v2/bots/transcribe")
			checkBotError(t, a)
			if raw := strings.HasPrefix(name, "no rate"); raw && !strings.Contains(string(a.body),
				`"validation_errors":["audio: The file is not a recording in a supported format.","sample_rate must be given where audio holds raw samples"]`) {
				t.Errorf("%s", a.body)
			}
			if left := r.uploadFiles(); len(left) > 0 {
				t.Errorf("left on disk: %q", left)
			}
		})
	}
}

// checkBotError checks that a refusal also has the fields that bots read.
func checkBotError(t *testing.T, a answer) {
	t.Helper()
	var body messages.BotAnswer
	if err := json.Unmarshal(a.body, &body); err != nil || body.Status != messages.StatusError || body.ErrorCode !=
		fmt.Sprint(a.status) {
		t.Errorf("%v: %d %s", err, a.status, a.body)
	}
}

// Whatever refuses a bot, the refusal is in the bots' form; others get the usual form.
func TestBotProblems(t *testing.T) {
	r := newTestServer(t, nil)
	form := filled{filename: "a", content: speech(1, 5)}
	for _, a := range []answer{
		r.send("/v2/bots/transcribe", form, "x-service-key", "wrong"), r.send("/v2/bots/transcribe", form),
		r.do("GET", "/v2/bots/transcribe", ""),
	} {
		checkError(t, a, a.status, "/v2/bots/transcribe")
		checkBotError(t, a)
	}
	if a := r.do("GET", "/v2/nothing", ""); strings.Contains(string(a.body), "error_code") {
		t.Errorf("%s", a.body)
	}
}

// A bot's transcription_settings count, as form and as JSON.
func TestTranscriptionSettings(t *testing.T) {
	heard := newLanguageRecorder()
	r := recordedServer(t, nil, func(r *testServer) {
		r.engines.asr, r.engines.languages = heard, []string{"de", "en", "fr"}
	})
	const settings = `{"gladia":{"enable_code_switching":true,"code_switching_languages":["en","de","zh"]},"other":{"x":1}}`
	sound := speech(4, 5)
	a := r.send("/v2/bots/transcribe", filled{fields: []string{"sample_rate", "16000", "bot_id", "x",
		"transcription_settings", settings}, filename: "a", content: sound})
	if ignored := a.header.Get("X-Steno-Ignored"); a.status != 200 ||
		ignored != "transcription_settings.other.x, language_config.code_switching, language_config.languages" {
		t.Errorf("%d, ignored %q: %s", a.status, ignored, a.body)
	}
	if got := heard.distinct(); !slices.Equal(got, []string{"[en de]"}) {
		t.Errorf("form: recognizer is asked for %q", got)
	}
	file := r.uploadFile("a.wav", wavOf(sound, 16000, 1)).AudioURL
	job, _ := r.ask("/v2/pre-recorded", `{"audio_url":"`+file+`","transcription_settings":`+settings+`}`)
	r.awaitResult(job.ID)
	if got := heard.distinct(); !slices.Equal(got, []string{"[en de]"}) {
		t.Errorf("JSON: recognizer is asked for %q", got)
	}
}

// A failure is reported as bots expect it, in an answer of success.
func TestBotFailure(t *testing.T) {
	r := recordedServer(t, func(c *Config) { c.Limits.EngineGrace = 10 * time.Millisecond }, func(r *testServer) {
		r.engines.asr = noEngine{}
	})
	form := filled{filename: "a", content: speech(6, 5), last: []string{"sample_rate", "16000"}}
	if got := r.bot(form); got.Status != messages.StatusError || got.ErrorCode != "503" || got.Result != nil {
		t.Errorf("answer %+v", got)
	}
}

func TestBotTimeout(t *testing.T) {
	r, _, gate := stoppedInJob(t, func(c *Config) { c.Limits.BotWait = 50 * time.Millisecond })
	form := filled{filename: "a", content: speech(6, 5), last: []string{"sample_rate", "16000"}}
	if got := r.bot(form); got.Status != messages.StatusError || got.ErrorCode != "504" {
		t.Errorf("answer %+v", got)
	}
	close(gate)
}

// Neither the time limit of requests nor a slow sender ends a long transcription.
func TestLongRequestsInTime(t *testing.T) {
	decoder := newDecoder(t)
	inBubble(t, func(t *testing.T, w *bubble) {
		g := newGatedRecognizer()
		synctest.Wait() // until it serves
		w.stop()
		w.change = func(d *Deps) { d.Media, d.Engines = decoder, &engines{asr: g} }
		w.start()
		body, kind := form("audio", string(wavOf(speech(6, 5), 16000, 1)))
		slow := &slowReader{Reader: strings.NewReader(body), piece: len(body)/5 + 1, pause: 32 * time.Second}
		go func() {
			time.Sleep(160*time.Second + 100*time.Second)
			close(g.gate)
		}()
		var got messages.BotAnswer
		if status := w.post("/v2/bots/transcribe", slow, int64(len(body)), kind, &got); status != 200 || got.Status !=
			messages.StatusDone {
			t.Errorf("%d %+v", status, got)
		}
		synctest.Wait()
	})
}

// TestAttendee makes the calls of the bot's own provider: upload, create, poll each second, delete.
func TestAttendee(t *testing.T) {
	r := recordedServer(t, nil)
	sound := speech(4, 5)
	mp3 := encode(t, wavOf(sound, 16000, 1), "file.mp3", "-b:a", "128k")
	up := r.send("/v2/upload", filled{filename: "file.mp3", kind: "audio/mpeg", content: mp3}, "x-service-key", "",
		"x-gladia-key", testKey)
	var address struct {
		URL string `json:"audio_url"`
	}
	if err := json.Unmarshal(up.body, &address); err != nil || up.status != 200 {
		t.Fatalf("%d %s", up.status, up.body)
	}
	made := r.do("POST", "/v2/pre-recorded", `{"audio_url":"`+address.URL+
		`","enable_code_switching":true,"code_switching_config":{"languages":["en","de"]}}`)
	var created struct {
		ResultURL string `json:"result_url"`
	}
	if err := json.Unmarshal(made.body, &created); err != nil || made.status != 201 {
		t.Fatalf("%d %s", made.status, made.body)
	}
	at, err := url.Parse(created.ResultURL)
	if err != nil {
		t.Fatal(err)
	}
	var job struct {
		Status        string
		RequestParams struct {
			LanguageConfig messages.LanguageConfig `json:"language_config"`
		} `json:"request_params"`
		Result struct {
			Transcription struct {
				Text       string `json:"full_transcript"`
				Utterances []struct{ Words []messages.Word }
			}
		}
	}
	waitUntil(t, "the job is done", func() bool {
		if err := json.Unmarshal(r.do("GET", at.Path, "").body, &job); err != nil {
			t.Fatal(err)
		}
		return job.Status == "done"
	})
	if l := job.RequestParams.LanguageConfig; !l.CodeSwitching || !slices.Equal(l.Languages, []string{"en", "de"}) {
		t.Errorf("language_config %+v", l)
	}
	if tr := job.Result.Transcription; tr.Text == "" || len(tr.Utterances) == 0 || len(tr.Utterances[0].Words) == 0 {
		t.Errorf("job %+v", job)
	}
	if a := r.do("DELETE", at.Path, ""); a.status != 200 && a.status != 202 {
		t.Errorf("delete: %d", a.status)
	}
	if left := r.uploadFiles(); len(left) > 0 {
		t.Errorf("left on disk: %q", left)
	}
}
