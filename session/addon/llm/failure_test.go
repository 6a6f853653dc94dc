package llm_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/addon/entities"
	"steno/session/addon/llm"
	"steno/session/addon/remote"
	"steno/session/addon/sentiment"
	"steno/session/addon/structureddata"
	"steno/session/addon/summary"
	"steno/session/internal/fakeapi"
)

func direct(t *testing.T, h http.Handler) *llm.Client {
	t.Helper()
	c, err := llm.New(llm.Config{URL: "http://model/v1", Key: key, Model: "small", Attempts: 1,
		Client: fakeapi.Direct(h)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// TestBadServers tells clients what failed, and nothing of what was said.
func TestBadServers(t *testing.T) {
	raw := func(body string) func(w http.ResponseWriter) {
		return func(w http.ResponseWriter) { _, _ = io.WriteString(w, body) }
	}
	for name, test := range map[string]struct {
		write     func(w http.ResponseWriter)
		status    int
		exception string
		requests  int
	}{
		"garbage":   {raw("<html>amber</html>"), 502, "LanguageModelInvalidAnswer", 3},
		"nothing":   {raw(""), 502, "LanguageModelInvalidAnswer", 3},
		"no choice": {raw(`{"choices":[]}`), 502, "LanguageModelInvalidAnswer", 3},
		"other types": {raw(`{"choices":[{"message":{"role":"assistant","content":{"amber":1}}}]}`), 502,
			"LanguageModelInvalidAnswer", 3},
		"refusal": {raw(`{"choices":[{"message":{"role":"assistant","content":null,"refusal":"amber"}}]}`), 502,
			"LanguageModelDeclined", 1},
		"filtered": {func(w http.ResponseWriter) { say(t, w, `{"summary":"x"}`, "content_filter") }, 502,
			"LanguageModelDeclined", 1},
		"cut off": {func(w http.ResponseWriter) { say(t, w, `{"summary":"x"}`, "length") }, 502,
			"LanguageModelInvalidAnswer", 1},
		"oversized": {func(w http.ResponseWriter) { say(t, w, strings.Repeat("amber", 1<<20), "stop") }, 502,
			"LanguageModelInvalidAnswer", 1},
		"no key": {func(w http.ResponseWriter) {
			http.Error(w, `{"error":{"message":"sk-secret amber","code":"invalid_api_key"}}`, http.StatusUnauthorized)
		}, 502, "LanguageModelRefused", 1},
		"too long": {func(w http.ResponseWriter) {
			http.Error(w, `{"error":{"message":"amber","code":"context_length_exceeded"}}`, http.StatusBadRequest)
		}, 502, "LanguageModelRefused", 1},
		"no temperature": {func(w http.ResponseWriter) {
			http.Error(w, `{"error":{"message":"amber","param":"temperature"}}`, http.StatusBadRequest)
		}, 502, "LanguageModelRefused", 2},
		"refuses all": {func(w http.ResponseWriter) { http.Error(w, "amber", http.StatusBadRequest) }, 502,
			"LanguageModelRefused", 3},
		"busy": {func(w http.ResponseWriter) { http.Error(w, "amber", http.StatusTooManyRequests) }, 429,
			"LanguageModelRateLimited", 3},
		"broken": {func(w http.ResponseWriter) { http.Error(w, "amber", http.StatusInternalServerError) }, 502,
			"LanguageModelFailed", 3},
	} {
		m := &model{t: t, before: func(w http.ResponseWriter, _ question) bool {
			test.write(w)
			return true
		}}
		c := serve(t, m, llm.Config{})
		_, err := summary.FromModel(t.Context(), c, talk("my colour is amber"), "concise")
		told := remote.Addon(err)
		if told == nil || told.StatusCode != test.status || told.Exception != test.exception {
			t.Errorf("%s: %+v, want %d %s", name, told, test.status, test.exception)
			continue
		}
		for _, text := range []string{fmt.Sprint(told), err.Error()} {
			for _, secret := range []string{"amber", "secret", "127.0.0.1", "Summarize"} {
				if strings.Contains(text, secret) {
					t.Errorf("%s: the error tells %s: %s", name, secret, text)
				}
			}
		}
		if n := len(m.Seen()); n != test.requests {
			t.Errorf("%s: %d requests, want %d", name, n, test.requests)
		}
	}
}

// TestFormsRefused has servers that know not all forms: they are asked for the best they can, once
// and for all.
func TestFormsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		body     string
		refuses  func(q question) bool
		mode     string
		warm     bool
		requests int // for the first of two tasks
	}{
		"knows all": {"", func(question) bool { return false }, "json_schema", true, 1},
		"no schema": {`{"error":{"param":"response_format"}}`, func(q question) bool {
			return q.mode ==
				"json_schema"
		}, "json_object", true, 2},
		"no form": {`{"detail":[{"loc":["body","response_format","type"]}]}`,
			func(q question) bool { return q.mode != "" }, "", true, 3},
		"no temperature": {`{"error":{"param":"temperature","code":"unsupported_value"}}`,
			func(q question) bool { return q.warm }, "json_schema", false, 2},
		"says not what": {`no`, func(q question) bool { return q.mode != "" }, "", true, 3},
	} {
		m := &model{t: t, reply: func(question) string { return `{"summary":"x"}` }}
		m.before = func(w http.ResponseWriter, q question) bool {
			if test.refuses(q) {
				http.Error(w, test.body, http.StatusUnprocessableEntity)
				return true
			}
			return false
		}
		c := serve(t, m, llm.Config{})
		for i := range 2 {
			if s, err := summary.FromModel(t.Context(), c, talk("hello"), "concise"); err != nil || s != "x" {
				t.Fatalf("%s: %q, %v", name, s, err)
			}
			asked := m.Seen()
			if last := asked[len(asked)-1]; last.mode != test.mode || last.warm != test.warm || len(asked) !=
				test.requests+i {
				t.Errorf("%s: %d requests, the last in mode %q, temperature %v", name, len(asked), last.mode, last.warm)
			}
		}
	}
}

func TestReasoningModelsHaveNoTemperature(t *testing.T) {
	m := always(t, `{"summary":"x"}`)
	c := serve(t, m, llm.Config{Model: "gpt-5-mini"})
	if _, err := summary.FromModel(t.Context(), c, talk("hello"), ""); err != nil || m.Seen()[0].warm {
		t.Errorf("%v, temperature %v", err, m.Seen()[0].warm)
	}
}

func TestHanging(t *testing.T) {
	release := make(chan struct{})
	m := &model{t: t, before: func(http.ResponseWriter, question) bool {
		<-release
		return true
	}}
	c := serve(t, m, llm.Config{Timeout: 20 * time.Millisecond, Attempts: 2})
	_, err := entities.FromModel(t.Context(), c, talk("hello"), []string{"NAME"})
	if told := remote.Addon(err); told == nil || told.StatusCode != 504 || told.Exception != "LanguageModelTimeout" {
		t.Errorf("%+v", told)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sentiment.FromModel(ctx, c, talk("hello")); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	close(release)
}

// TestOneFailureEndsAll stops the other pieces where one has failed.
func TestOneFailureEndsAll(t *testing.T) {
	m := &model{t: t, before: func(w http.ResponseWriter, _ question) bool {
		w.WriteHeader(403)
		return true
	}}
	c := serve(t, m, llm.Config{MaxInput: 1000, Concurrency: 1})
	_, err := summary.FromModel(t.Context(), c, talk(strings.Repeat("word ", 4000)), "")
	if told := remote.Addon(err); told == nil || told.Exception != "LanguageModelRefused" || len(m.Seen()) != 1 {
		t.Errorf("%+v after %d requests", told, len(m.Seen()))
	}
}

// TestAsk follows the parts of a prompt, and which models may be asked.
func TestAsk(t *testing.T) {
	m := always(t, " fine\r\n\x00indeed ")
	c := serve(t, m, llm.Config{Models: []string{"large"}})
	prompt := messages.Prompt{
		{Content: "first"}, {Content: "be kind", Role: "system"}, {Content: "earlier", Role: "assistant"},
		{Content: " "}, {Content: "second", Role: "user"}, {Content: "third"},
	}
	for _, name := range []string{"", "small", "large"} {
		if s, err := c.Ask(t.Context(), talk("hello"), prompt, name); err != nil || s != "fine\nindeed" {
			t.Errorf("%q, %v", s, err)
		}
	}
	asked := m.Seen()
	if asked[0].model != "small" || asked[2].model != "large" || asked[0].mode != "" {
		t.Errorf("asked %q, %q", asked[0].model, asked[2].model)
	}
	said := asked[0].messages
	if len(said) != 4 || !strings.HasSuffix(said[0].Content, "\nbe kind") || !strings.HasSuffix(said[1].Content,
		"DATA>>>\n\nfirst") ||
		said[2].Content != "earlier" || said[3].Content != "second\n\nthird" {
		t.Errorf("said %q", said)
	}
	for name, test := range map[string]struct {
		prompt messages.Prompt
		model  string
	}{
		"other model": {prompt, "enormous"},
		"no prompt":   {nil, ""},
		"empty":       {messages.Prompt{{Content: " \n"}}, ""},
		"too long":    {messages.Prompt{{Content: strings.Repeat("x", 100_001)}}, ""},
	} {
		if _, err := c.Ask(t.Context(), talk("hello"), test.prompt, test.model); remote.Addon(err) == nil ||
			remote.Addon(err).StatusCode != 400 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(m.Seen()); n != 3 {
		t.Errorf("%d requests", n)
	}
}

func TestBadRequests(t *testing.T) {
	m := always(t, "{}")
	c := serve(t, m, llm.Config{})
	for name, f := range map[string]func() error{
		"no classes": func() error {
			_, err := structureddata.FromModel(t.Context(), c, talk("x"),
				nil)
			return err
		},
		"an empty one": func() error {
			_, err := structureddata.FromModel(t.Context(), c, talk("x"),
				[]string{""})
			return err
		},
		"no types":     func() error { _, err := entities.FromModel(t.Context(), c, talk("x"), nil); return err },
		"unknown kind": func() error { _, err := summary.FromModel(t.Context(), c, talk("x"), "rhymed"); return err },
		"closed client": func() error {
			_ = c.Close()
			_, err := summary.FromModel(t.Context(), c, talk("x"),
				"")
			return err
		},
	} {
		if err := f(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if n := len(m.Seen()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

func TestConfig(t *testing.T) {
	for name, change := range map[string]func(c *llm.Config){
		"url":   func(c *llm.Config) { c.URL = "model" },
		"user":  func(c *llm.Config) { c.URL = "http://me:secret@model/v1" },
		"model": func(c *llm.Config) { c.Model = "" },
		"key":   func(c *llm.Config) { c.Key = "sk-secret\n" },
		"mode":  func(c *llm.Config) { c.SchemaMode = "xml" },
		"input": func(c *llm.Config) { c.MaxInput = 10 },
	} {
		c := llm.Config{URL: "http://model/v1", Model: "small"}
		change(&c)
		if _, err := llm.New(c); err == nil || strings.Contains(err.Error(), "secret") ||
			!strings.Contains(err.Error(), map[string]string{"user": "url"}[name]) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
