package addon_test

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/addontest"
	"steno/session/addon/llm"
	"steno/session/addon/registry"
	"steno/session/addon/translate"
)

// offers are the add-ons offered, as JSON by name.
func offers(t *testing.T, w *addon.Table) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, a := range w.Offers(t.Context()) {
		text, err := json.Marshal(a)
		if err != nil || all[a.Name] != "" {
			t.Fatalf("%s: %v, before %s", a.Name, err, all[a.Name])
		}
		all[a.Name] = string(text)
	}
	return all
}

func TestOffered(t *testing.T) {
	model, err := llm.New(llm.Config{URL: "http://127.0.0.1:1", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	punctuated := registry.Services{Punctuation: func(context.Context, string, string) (string, error) {
		return "",
			nil
	}}
	served := registry.Services{
		LLM: model, LLMUses: []string{"summarization", "translation"}, RedactionLLM: model,
		Translators: []translate.Translator{translate.LLM(model)},
	}
	const no = `"available":false,"by":[]`
	for name, c := range map[string]struct {
		table *addon.Table
		want  map[string]string // parts
	}{
		"nothing": {addontest.Providers{}.Table(), map[string]string{
			"summarization": no, "translation": no, "audio_to_llm": no, "chapterization": no,
			"subtitles":     `"modes":["pre-recorded"],"available":true,"by":["embedded"]`,
			"pii_redaction": `"by":["embedded"]`,
		}},
		"embedded": {registry.New(punctuated, addon.Runner{}), map[string]string{
			"summarization":            `"modes":["live","pre-recorded"],"available":true,"by":["embedded"]`,
			"named_entity_recognition": `"by":["embedded"]`,
			"chapterization":           `"modes":["live","pre-recorded"],"available":true`, "name_consistency": no,
			"translation":          no,
			"punctuation_enhanced": `"by":["engine","embedded"]`,
		}},
		"model": {registry.New(served, addon.Runner{}), map[string]string{
			"summarization": `"by":["llm"]`, "sentiment_analysis": `"by":["embedded"]`,
			"audio_to_llm":  `"available":true,"by":["llm"]`,
			"pii_redaction": `"by":["llm","embedded"]`,
			"translation":   `"available":true,"by":["llm"],"translators":[{"name":"llm","any":true}]`,
		}},
	} {
		got := offers(t, c.table)
		for addon, part := range c.want {
			if !strings.Contains(got[addon], part) {
				t.Errorf("%s: %s, want %s", name, got[addon], part)
			}
		}
	}
}

// Every switch of a request is an add-on that is offered for its kind of job, and nothing else is.
func TestAllAreOffered(t *testing.T) {
	want := map[string][]string{}
	for mode, requests := range map[string][]any{
		"live":         {messages.RealtimeProcessing{}, messages.PostProcessing{}},
		"pre-recorded": {messages.PreRecordedRequest{}},
	} {
		for _, r := range requests {
			for f := range reflect.TypeOf(r).Fields() {
				if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.Type.Kind() == reflect.Bool &&
					name != "callback" && name != "strict" {
					want[name] = append(want[name], mode)
				}
			}
		}
	}
	for _, a := range embedded().Offers(t.Context()) {
		modes := want[a.Name]
		if slices.Sort(modes); !slices.Equal(modes, a.Modes) {
			t.Errorf("%s is offered for %v, want %v", a.Name, a.Modes, modes)
		}
		delete(want, a.Name)
	}
	if len(want) > 0 {
		t.Errorf("not offered: %v", want)
	}
}
