package translate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"steno/session/addon/llm"
	"steno/session/addon/remote"
	"steno/session/addon/translate"
	"steno/session/internal/fakeapi"
)

const languages = `[{"code":"en","name":"English","targets":["es","zh-Hans","nb"]},{"code":"es","name":"Spanish","targets":["en"]},{"code":"pt-BR","name":"Portuguese"}]`

// libre behaves like a LibreTranslate server: it takes requests apart strictly and answers in
// capitals.
type libre struct {
	t *testing.T
	// before is called first for translations; it returns true if it has answered. It may be nil.
	before func(w http.ResponseWriter, q query) bool

	mu     sync.Mutex
	lists  int
	asked  []query
	broken bool // the list is
}

type query struct {
	Q                      []string
	Source, Target, Format string
	APIKey                 string `json:"api_key"`
}

func (l *libre) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.Method == http.MethodGet && r.URL.Path == "/languages" {
		if l.lists++; l.broken {
			w.WriteHeader(500)
		}
		_, _ = io.WriteString(w, languages)
		return
	}
	var q query
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	size := 0
	if err := d.Decode(&q); err != nil || r.Method != http.MethodPost || r.URL.Path != "/translate" || q.Format !=
		"text" || q.APIKey != "sk-secret" ||
		r.Header.Get("Content-Type") != "application/json" || len(q.Q) == 0 {
		l.t.Errorf("bad request %s %s %+v: %v", r.Method, r.URL, q, err)
	}
	var out []string
	for _, s := range q.Q {
		size += utf8.RuneCountInString(s)
		out = append(out, strings.ToUpper(s))
	}
	if size > 2000 && len(q.Q) > 1 {
		l.t.Errorf("%d characters in a request", size)
	}
	l.asked = append(l.asked, q)
	if l.before != nil && l.before(w, q) {
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"translatedText": out})
}

func serve(t *testing.T, h http.Handler, c translate.LibreConfig) *translate.Libre {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	c.URL, c.Key, c.MinBackoff = server.URL+"/", "sk-secret", time.Millisecond
	l, err := translate.NewLibre(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func TestLibre(t *testing.T) {
	server := &libre{t: t}
	l := serve(t, server, translate.LibreConfig{})
	texts := []string{"", "hello", strings.Repeat("é", 1999), "x", strings.Repeat("long ", 1000), " "}
	out, err := l.Translate(t.Context(), texts, "en", "es", translate.Options{})
	if err != nil || len(out) != len(texts) || out[0] != "" || out[1] != "HELLO" || out[3] != "X" || len(out[4]) !=
		4999 || out[5] != "" {
		t.Errorf("%.100q, %v", out, err)
	}
	if len(server.asked) != 3 || server.lists != 1 {
		t.Errorf("%d translations, %d lists", len(server.asked), server.lists)
	}
	for pair, want := range map[string]string{
		"en es": "en es", "en zh": "en zh-Hans", "en no": "en nb", "es en": "es en", "es fr": "", "fr en": "",
		" en": "auto en", " fr": "", "pt es": "pt-BR es",
	} {
		from, to, _ := strings.Cut(pair, " ")
		if err := l.Can(t.Context(), from, to); (err == nil) != (want != "") {
			t.Errorf("can %q: %v", pair, err)
		}
		if _, err := l.Translate(t.Context(), []string{"a"}, from, to, translate.Options{}); (err == nil) !=
			(want != "") {
			t.Errorf("%q: %v", pair, err)
		} else if last := server.asked[len(server.asked)-1]; want != "" && last.Source+" "+last.Target != want {
			t.Errorf("%q: asked for %s %s", pair, last.Source, last.Target)
		}
	}
	if server.lists != 1 {
		t.Errorf("the languages were asked for %d times", server.lists)
	}
}

func TestLibreFailures(t *testing.T) {
	raw := func(status int, body string) func(http.ResponseWriter, query) bool {
		return func(w http.ResponseWriter, _ query) bool {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
			return true
		}
	}
	for name, test := range map[string]struct {
		before   func(http.ResponseWriter, query) bool
		status   int
		requests int
	}{
		"garbage":      {raw(200, "amber"), 502, 3},
		"too few":      {raw(200, `{"translatedText":[]}`), 502, 3},
		"too many":     {raw(200, `{"translatedText":["A","B"]}`), 502, 3},
		"one text":     {raw(200, `{"translatedText":"amber"}`), 502, 3},
		"an empty one": {raw(200, `{"translatedText":["\n"]}`), 502, 3},
		"no text":      {raw(200, `{"error":"amber"}`), 502, 3},
		"endless":      {raw(200, `{"translatedText":["`+strings.Repeat("amber ", 100)+`"]}`), 502, 3},
		"oversized":    {raw(200, `{"translatedText":["`+strings.Repeat("amber ", 1<<18)+`"]}`), 502, 1},
		"no key":       {raw(403, `{"error":"sk-secret amber"}`), 502, 1},
		"bad pair":     {raw(400, `{"error":"amber"}`), 502, 1},
		"busy":         {raw(429, `{"error":"amber"}`), 429, 3},
		"broken":       {raw(500, `{"error":"amber"}`), 502, 3},
	} {
		server := &libre{t: t, before: test.before}
		l := serve(t, server, translate.LibreConfig{})
		_, err := translate.Utterances(t.Context(), l, one("my amber"), "es", matching())
		if told := remote.Addon(err); told == nil || told.StatusCode != test.status || len(server.asked) !=
			test.requests {
			t.Errorf("%s: %+v after %d requests", name, told, len(server.asked))
		}
		if err != nil && (strings.Contains(err.Error(), "amber") || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: the error tells too much: %v", name, err)
		}
	}
}

// TestLibreAway knows no languages while the server is away, and asks again, by the clock.
func TestLibreAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &libre{t: t, broken: true}
		l, err := translate.NewLibre(translate.LibreConfig{URL: "http://x", Key: "sk-secret", Attempts: 1,
			Client: fakeapi.Direct(server)})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		for _, step := range []struct {
			wait   time.Duration
			broken bool
			can    bool
			lists  int
		}{
			{0, true, false, 1}, {9 * time.Second, false, false, 1}, {time.Second, false, true, 2},
			{9 * time.Minute, true, true, 2},
			{time.Minute, true, true, 3}, {time.Minute, true, true, 4},
		} {
			time.Sleep(step.wait)
			server.broken = step.broken
			if err := l.Can(t.Context(), "en", "es"); (err == nil) != step.can || server.lists != step.lists {
				t.Errorf("after %v more: %v, asked %d times; want %+v", step.wait, err, server.lists, step)
			} else if told := remote.Addon(err); told != nil && told.Exception != "TranslationServerFailed" {
				t.Errorf("after %v more: %+v", step.wait, told)
			}
		}
	})
}

func TestLibreConfig(t *testing.T) {
	for _, address := range []string{"", "x", "ftp://x", "http://a:secret@x"} {
		if _, err := translate.NewLibre(translate.LibreConfig{URL: address}); err == nil ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// TestModel translates by a language model: what is hidden goes there as signs, the options as
// words.
func TestModel(t *testing.T) {
	var rules string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Messages []struct{ Content string } }
		b, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(b, &body); err != nil || strings.Contains(string(b), "NAME_1") {
			t.Errorf("asked %s: %v", b, err)
		}
		rules = body.Messages[0].Content
		var data struct {
			Topic     string
			Sentences []struct {
				N    int
				Text string
			}
		}
		inner := strings.TrimSuffix(strings.TrimPrefix(body.Messages[1].Content, "<<<DATA\n"), "\nDATA>>>")
		if err := json.Unmarshal([]byte(inner), &data); err != nil || data.Topic != "c" {
			t.Errorf("data %s: %v", inner, err)
		}
		slices.Reverse(data.Sentences) // numbers count, not the order
		for i := range data.Sentences {
			data.Sentences[i].Text = strings.ToUpper(data.Sentences[i].Text)
		}
		answer, _ := json.Marshal(map[string]any{"sentences": lower(data.Sentences)})
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": string(answer)}}}})
	}))
	defer server.Close()
	c, err := llm.New(llm.Config{URL: server.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	us := append(one("hello [NAME_1]!"), one("and you")...)
	got, err := translate.Utterances(context.Background(), translate.LLM(c), us, "fr", matching())
	if err != nil || len(got) != 2 || got[0].Text != " HELLO [NAME_1]!" || got[1].Text != " AND YOU" {
		t.Errorf("%+v, %v", got, err)
	}
	if !strings.Contains(rules, `from the language "en" to the language "fr"`) || !strings.Contains(rules, "informal") {
		t.Errorf("rules %q", rules)
	}
}

func lower(sentences []struct {
	N    int
	Text string
}) []any {
	var out []any
	for _, s := range sentences {
		out = append(out, map[string]any{"n": s.N, "text": s.Text})
	}
	return out
}

// FuzzReaders holds whatever servers and programs write to what the readers promise.
func FuzzReaders(f *testing.F) {
	for _, s := range []string{`{"translatedText":["a","b"]}`, languages, "uno\ndos\n", "{}", "null",
		`{"translatedText":["\u0000","\ud800"]}`, "\n\n", "a.\nb...\n", `[{"code":null,"targets":[null]}]`} {
		f.Add(s)
	}
	asked := []string{"one.", "two..."}
	f.Fuzz(func(t *testing.T, s string) {
		for name, read := range map[string]func() ([]string, error){
			"texts": func() ([]string, error) { return translate.ReadTextsForTest([]byte(s), asked) },
			"lines": func() ([]string, error) { return translate.ReadLinesForTest(s, asked) },
		} {
			out, err := read()
			if err == nil && (len(out) != 2 || out[0] == "" || out[1] == "" || strings.ContainsAny(fmt.Sprint(out),
				"\n\r\x00") || !utf8.ValidString(out[0])) {
				t.Errorf("%s: %q", name, out)
			}
		}
		if pairs, err := translate.ReadLanguagesForTest([]byte(s)); err == nil && len(pairs) == 0 {
			t.Error("no languages and no error")
		}
	})
}
