package summary

import (
	"context"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/llm"
	"steno/session/addon/remote"
)

// Name is the add-on's name.
const Name = "summarization"

// Query is what a provider summarizes: utterances, and the kind of summary as in
// [messages.SummarizationConfig].
type Query struct {
	Utterances []messages.Utterance
	Kind       string
}

// Provider summarizes.
type Provider = addon.Provider[Query, string]

// Addon is summarization.
type Addon struct{ provider Provider }

// NewAddon returns the add-on, done by a language model if there is one, else by what is embedded.
func NewAddon(model *llm.Client) Addon {
	if model == nil {
		return WithProvider(Provider{Name: addon.Embedded, Do: func(_ context.Context, q Query) (string, error) {
			text, _ := Extract(q.Utterances, q.Kind)
			return text, nil
		}})
	}
	return WithProvider(Provider{Name: addon.LanguageModel, Do: func(ctx context.Context, q Query) (string, error) {
		t, _ := llm.TranscriptOf(q.Utterances)
		return FromModel(ctx, model, t, q.Kind)
	}})
}

// WithProvider returns the add-on with a provider.
func WithProvider(p Provider) Addon { return Addon{p} }

// Name implements [addon.Addon].
func (Addon) Name() string { return Name }

// Offer implements [addon.Addon].
func (a Addon) Offer(context.Context) messages.Addon {
	return addon.Offer(Name, addon.LiveAndPreRecorded, a.provider.Name)
}

// Remote implements [addon.RemoteWorker].
func (a Addon) Remote(q *messages.PreRecordedRequest) bool {
	return q.Summarization && a.provider.Remote()
}

// Analyze implements [addon.TranscriptAnalyzer].
func (a Addon) Analyze(ctx context.Context, j *addon.Job, result *messages.PreRecordedResult) {
	if q := j.Request; q.Summarization {
		result.Summarization = addon.WholeText(ctx, j.Runner, Name, a.provider,
			Query{j.Utterances, q.SummarizationConfig.Type})
	}
}

// PostProcess implements [addon.PostProcessor].
func (a Addon) PostProcess(q *messages.LiveRequest, r *addon.Runner) addon.PostWork {
	if !q.PostProcessing.Summarization {
		return nil
	}
	return &postWork{addon: a, runner: r, kind: q.PostProcessing.SummarizationConfig.Type}
}

// postWork is the summary of one live session.
type postWork struct {
	addon  Addon
	runner *addon.Runner
	kind   string
	logged *messages.AddonResult[*string] // nil: not in the log
}

// Add implements [addon.PostWork].
func (w *postWork) Add(m messages.Message) {
	logged, ok := m.(messages.PostSummarization)
	switch {
	case !ok:
	case logged.Error != nil:
		w.logged = addon.Wrap[*string](0, nil, true, logged.Error)
	default:
		text := ""
		if logged.Results != nil {
			text = *logged.Results
		}
		w.logged = addon.Wrap(0, &text, text == "", nil)
	}
}

// Finish implements [addon.PostWork].
func (w *postWork) Finish(ctx context.Context, r *messages.LiveResult) messages.Message {
	r.Summarization = w.result(ctx, r.Transcription.Utterances)
	return messages.PostSummarization{Results: r.Summarization.Results, Error: r.Summarization.Error}
}

func (w *postWork) result(ctx context.Context, us []messages.Utterance) *messages.AddonResult[*string] {
	switch {
	case w.logged != nil:
		return w.logged
	case len(us) == 0 && w.addon.provider.Available():
		return addon.Wrap(0, new(string), true, nil)
	}
	return addon.WholeText(remote.WithPriority(ctx, remote.Soon), w.runner, Name, w.addon.provider, Query{us, w.kind})
}
