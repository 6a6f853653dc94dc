package realtime_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/session/asr"
	"steno/session/asr/asrtest"
	"steno/session/asr/realtime"
)

func TestSuite(t *testing.T) {
	each(t, func(t *testing.T, variant string) {
		if variant == realtime.Speaches {
			return // as OpenAI's, but for the settings
		}
		open := func(t *testing.T) asr.Recognizer {
			return serve(t, &server{t: t, variant: variant, deltas: variant != realtime.Speaches},
				realtime.Config{Languages: []string{"en", "haw"}})
		}
		asrtest.Run(t, open, asrtest.Ramp(2*asr.Rate, 1), asrtest.Ramp(5*asr.Rate, 77), asrtest.Ramp(700, 5))
	})
}

// TestVariant has a server's variant found out by its greeting, and reported once.
func TestVariant(t *testing.T) {
	each(t, func(t *testing.T, variant string) {
		for _, configured := range []string{"", realtime.Auto, variant} {
			var found []string
			var mu sync.Mutex
			r := serve(t, &server{t: t, variant: variant}, realtime.Config{
				Variant: configured, OnVariant: func(v string) {
					mu.Lock()
					defer mu.Unlock()
					found = append(found, v)
				},
			})
			for range 2 {
				if got, err := recognize(t, r, asr.Params{Language: "en"}); err != nil || len(got.Words) == 0 {
					t.Errorf("configured as %q: %+v, %v", configured, got, err)
				}
			}
			if mu.Lock(); !slices.Equal(found, []string{variant}) || r.Variant() != variant {
				t.Errorf("configured as %q: found %q, %q", configured, found, r.Variant())
			}
			mu.Unlock()
			models, err := r.Models(t.Context())
			if err != nil || len(models) != 1 || models[0].Partials != (variant != realtime.Speaches) {
				t.Errorf("models %+v, %v", models, err)
			}
		}
	})
}

// TestConnections has utterances share a connection where the variant allows that.
func TestConnections(t *testing.T) {
	each(t, func(t *testing.T, variant string) {
		s := &server{t: t, variant: variant}
		r := serve(t, s, realtime.Config{})
		for _, language := range []string{"en", "en", "de"} {
			if _, err := recognize(t, r, asr.Params{Language: language}); err != nil {
				t.Fatal(err)
			}
		}
		s.note(func() {
			want := 1
			if variant == realtime.VLLM {
				want = 3
			}
			if updates := len(s.sets); s.visits != want || variant != realtime.VLLM && updates != 2 {
				t.Errorf("%d connections, %d updates", s.visits, updates)
			}
		})
		if variant == realtime.VLLM {
			waitFor(t, s, func() bool { return s.open == 0 })
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		waitFor(t, s, func() bool { return s.open == 0 })
		s.note(func() {
			for _, code := range s.codes {
				if code != websocket.StatusNormalClosure {
					t.Errorf("closed with %v", s.codes)
				}
			}
		})
	})
}

// waitFor waits until a condition on a server holds.
func waitFor(t *testing.T, s *server, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		ok := false
		if s.note(func() { ok = holds() }); ok {
			return
		}
	}
	t.Error("it never holds")
}

// TestSettingsTakenBack has an utterance without a setting that the connection has: a server may
// keep what an update leaves out.
func TestSettingsTakenBack(t *testing.T) {
	s := &server{t: t, variant: realtime.OpenAI}
	r := serve(t, s, realtime.Config{Prompt: true, Detects: true})
	words := []asr.Term{{Text: "steno"}}
	for _, p := range []asr.Params{{}, {Language: "en"}, {Language: "en", Vocabulary: words}, {Language: "en"}, {}} {
		if _, err := recognize(t, r, p); err != nil {
			t.Fatal(err)
		}
	}
	if s.visits != 3 {
		t.Errorf("%d connections", s.visits)
	}
}

// TestAge has connections that are old, or idle for too long, used no more.
func TestAge(t *testing.T) {
	for name, c := range map[string]realtime.Config{
		"old": {Renew: time.Nanosecond}, "idle": {Idle: time.Nanosecond},
	} {
		s := &server{t: t, variant: realtime.OpenAI}
		r := serve(t, s, c)
		for range 3 {
			if _, err := recognize(t, r, asr.Params{}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			waitFor(t, s, func() bool { return s.open == 0 })
		}
		if s.visits != 3 || slices.ContainsFunc(s.codes, func(c websocket.StatusCode) bool {
			return c != websocket.StatusNormalClosure
		}) {
			t.Errorf("%s: %d connections, closed with %v", name, s.visits, s.codes)
		}
	}
}

// TestVocabulary has it sent where that is configured.
func TestVocabulary(t *testing.T) {
	each(t, func(t *testing.T, variant string) {
		s := &server{t: t, variant: variant}
		r := serve(t, s, realtime.Config{Prompt: true, Keywords: true})
		p := asr.Params{Vocabulary: []asr.Term{{Text: "ice  cream", Intensity: 0.1}, {Text: "Zorblax", Intensity: 0.9}}}
		if _, err := recognize(t, r, p); err != nil {
			t.Fatal(err)
		}
		prompt := strings.Contains(s.sets[0], `"prompt":"Zorblax, ice cream"`)
		keywords := strings.Contains(s.sets[0], `"keywords":["Zorblax","ice cream"]`)
		if prompt != (variant != realtime.VLLM) || keywords != (variant == realtime.OpenAI) {
			t.Errorf("update %s", s.sets[0])
		}
	})
}

// TestPartials expects the text so far, in order, where the server sends it and it is asked for.
func TestPartials(t *testing.T) {
	for _, variant := range []string{realtime.OpenAI, realtime.VLLM} {
		r := serve(t, &server{t: t, variant: variant, deltas: true}, realtime.Config{})
		u := open(t, r, asr.Params{Partials: true, Language: "en"})
		for n, want := range []string{"word0", "word0 word1", "word0 word1 word2"} {
			if err := u.Write(asrtest.Ramp(asr.Rate, n)); err != nil {
				t.Fatal(err)
			}
			got, err := u.Recv()
			if err != nil || got.Final || texts(got.Words) != want || !got.Timed || got.Language != "en" ||
				got.Words[n].End > (n+1)*asr.Rate {
				t.Errorf("%s: partial %+v, %v; want %q", variant, got, err, want)
			}
		}
		if err := u.End(); err != nil {
			t.Fatal(err)
		}
		if got, err := u.Recv(); err != nil || !got.Final || len(got.Words) < 10 {
			t.Errorf("%s: final %+v, %v", variant, got, err)
		}
	}
}

// TestItems has a server divide an utterance, and answer its parts in another order.
func TestItems(t *testing.T) {
	s := &server{t: t, variant: realtime.Speaches, texts: func() []string { return []string{"one two", "three"} }}
	if got, err := recognize(t, serve(t, s, realtime.Config{}), asr.Params{}); err != nil ||
		texts(got.Words) != "one two three" {
		t.Errorf("final %+v, %v", got, err)
	}
}

// TestNothing has a final without words: that is for the session to judge.
func TestNothing(t *testing.T) {
	each(t, func(t *testing.T, variant string) {
		s := &server{t: t, variant: variant, texts: func() []string { return []string{" "} }}
		got, err := recognize(t, serve(t, s, realtime.Config{}), asr.Params{})
		if err != nil || !got.Final || len(got.Words) > 0 || got.Timed || got.Dropped != "" {
			t.Errorf("final %+v, %v", got, err)
		}
	})
}

// TestLanguages has the server's language count where none is asked for.
func TestLanguages(t *testing.T) {
	two := []string{"it", "de"}
	for name, test := range map[string]struct {
		config realtime.Config
		params asr.Params
		asked  string
		want   string
	}{
		"asked":    {realtime.Config{Detects: true}, asr.Params{Language: "de"}, "de", "de"},
		"default":  {realtime.Config{Languages: two}, asr.Params{Languages: two}, "it", "it"},
		"detected": {realtime.Config{Detects: true}, asr.Params{Languages: []string{"de", "fr"}}, "", "fr"},
		"one":      {realtime.Config{Detects: true}, asr.Params{Languages: []string{"de"}}, "de", "de"},
	} {
		s := &server{t: t, variant: realtime.OpenAI, language: "french"}
		got, err := recognize(t, serve(t, s, test.config), test.params)
		if err != nil || got.Language != test.want {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		var u openaiUpdate
		if err := json.Unmarshal([]byte(s.sets[0]), &u); err != nil ||
			u.Session.Audio.Input.Transcription.Language != test.asked {
			t.Errorf("%s: asked with %s", name, s.sets[0])
		}
	}
}

// TestTakenBack holds samples back that may be taken back.
func TestTakenBack(t *testing.T) {
	s := &server{t: t, variant: realtime.OpenAI}
	r := serve(t, s, realtime.Config{})
	u := open(t, r, asr.Params{})
	if err := errors.Join(asr.Tentative(u, asr.Rate), u.Write(asrtest.Ramp(3*asr.Rate, 1)),
		asr.Cut(u, asr.Rate), u.End()); err != nil {
		t.Fatal(err)
	}
	if _, err := u.Recv(); err != nil || !slices.Equal(s.heard, []int{asr.Rate}) {
		t.Errorf("%v; the server has heard %v", err, s.heard)
	}
	u = open(t, r, asr.Params{})
	if err := errors.Join(asr.Tentative(u, asr.Rate), u.Write(asrtest.Ramp(3*asr.Rate, 1)), u.End()); err != nil {
		t.Fatal(err)
	}
	if _, err := u.Recv(); err != nil || s.heard[1] != 3*asr.Rate {
		t.Errorf("%v; the server has heard %v", err, s.heard)
	}
}

func TestBadConfig(t *testing.T) {
	for want, c := range map[string]realtime.Config{
		"url":           {Model: "m", URL: "ftp://x"},
		"WebSocket":     {Model: "m", URL: "ws:///v1"},
		"a query":       {Model: "m", URL: "https://x/v1?key=1"},
		"a user":        {Model: "m", URL: "https://me:secret@x/v1"},
		"no model":      {URL: "https://x/v1"},
		"key holds":     {Model: "m", URL: "https://x/v1", Key: "a\nb"},
		`language "xx"`: {Model: "m", URL: "https://x/v1", Languages: []string{"en", "xx"}},
		"variant must":  {Model: "m", URL: "https://x/v1", Variant: "azure"},
	} {
		if _, err := realtime.New(c); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "secret") {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}
