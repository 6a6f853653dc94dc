package addon_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/addontest"
	"steno/session/addon/remote"
)

// partial are ways of which each fails for what has to do with the bad, and does the rest.
func partial() *addon.Table {
	fails := func(text string) error {
		if strings.Contains(text, "bad") {
			return remote.NewError(502, "Broken", "it broke for the bad", errors.New("cause"))
		}
		return nil
	}
	w := addontest.Embedded()
	w.Translate = func(_ context.Context, us []messages.Utterance, target string,
		_ messages.TranslationConfig) ([]messages.Utterance, error) {
		good := slices.DeleteFunc(slices.Clone(us), func(u messages.Utterance) bool {
			return target == "fr" &&
				fails(u.Text) != nil
		})
		if len(good) == 0 || len(good) < len(us) {
			return good, fails("bad")
		}
		return good, nil
	}
	w.Entities = func(_ context.Context, u messages.Utterance) ([]messages.Entity, error) {
		return []messages.Entity{{EntityType: "NAME", Text: u.Text, Start: u.Start, End: u.End}}, fails(u.Text)
	}
	w.Sentiments = func(_ context.Context, us []messages.Utterance) (list []messages.Sentiment, first error) {
		for _, u := range us {
			if err := fails(u.Text); err != nil {
				first = err
				continue
			}
			list = append(list, messages.Sentiment{Sentiment: "positive", Text: u.Text, Start: u.Start, End: u.End})
		}
		return list, first
	}
	w.Ask = func(_ context.Context, _ []messages.Utterance, p messages.Prompt, _ string) (string, error) {
		if err := fails(p.Text()); err != nil {
			return "", err
		}
		return "an answer", nil
	}
	w.Summarize = func(context.Context, []messages.Utterance, string) (string, error) { return "", fails("bad") }
	w.Names = func(context.Context, []messages.Utterance) (string, error) { return "", fails("bad") }
	w.StructuredData = func(context.Context, []messages.Utterance, []string) (string, error) { return "", fails("bad") }
	w.Chapters = func(context.Context, []messages.Utterance) ([]messages.Chapter, error) { return nil, fails("bad") }
	return w.Table()
}

// wrapper is the result of an add-on as clients see it.
type wrapper struct {
	Success bool                 `json:"success"`
	IsEmpty bool                 `json:"is_empty"`
	Error   *messages.AddonError `json:"error"`
	Results json.RawMessage      `json:"results"`
}

// wrappersOf are the add-ons of a result, by name.
func wrappersOf(t *testing.T, result any) map[string]wrapper {
	t.Helper()
	text, err := json.Marshal(result)
	var fields map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	all := map[string]wrapper{}
	for name, field := range fields {
		var w wrapper
		if name != "metadata" && name != "transcription" && name != "messages" && err == nil {
			err = json.Unmarshal(field, &w)
			all[name] = w
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// expectPartial checks that each add-on reports an error beside its incomplete results.
func expectPartial(t *testing.T, where string, got map[string]wrapper, want map[string][]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d add-ons, want %d", where, len(got), len(want))
	}
	for name, parts := range want {
		w := got[name]
		if w.Success || w.Error == nil || w.Error.Exception != "Broken" || w.IsEmpty {
			t.Errorf("%s, %s: %+v, %s", where, name, w, w.Results)
		}
		for _, part := range parts {
			if !strings.Contains(string(w.Results), part) {
				t.Errorf("%s, %s lacks %s: %s", where, name, part, w.Results)
			}
		}
		if len(parts) == 0 && string(w.Results) != "null" && string(w.Results) != "[]" {
			t.Errorf("%s, %s: %s", where, name, w.Results)
		}
	}
}

// What fails in part tells so in one way, whatever the add-on: in jobs and in live sessions. Of
// what failed, the language, the prompt and the sentence are there.
func TestPartialFailures(t *testing.T) {
	us := heard("a good one", "a bad one", "another good one")
	shared := map[string][]string{
		"translation": {`"full_transcript":"a good one another good one","languages":["fr"]`,
			`"full_transcript":"a good one a bad one another good one","languages":["de"]`},
		"named_entity_recognition": {`" a good one"`, `" another good one"`},
		"sentiment_analysis": {`\"positive\",\"emotion\":\"\",\"text\":\" another good one\"`,
			`\"unknown\",\"emotion\":\"neutral\",\"text\":\"a bad one\",\"start\":21`},
		"summarization": nil, "chapterization": nil,
	}
	l := live(t, `{"realtime_processing":{"translation":true,"translation_config":{"target_languages":["fr","de"]},"named_entity_recognition":true,
		"sentiment_analysis":true},"post_processing":{"summarization":true,"chapterization":true}}`, partial())
	expectPartial(t, "live", wrappersOf(t, liveResult(t, l, us)), shared)

	job := recorded(t, partial(), `"translation":true,"translation_config":{"target_languages":["fr","de"]},"named_entity_recognition":true,
		"sentiment_analysis":true,"summarization":true,"chapterization":true,"name_consistency":true,
		"structured_data_extraction":true,"structured_data_extraction_config":{"classes":["price"]},
		"audio_to_llm":true,"audio_to_llm_config":{"prompts":["a bad question","a good question"]}`, us...)
	shared["name_consistency"], shared["structured_data_extraction"] = nil, nil
	shared["audio_to_llm"] = []string{`"results":{"prompt":"a bad question","response":null}`,
		`"results":{"prompt":"a good question","response":"an answer"}`}
	expectPartial(t, "job", wrappersOf(t, job), shared)
	if first := job.AudioToLLM.Results[0]; first.Success || first.Error == nil || !job.AudioToLLM.Results[1].Success {
		t.Errorf("answers %+v", job.AudioToLLM.Results)
	}
}

// add adds an event as a log holds it.
func add(t *testing.T, r *addon.LiveResults, e messages.Event) {
	t.Helper()
	m, err := e.Decode()
	if err != nil {
		t.Fatal(err)
	}
	r.Add(e.Key, m)
}

// liveResult returns the results of a session's add-ons.
func liveResult(t *testing.T, l *addon.Live, us []messages.Utterance) messages.LiveResult {
	t.Helper()
	a := l.Results()
	var ids []string
	for i, u := range us {
		ids = append(ids, messages.UtteranceID(0, int64(i)))
		for _, s := range l.Steps(ids[i], u) {
			add(t, a, messages.Event{Key: s.Key, Body: []byte(text(done(t, s)))})
		}
	}
	r := messages.LiveResult{Transcription: messages.Transcription{Utterances: us}}
	a.Put(&r, ids)
	if err := a.Finish(t.Context(), &r, func(messages.Message) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return r
}

// An add-on without a provider returns an error for each thing that was requested.
func TestUnavailable(t *testing.T) {
	job := recorded(t, addontest.Providers{}.Table(), `"translation":true,"translation_config":{"target_languages":["fr","de"]},
		"audio_to_llm":true,"audio_to_llm_config":{"prompts":["Who?"]}`, heard("hello")...)
	if got := job.Translation; got.Success || len(got.Results) != 2 || got.Results[1].Languages[0] != "de" ||
		got.Results[1].Error.StatusCode != 501 {
		t.Errorf("translation %+v", got)
	}
	if got := job.AudioToLLM; got.Success || len(got.Results) != 1 || *got.Results[0].Results.Prompt != "Who?" ||
		got.Results[0].Error.StatusCode != 501 {
		t.Errorf("answers %+v", got)
	}
	l := live(t, `{"realtime_processing":{"translation":true,"translation_config":{"target_languages":["fr"]}}}`,
		addontest.Providers{}.Table())
	if got := liveResult(t, l, nil).Translation; got.Success || len(got.Results) != 1 || got.Error.StatusCode != 501 ||
		got.Results[0].Error == nil {
		t.Errorf("live %+v", got)
	}
}
