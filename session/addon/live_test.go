package addon_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/addontest"
	"steno/session/addon/registry"
	"steno/session/addon/remote"
)

// embedded lists the add-ons with the embedded providers.
func embedded() *addon.Table { return registry.New(registry.Services{}, addon.Runner{}) }

// done is the message of a step.
func done(t *testing.T, s addon.Step) messages.Message {
	t.Helper()
	m, _ := s.Do(t.Context())
	return m
}

// live is what a request wants, done in the ways given.
func live(t *testing.T, request string, w *addon.Table) *addon.Live {
	t.Helper()
	r, problem := messages.ParseLive([]byte(request))
	if problem != nil {
		t.Fatal(problem)
	}
	return addon.NewLive(r, w)
}

// utterance returns an utterance of the words, a second each.
func utterance(language string, words ...string) messages.Utterance {
	u := messages.Utterance{Start: 1, End: 1 + float64(len(words)), Confidence: 0.9, Language: language}
	for i, w := range words {
		u.Words = append(u.Words, messages.Word{Word: " " + w, Start: 1 + float64(i), End: 2 + float64(i),
			Confidence: 0.9})
		u.Text += " " + w
	}
	return u
}

const everyStep = `{"realtime_processing":{"named_entity_recognition":true,"sentiment_analysis":true,
	"translation":true,"translation_config":{"target_languages":["fr","de","fr"],"match_original_utterances":false}}}`

func TestStepsOfAFinal(t *testing.T) {
	l := live(t, everyStep, addontest.Providers{}.Table())
	keys := func(u messages.Utterance) (list []string) {
		for _, s := range l.Steps("00_00000007", u) {
			if list = append(list, s.Key.String()); s.Do != nil || s.Timeout != 5*time.Second || s.Key.Kind.String() !=
				s.Addon {
				t.Errorf("step %+v", s)
			}
			m := s.Fail(addon.Unavailable(s.Addon))
			if m.Kind().String() != s.Addon {
				t.Errorf("%s: message of kind %s", s.Key, m.Kind())
			}
		}
		return list
	}
	want := []string{
		"translation/00_00000007/fr", "translation/00_00000007/de",
		"named_entity_recognition/00_00000007", "sentiment_analysis/00_00000007",
	}
	for _, u := range []messages.Utterance{{}, utterance("en", "hello")} {
		if got := keys(u); !slices.Equal(got, want) {
			t.Errorf("keys %v, want %v", got, want)
		}
	}
	if got := live(t, `{}`, embedded()).Steps("00_00000007", utterance("en", "hello")); len(got) != 0 {
		t.Errorf("steps nobody asked for: %+v", got)
	}
}

// text is a message as clients see it.
func text(m messages.Message) string { return string(messages.Append(nil, messages.Envelope{}, m)) }

func TestWhatStepsSay(t *testing.T) {
	u := utterance("en", "hello", "world")
	translates := func(n int, err error) addontest.Providers {
		return addontest.Providers{Translate: func(_ context.Context, us []messages.Utterance, target string,
			c messages.TranslationConfig) ([]messages.Utterance, error) {
			if !c.MatchOriginalUtterances || len(us) != 1 {
				t.Errorf("asked for %d utterances: %+v", len(us), c)
			}
			return slices.Repeat([]messages.Utterance{utterance(target, "bonjour")}, n), err
		}}
	}
	refused := remote.NewError(429, "RateLimited", "The translator has too much to do", errors.New("secret"))
	for name, c := range map[string]struct {
		ways addontest.Providers
		want string
	}{
		"done": {translates(1, nil),
			`"error":null,"type":"translation","data":{"utterance_id":"00_00000007","utterance":{"start":1,`},
		"refused": {translates(0, refused),
			`"error":{"status_code":429,"exception":"RateLimited","message":"The translator has too much to do"},"type":"translation","data":null,"utterance_id":"00_00000007","target_language":"fr"}`},
		"none": {translates(0, nil),
			`"error":{"status_code":500,"exception":"AddonFailed","message":"The add-on failed"},"type":"translation","data":null,"utterance_id":"00_00000007","target_language":"fr"}`},
		"many": {translates(2, nil), `"status_code":500`},
		"broken": {addontest.Providers{Translate: func(context.Context, []messages.Utterance, string,
			messages.TranslationConfig) ([]messages.Utterance, error) {
			panic("secret")
		}}, `"status_code":500`},
		"cancelled": {translates(1, context.Canceled), `"exception":"Cancelled"`},
		"late":      {translates(1, context.DeadlineExceeded), `"status_code":504`},
	} {
		got := text(done(t, live(t, everyStep, c.ways.Table()).Steps("00_00000007", u)[0]))
		if !strings.Contains(got, c.want) || strings.Contains(got, "secret") {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if name == "done" &&
			!strings.Contains(got,
				`"original_language":"en","target_language":"fr","translated_utterance":{"start":1,"end":2,`) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }

// rewriter is an add-on that rewrites utterances.
type rewriter func(messages.Utterance) messages.Utterance

func (rewriter) Name() string                                { return "rewriter" }
func (rewriter) Offer(context.Context) (none messages.Addon) { return none }
func (r rewriter) Rewriter(*messages.LiveRequest) func(messages.Utterance) messages.Utterance {
	return func(u messages.Utterance) messages.Utterance { return r(u) }
}

func TestTextIsCorrectedThenSpelled(t *testing.T) {
	const spelled = `"custom_spelling":true,"custom_spelling_config":{"spelling_dictionary":{"Ada Lovelace":["ada"]}}`
	u := utterance("en", "hello", "ada")
	before, _ := json.Marshal(u)
	l := live(t, `{"realtime_processing":{`+spelled+`}}`, addontest.Providers{}.Table())
	got := l.Rewrite(u)
	if got.Text != " hello Ada Lovelace" || len(got.Words) != 3 || got.Start != 1 || got.End != 3 ||
		got.Words[1].End != got.Words[2].Start {
		t.Errorf("got %+v", got)
	}
	for _, w := range got.Words {
		if w.Start != rounded(w.Start) || w.End != rounded(w.End) {
			t.Errorf("times of %q beyond the millisecond: %v %v", w.Word, w.Start, w.End)
		}
	}
	if after, _ := json.Marshal(u); string(after) != string(before) {
		t.Errorf("the one given became %s", after)
	}
	if got := live(t, `{"realtime_processing":{"custom_spelling":false,`+strings.TrimPrefix(spelled,
		`"custom_spelling":true,`)+`}}`, addontest.Providers{}.Table()).Rewrite(u); got.Text != u.Text {
		t.Errorf("nobody asked for %q", got.Text)
	}
	if got := l.Rewrite(messages.Utterance{}); got.Text != "" || got.Words != nil {
		t.Errorf("nothing became %+v", got)
	}
	table := addon.Table{Addons: []addon.Addon{rewriter(nil)}}
	if got := live(t, `{}`, &table).Rewrite(u); got.Text != u.Text {
		t.Errorf("after a panic: %+v", got)
	}
}

// An add-on whose messages are missing from the log has failed.
func TestMessagesMissingFromTheLog(t *testing.T) {
	l := live(t, everyStep, embedded())
	u := utterance("en", "hello")
	r := messages.LiveResult{Transcription: messages.Transcription{FullTranscript: "hello",
		Utterances: []messages.Utterance{u}}}
	l.Results().Put(&r, []string{"00_00000000"})
	for name, got := range map[string]*messages.AddonError{
		"translation": r.Translation.Error, "french": r.Translation.Results[0].Error,
		"entities": r.NamedEntityRecognition.Error, "sentiments": r.SentimentAnalysis.Error,
	} {
		if got == nil || got.StatusCode != 500 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
