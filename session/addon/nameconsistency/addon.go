// Package nameconsistency is the add-on that finds names which a transcript writes in several ways,
// by a language model.
package nameconsistency

import (
	"context"
	"encoding/json"
	"fmt"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/llm"
)

const name = "name_consistency"

// Provider returns the JSON text of an array with an object for each name: the right form and its
// variants. The text is empty if there is none.
type Provider = addon.Provider[[]messages.Utterance, string]

// Addon is name_consistency.
type Addon struct{ provider Provider }

// NewAddon returns the add-on; without a language model it is not available.
func NewAddon(model *llm.Client) Addon {
	if model == nil {
		return Addon{}
	}
	return WithProvider(Provider{Name: addon.LanguageModel, Do: func(ctx context.Context,
		us []messages.Utterance) (string, error) {
		return byModel(ctx, model, us)
	}})
}

// WithProvider returns the add-on with a provider.
func WithProvider(p Provider) Addon { return Addon{p} }

// Name implements [addon.Addon].
func (Addon) Name() string { return name }

// Offer implements [addon.Addon].
func (a Addon) Offer(context.Context) messages.Addon {
	return addon.Offer(name, addon.PreRecordedOnly, a.provider.Name)
}

// Remote implements [addon.RemoteWorker].
func (Addon) Remote(q *messages.PreRecordedRequest) bool { return q.NameConsistency }

// Analyze implements [addon.TranscriptAnalyzer].
func (a Addon) Analyze(ctx context.Context, j *addon.Job, result *messages.PreRecordedResult) {
	if j.Request.NameConsistency {
		result.NameConsistency = addon.WholeText(ctx, j.Runner, name, a.provider, j.Utterances)
	}
}

func byModel(ctx context.Context, model *llm.Client, us []messages.Utterance) (string, error) {
	t, _ := llm.TranscriptOf(us)
	names, err := FromModel(ctx, model, t)
	if err != nil || len(names) == 0 {
		return "", err
	}
	type consistent struct {
		Name     string   `json:"name"`
		Variants []string `json:"variants"`
	}
	list := make([]consistent, len(names))
	for i, n := range names {
		list[i] = consistent(n)
	}
	text, err := json.Marshal(list)
	if err != nil {
		return "", fmt.Errorf("encode names: %w", err)
	}
	return string(text), nil
}
