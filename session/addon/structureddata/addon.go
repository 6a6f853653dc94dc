// Package structureddata is the add-on that extracts data of given classes from a transcript, by a
// language model.
package structureddata

import (
	"context"
	"encoding/json"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/llm"
)

const name = "structured_data_extraction"

// Query asks for the data of some classes.
type Query struct {
	Utterances []messages.Utterance
	Classes    []string
}

// Provider returns the JSON text of an object with a list for each class.
type Provider = addon.Provider[Query, string]

// Addon is structured_data_extraction.
type Addon struct{ provider Provider }

// NewAddon returns the add-on; without a language model it is not available.
func NewAddon(model *llm.Client) Addon {
	if model == nil {
		return Addon{}
	}
	return WithProvider(Provider{Name: addon.LanguageModel, Do: func(ctx context.Context, q Query) (string, error) {
		t, _ := llm.TranscriptOf(q.Utterances)
		return FromModel(ctx, model, t, q.Classes)
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
func (Addon) Remote(q *messages.PreRecordedRequest) bool { return q.StructuredDataExtraction }

// Analyze implements [addon.TranscriptAnalyzer].
func (a Addon) Analyze(ctx context.Context, j *addon.Job, result *messages.PreRecordedResult) {
	q := j.Request
	if !q.StructuredDataExtraction {
		return
	}
	out := addon.WholeText(ctx, j.Runner, name, a.provider,
		Query{j.Utterances, q.StructuredDataExtractionConfig.Classes})
	out.IsEmpty = out.IsEmpty || out.Success && empty(*out.Results)
	result.StructuredDataExtraction = out
}

// empty reports whether data is an object of classes that are all empty.
func empty(data string) bool {
	var classes map[string][]json.RawMessage
	if json.Unmarshal([]byte(data), &classes) != nil {
		return false
	}
	for _, values := range classes {
		if len(values) > 0 {
			return false
		}
	}
	return true
}
