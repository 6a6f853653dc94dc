package admission

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"steno/messages"
)

// engineOf is a catalogue with one engine for English and German.
type engineOf struct{ partials bool }

func (e engineOf) Model(context.Context, string) (messages.Model, bool) {
	both := messages.List[string]{"en", "de"}
	return messages.Model{Model: "stt-1", Languages: both, Engines: messages.List[messages.Engine]{{
		Name: "parrot", Available: true, Languages: both,
		Models: messages.List[messages.EngineModel]{{Name: "a", Languages: both, Partials: e.partials}},
	}}}, true
}

// offers are add-ons of which one is not there, and a translator that knows few languages.
func offers(context.Context) []messages.Addon {
	return []messages.Addon{
		{Name: "sentiment_analysis", Available: true}, {Name: "summarization"}, {Name: "audio_to_llm"},
		{Name: "translation", Available: true, Translators: messages.List[messages.AddonTranslator]{
			{Name: "dictionary", Pairs: map[string]messages.List[string]{"en": {"fr", "es"}, "it": {"ja"}}},
		}},
	}
}

func TestWhatWillNotComeIsSaidAtCreation(t *testing.T) {
	translation := func(to string) string {
		return `{"realtime_processing":{"translation":true,"translation_config":{"target_languages":[` + to + `]}}}`
	}
	const targets = "realtime_processing.translation_config.target_languages"
	for body, want := range map[string][]string{
		`{}`: nil,
		`{"messages_config":{"receive_partial_transcripts":true}}`:                                           {"messages_config.receive_partial_transcripts"},
		`{"callback":true,"callback_config":{"url":"http://a.example/","receive_partial_transcripts":true}}`: {"callback_config.receive_partial_transcripts"},
		`{"realtime_processing":{"sentiment_analysis":true},"post_processing":{"summarization":true}}`:       {"post_processing.summarization"},
		translation(`"fr","es"`): nil, translation(`"fr","ja"`): {targets}, translation(`"en"`): nil,
		translation(`"de"`): {targets},
		`{"language_config":{"languages":["de","en"]},` + translation(`"fr"`)[1:]: {"language_config.languages",
			targets},
		`{"language_config":{"languages":["de"]},` + translation(`"fr"`)[1:]: {targets},
	} {
		for _, strict := range []bool{false, true} {
			r, fault := messages.ParseLive([]byte(body))
			if fault != nil {
				t.Fatal(fault)
			}
			p := Policy{Models: engineOf{}, Offers: offers, Strict: strict}
			_, warnings, err := p.Accept(httptest.NewRequest("POST", "/v2/live", nil), Live(r))
			if !strict && (err != nil || !slices.Equal(warnings.Names(), append([]string{}, want...))) {
				t.Errorf("%s: %v, %v, want %v", body, warnings, err, want)
			}
			if refused, _ := err.(*messages.Problem); strict && (refused != nil) != (want != nil) || refused != nil &&
				(refused.Status != 400 || !strings.Contains(refused.ValidationErrors[0], want[0])) {
				t.Errorf("%s, strict: %v", body, err)
			}
		}
	}
	r, _ := messages.ParseLive([]byte(`{"messages_config":{"receive_partial_transcripts":true}}`))
	p := Policy{Models: engineOf{partials: true}, Offers: offers}
	if _, warnings, err := p.Accept(httptest.NewRequest("POST", "/v2/live", nil), Live(r)); err != nil ||
		len(warnings) != 0 {
		t.Errorf("with partials: %v, %v", warnings, err)
	}
	q, fault := messages.ParsePreRecorded([]byte(`{"audio_url":"http://a.example/","audio_to_llm":true,"audio_to_llm_config":{"prompts":["a"]},"summarization":true,"sentiment_analysis":true}`))
	if fault != nil {
		t.Fatal(fault)
	}
	if _, warnings, err := p.Accept(httptest.NewRequest("POST", "/v2/pre-recorded", nil), PreRecorded(q)); err !=
		nil || !slices.Equal(warnings.Names(), []string{"audio_to_llm", "summarization"}) {
		t.Errorf("recorded: %v, %v", warnings, err)
	}
}
