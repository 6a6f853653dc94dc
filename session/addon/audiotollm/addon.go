// Package audiotollm is the add-on that puts a request's prompts about the transcript to a language
// model.
package audiotollm

import (
	"cmp"
	"context"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/llm"
	"steno/session/panics"
)

const name = "audio_to_llm"

// Query is a prompt about utterances for a language model, by its name; empty: the provider's own
// choice.
type Query struct {
	Utterances []messages.Utterance
	Prompt     messages.Prompt
	Model      string
}

// Provider answers a prompt.
type Provider = addon.Provider[Query, string]

// Addon is audio_to_llm.
type Addon struct {
	provider Provider
	model    string // that answers where none is asked for; empty: not known
}

// NewAddon returns the add-on; without a language model it is not available.
func NewAddon(model *llm.Client) Addon {
	if model == nil {
		return Addon{}
	}
	return Addon{model: model.Model(), provider: Provider{Name: addon.LanguageModel, Do: func(ctx context.Context,
		q Query) (string, error) {
		t, _ := llm.TranscriptOf(q.Utterances)
		return model.Ask(ctx, t, q.Prompt, q.Model)
	}}}
}

// WithProvider returns the add-on with a provider.
func WithProvider(p Provider) Addon { return Addon{provider: p} }

// Name implements [addon.Addon].
func (Addon) Name() string { return name }

// Offer implements [addon.Addon].
func (a Addon) Offer(context.Context) messages.Addon {
	return addon.Offer(name, addon.PreRecordedOnly, a.provider.Name)
}

// Complete implements [addon.RequestCompleter]: it names the model.
func (a Addon) Complete(q *messages.PreRecordedRequest) {
	if q.AudioToLLM && q.AudioToLLMConfig != nil && q.AudioToLLMConfig.Model == "" {
		config := *q.AudioToLLMConfig
		config.Model = a.model
		q.AudioToLLMConfig = &config
	}
}

// Remote implements [addon.RemoteWorker].
func (Addon) Remote(q *messages.PreRecordedRequest) bool { return q.AudioToLLM }

// Analyze implements [addon.TranscriptAnalyzer]. All prompts are asked at the same time.
func (a Addon) Analyze(ctx context.Context, j *addon.Job, result *messages.PreRecordedResult) {
	if !j.Request.AudioToLLM {
		return
	}
	c := j.Request.AudioToLLMConfig
	if c == nil {
		c = &messages.AudioToLLMConfig{}
	}
	began := j.Clock.Now()
	answers := make(messages.List[messages.AudioToLLM], len(c.Prompts))
	var running panics.Group
	for i, p := range c.Prompts {
		running.Go(func() { answers[i] = a.answer(ctx, j, p, c.Model) })
	}
	running.Wait()
	empty, failed := true, (*messages.AddonError)(nil)
	for _, answer := range answers {
		empty, failed = empty && answer.IsEmpty, cmp.Or(failed, answer.Error)
	}
	result.AudioToLLM = addon.Wrap(j.Since(began), answers, empty, failed)
}

// answer asks one prompt. Without an answer the result still has the prompt.
func (a Addon) answer(ctx context.Context, j *addon.Job, p messages.Prompt, model string) messages.AudioToLLM {
	out := addon.WholeText(ctx, j.Runner, name, a.provider, Query{j.Utterances, p, model})
	return messages.AudioToLLM{
		Success: out.Success, IsEmpty: out.IsEmpty, ExecTime: out.ExecTime, Error: out.Error,
		Results: &messages.LLMAnswer{Prompt: new(p.Text()), Response: out.Results},
	}
}
