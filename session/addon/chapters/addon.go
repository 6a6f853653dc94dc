package chapters

import (
	"context"
	"slices"
	"strings"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/llm"
	"steno/session/addon/remote"
)

// Name is the add-on's name.
const Name = "chapterization"

type list = messages.List[messages.Chapter]

// Provider divides utterances into chapters, in order.
type Provider = addon.Provider[[]messages.Utterance, messages.List[messages.Chapter]]

// Addon is chapterization.
type Addon struct{ provider Provider }

// NewAddon returns the add-on, done by a language model if there is one, else by what is embedded.
func NewAddon(model *llm.Client) Addon {
	if model == nil {
		return WithProvider(Provider{Name: addon.Embedded, Do: func(_ context.Context, us []messages.Utterance) (list,
			error) {
			return Split(us), nil
		}})
	}
	return WithProvider(Provider{Name: addon.LanguageModel, Do: func(ctx context.Context,
		us []messages.Utterance) (list, error) {
		return byModel(ctx, model, us)
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
	return q.Chapterization && a.provider.Remote()
}

// Analyze implements [addon.TranscriptAnalyzer].
func (a Addon) Analyze(ctx context.Context, j *addon.Job, result *messages.PreRecordedResult) {
	if j.Request.Chapterization {
		result.Chapterization = a.whole(ctx, j.Runner, j.Utterances)
	}
}

// whole divides a whole transcript. A provider is not asked about an empty one.
func (a Addon) whole(ctx context.Context, r *addon.Runner, us []messages.Utterance) *messages.AddonResult[list] {
	if len(us) == 0 && a.provider.Available() {
		return addon.Wrap[list](0, nil, true, nil)
	}
	return addon.Whole(ctx, r, Name, a.provider, us, addon.IsEmpty)
}

// PostProcess implements [addon.PostProcessor].
func (a Addon) PostProcess(q *messages.LiveRequest, r *addon.Runner) addon.PostWork {
	if !q.PostProcessing.Chapterization {
		return nil
	}
	return &postWork{addon: a, runner: r}
}

// postWork is the chapters of one live session.
type postWork struct {
	addon  Addon
	runner *addon.Runner
	logged *messages.AddonResult[list] // nil: not in the log
}

// Add implements [addon.PostWork].
func (w *postWork) Add(m messages.Message) {
	if m, ok := m.(messages.PostChapterization); ok {
		w.logged = addon.Wrap(0, m.Results, len(m.Results) == 0, m.Error)
	}
}

// Finish implements [addon.PostWork].
func (w *postWork) Finish(ctx context.Context, r *messages.LiveResult) messages.Message {
	r.Chapterization = w.result(ctx, r.Transcription.Utterances)
	return messages.PostChapterization{Results: r.Chapterization.Results, Error: r.Chapterization.Error}
}

// result returns the chapters of the log if they are complete: in a message that would have been
// too long some words are missing. Otherwise the chapters are made again, and if that fails they
// are those of the log.
func (w *postWork) result(ctx context.Context, us []messages.Utterance) *messages.AddonResult[list] {
	if w.logged != nil && (w.logged.Error != nil || len(us) == 0 || complete(w.logged.Results)) {
		return w.logged
	}
	made := w.addon.whole(remote.WithPriority(ctx, remote.Soon), w.runner, us)
	if made.Error != nil && w.logged != nil {
		return w.logged
	}
	return made
}

// complete reports whether chapters have all their words.
func complete(chapters list) bool {
	wordless := func(s messages.ChapterSentence) bool { return len(s.Words) == 0 }
	return len(chapters) > 0 && !slices.ContainsFunc(chapters, func(c messages.Chapter) bool {
		return len(c.Sentences) == 0 || slices.ContainsFunc(c.Sentences, wordless)
	})
}

// byModel divides utterances by a language model and sets the times of its chapters to those of
// their sentences.
func byModel(ctx context.Context, model *llm.Client, us []messages.Utterance) (list, error) {
	t, all := llm.TranscriptOf(us)
	parts, err := FromModel(ctx, model, t)
	if err != nil {
		return nil, err
	}
	chapters := make(list, 0, len(parts))
	for _, p := range parts {
		c := messages.Chapter{Headline: p.Headline, Gist: p.Gist, Summary: p.Summary, Keywords: p.Keywords}
		var texts []string
		for _, s := range all[p.First : p.Last+1] {
			texts = append(texts, s.Text)
			c.Sentences = append(c.Sentences, messages.ChapterSentence{Sentence: s.Text, Start: s.Start, End: s.End,
				Words: s.Words})
			c.End = max(c.End, s.End)
		}
		c.Start, c.Text = all[p.First].Start, strings.Join(texts, " ")
		chapters = append(chapters, c)
	}
	return chapters, nil
}
