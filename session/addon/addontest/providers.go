// Package addontest makes tables of add-ons for tests, with the providers of the test.
package addontest

import (
	"context"
	"slices"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/audiotollm"
	"steno/session/addon/chapters"
	"steno/session/addon/entities"
	"steno/session/addon/nameconsistency"
	"steno/session/addon/redact"
	"steno/session/addon/registry"
	"steno/session/addon/sentiment"
	"steno/session/addon/structureddata"
	"steno/session/addon/summary"
	"steno/session/addon/translate"
)

// Providers are the functions that do the add-ons. An add-on whose function is nil has no provider.
type Providers struct {
	Entities   func(ctx context.Context, u messages.Utterance) ([]messages.Entity, error)
	FindPII    func(ctx context.Context, u messages.Utterance, types []string) ([]entities.Found, error)
	Sentiments func(ctx context.Context, us []messages.Utterance) ([]messages.Sentiment, error)
	Translate  func(ctx context.Context, us []messages.Utterance, target string,
		c messages.TranslationConfig) ([]messages.Utterance, error)
	Summarize      func(ctx context.Context, us []messages.Utterance, kind string) (string, error)
	Chapters       func(ctx context.Context, us []messages.Utterance) ([]messages.Chapter, error)
	Ask            func(ctx context.Context, us []messages.Utterance, p messages.Prompt, model string) (string, error)
	StructuredData func(ctx context.Context, us []messages.Utterance, classes []string) (string, error)
	Names          func(ctx context.Context, us []messages.Utterance) (string, error)
	Punctuate      func(ctx context.Context, text, language string) (string, error)
	Diarization    bool // engines may have models for it
	// Declared are further add-ons.
	Declared []addon.Addon

	addon.Runner
}

// Embedded are the providers that are embedded.
func Embedded() Providers {
	reader := sentiment.Default()
	return Providers{
		Entities: func(_ context.Context, u messages.Utterance) ([]messages.Entity, error) {
			return entities.Of(u),
				nil
		},
		Sentiments: func(_ context.Context, us []messages.Utterance) ([]messages.Sentiment, error) {
			return reader.Analyse(us), nil
		},
		Summarize: func(_ context.Context, us []messages.Utterance, kind string) (string, error) {
			text, _ := summary.Extract(us, kind)
			return text, nil
		},
		Chapters: func(_ context.Context, us []messages.Utterance) ([]messages.Chapter, error) {
			return chapters.Split(us), nil
		},
	}
}

// Table returns all add-ons, done by these providers.
func (p Providers) Table() *addon.Table {
	table := registry.New(registry.Services{Punctuation: p.Punctuate, Diarization: p.Diarization}, p.Runner)
	table.Addons = append(table.Addons, p.Declared...)
	return Replace(table,
		entities.WithProvider(provider(addon.Embedded, p.Entities != nil, p.Entities)),
		redact.WithProvider(provider(addon.LanguageModel, p.FindPII != nil, func(ctx context.Context,
			q redact.Query) ([]entities.Found, error) {
			return p.FindPII(ctx, q.Utterance, q.Types)
		})),
		sentiment.WithProvider(provider(addon.Embedded, p.Sentiments != nil, p.Sentiments)),
		translate.WithProvider(provider("test", p.Translate != nil, func(ctx context.Context,
			q translate.Query) ([]messages.Utterance, error) {
			return p.Translate(ctx, q.Utterances, q.Target, q.Config)
		})),
		summary.WithProvider(provider(addon.Embedded, p.Summarize != nil, func(ctx context.Context,
			q summary.Query) (string, error) {
			return p.Summarize(ctx, q.Utterances, q.Kind)
		})),
		chapters.WithProvider(provider(addon.Embedded, p.Chapters != nil, func(ctx context.Context,
			us []messages.Utterance) (messages.List[messages.Chapter], error) {
			return p.Chapters(ctx, us)
		})),
		audiotollm.WithProvider(provider(addon.LanguageModel, p.Ask != nil, func(ctx context.Context,
			q audiotollm.Query) (string, error) {
			return p.Ask(ctx, q.Utterances, q.Prompt, q.Model)
		})),
		structureddata.WithProvider(provider(addon.LanguageModel, p.StructuredData != nil, func(ctx context.Context,
			q structureddata.Query) (string, error) {
			return p.StructuredData(ctx, q.Utterances, q.Classes)
		})),
		nameconsistency.WithProvider(provider(addon.LanguageModel, p.Names != nil, p.Names)),
	)
}

// provider is the zero provider unless there is a function.
func provider[In, Out any](name string, available bool, do func(context.Context, In) (Out, error)) addon.Provider[In,
	Out] {
	if !available {
		return addon.Provider[In, Out]{}
	}
	return addon.Provider[In, Out]{Name: name, Do: do}
}

// Replace returns a copy of a table with other add-ons in the places of those with their names.
func Replace(t *addon.Table, with ...addon.Addon) *addon.Table {
	changed := *t
	changed.Addons = slices.Clone(t.Addons)
	for i, old := range changed.Addons {
		for _, a := range with {
			if a.Name() == old.Name() {
				changed.Addons[i] = a
			}
		}
	}
	return &changed
}
