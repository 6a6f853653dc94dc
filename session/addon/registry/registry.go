// Package registry lists the add-ons of the API.
package registry

import (
	"slices"

	"steno/session/addon"
	"steno/session/addon/audiotollm"
	"steno/session/addon/chapters"
	"steno/session/addon/diarization"
	"steno/session/addon/entities"
	"steno/session/addon/llm"
	"steno/session/addon/nameconsistency"
	"steno/session/addon/punctuation"
	"steno/session/addon/redact"
	"steno/session/addon/sentences"
	"steno/session/addon/sentiment"
	"steno/session/addon/spelling"
	"steno/session/addon/structureddata"
	"steno/session/addon/subtitles"
	"steno/session/addon/summary"
	"steno/session/addon/translate"
	"steno/session/addon/vocabulary"
)

// Services are what add-ons may use beside what is embedded. The zero value is that there is
// nothing.
type Services struct {
	// LLM is a language model. It does the add-ons that nothing else can do, and those of LLMUses
	// in the place of what is embedded: summarization, chapterization, sentiment_analysis and
	// named_entity_recognition.
	LLM     *llm.Client
	LLMUses []string
	// RedactionLLM is a language model that may read what is to be redacted.
	RedactionLLM *llm.Client
	// Translators translate, the preferred one first.
	Translators []translate.Translator
	// Diarization is true if engines may have models for diarization.
	Diarization bool
	// Punctuation punctuates by an engine's models.
	Punctuation punctuation.Model
}

// New returns the table of all add-ons with their providers. They are run with the runner's times
// and clock.
func New(s Services, r addon.Runner) *addon.Table {
	return &addon.Table{Runner: r, Addons: []addon.Addon{
		vocabulary.Addon{},
		spelling.Addon{},
		diarization.Addon{Engine: s.Diarization},
		subtitles.Addon{},
		sentences.Addon{},
		sentences.DisplayMode{},
		punctuation.NewAddon(s.Punctuation),
		redact.NewAddon(s.RedactionLLM),
		entities.NewAddon(s.llmFor(entities.Name)),
		sentiment.NewAddon(s.llmFor(sentiment.Name)),
		summary.NewAddon(s.llmFor(summary.Name)),
		chapters.NewAddon(s.llmFor(chapters.Name)),
		audiotollm.NewAddon(s.LLM),
		structureddata.NewAddon(s.LLM),
		nameconsistency.NewAddon(s.LLM),
		translate.NewAddon(s.Translators...),
	}}
}

// llmFor returns the language model if it is to do the add-on, else nil.
func (s Services) llmFor(name string) *llm.Client {
	if slices.Contains(s.LLMUses, name) {
		return s.LLM
	}
	return nil
}
