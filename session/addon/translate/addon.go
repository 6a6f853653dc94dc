package translate

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/remote"
	"steno/session/addon/sentences"
	"steno/session/addon/subtitles"
	"steno/session/panics"
)

const name = "translation"

// Query is what a provider translates to the target language: one utterance for each, where the
// configuration wants them to match.
type Query struct {
	Utterances []messages.Utterance
	Target     string
	Config     messages.TranslationConfig
}

// Provider translates the utterances that it can, beside an error for the first that it cannot.
type Provider = addon.Provider[Query, []messages.Utterance]

// Addon is translation.
type Addon struct {
	provider    Provider
	translators []Translator // what the provider consists of, for clients
}

// NewAddon returns the add-on, done by the first of the translators that knows both languages, see
// [First]; by none if there are none.
func NewAddon(translators ...Translator) Addon {
	if len(translators) == 0 {
		return Addon{}
	}
	first := First(translators...)
	return Addon{Provider{Name: first.Name(), Do: func(ctx context.Context, q Query) ([]messages.Utterance, error) {
		return Utterances(ctx, first, q.Utterances, q.Target, q.Config)
	}}, translators}
}

// WithProvider returns the add-on with a provider that is no list of translators.
func WithProvider(p Provider) Addon { return Addon{provider: p} }

// Name implements [addon.Addon].
func (Addon) Name() string { return name }

// Offer implements [addon.Addon].
func (a Addon) Offer(ctx context.Context) messages.Addon {
	offer := messages.Addon{Name: name, Modes: slices.Clone(addon.LiveAndPreRecorded),
		Available: a.provider.Available()}
	for _, t := range a.translators {
		pairs, all := Known(ctx, t)
		known := messages.AddonTranslator{Name: t.Name(), Any: all}
		if pairs != nil {
			known.Pairs = map[string]messages.List[string]{}
		}
		for from, to := range pairs {
			known.Pairs[from] = to
		}
		offer.Translators = append(offer.Translators, known)
		offer.By = append(offer.By, t.Name())
	}
	return offer
}

// Remote implements [addon.RemoteWorker]: translators are servers or other processes.
func (Addon) Remote(q *messages.PreRecordedRequest) bool { return q.Translation }

// results are the translations of a whole transcript, one for each target language.
type results = messages.List[messages.TranslationResult]

// concurrentTargets is how many target languages of a job are translated at a time. The translators
// bound their requests themselves.
const concurrentTargets = 8

// Analyze implements [addon.TranscriptAnalyzer]. All target languages share one time limit. One
// that fails for some utterances, or is not ready in time, has its first failure in its own result,
// beside the translations that succeeded.
func (a Addon) Analyze(ctx context.Context, j *addon.Job, result *messages.PreRecordedResult) {
	if !j.Request.Translation {
		return
	}
	began := j.Clock.Now()
	var c messages.TranslationConfig
	if j.Request.TranslationConfig != nil {
		c = *j.Request.TranslationConfig
	}
	list := a.targets(ctx, j, targetsOf(c), c)
	result.Translation = addon.Wrap(j.Since(began), list, isEmpty(list), firstFailure(list))
}

// targets translates the transcript to each of the languages, several at a time.
func (a Addon) targets(ctx context.Context, j *addon.Job, targets []string, c messages.TranslationConfig) results {
	ctx, cancel := j.Clock.WithTimeout(ctx, j.PostProcessing)
	defer cancel()
	list := make(results, len(targets))
	var next atomic.Int64
	var running panics.Group
	for range min(concurrentTargets, len(targets)) {
		running.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(targets)); i = next.Add(1) - 1 {
				list[i] = a.target(ctx, j, targets[i], c)
			}
		})
	}
	running.Wait()
	return list
}

// target translates the transcript to one language.
func (a Addon) target(ctx context.Context, j *addon.Job, target string,
	c messages.TranslationConfig) messages.TranslationResult {
	t := messages.TranslationResult{Languages: messages.List[string]{target}}
	if !a.provider.Available() {
		t.Error = addon.Unavailable(name)
		return t
	}
	if err := ctx.Err(); err != nil {
		t.Error = remote.Addon(err)
		return t
	}
	translated, err := addon.Run(ctx, j.Runner, name, j.PostProcessing,
		func(ctx context.Context) ([]messages.Utterance, error) {
			return a.provider.Do(ctx, Query{j.Utterances, target, c})
		})
	if t.Error = remote.Addon(err); err != nil && len(translated) == 0 {
		return t
	}
	t.FullTranscript, t.Utterances = messages.FullText(translated), translated
	t.Sentences, t.Subtitles = sentences.Of(j, translated), subtitles.Of(j, translated)
	return t
}

// firstFailure is that of the first language whose translation is incomplete; nil: there is none.
func firstFailure(list results) *messages.AddonError {
	for _, t := range list {
		if t.Error != nil {
			return t.Error
		}
	}
	return nil
}

// targetsOf lists the target languages, each once.
func targetsOf(c messages.TranslationConfig) (list []string) {
	for _, target := range c.TargetLanguages {
		if !slices.Contains(list, target) {
			list = append(list, target)
		}
	}
	return list
}

// isEmpty reports whether there is no text in any language.
func isEmpty(list results) bool {
	return !slices.ContainsFunc(list, func(t messages.TranslationResult) bool { return t.FullTranscript != "" })
}

// AnalyzeFinals implements [addon.FinalAnalyzer].
func (a Addon) AnalyzeFinals(q *messages.LiveRequest, r *addon.Runner) addon.FinalWork {
	rt := q.RealtimeProcessing
	if !rt.Translation || rt.TranslationConfig == nil {
		return nil
	}
	c := *rt.TranslationConfig
	c.MatchOriginalUtterances = true // each final is translated alone
	one := addon.Provider[Query, messages.Utterance]{Name: a.provider.Name}
	if a.provider.Available() {
		one.Do = func(ctx context.Context, q Query) (messages.Utterance, error) { return a.single(ctx, q) }
	}
	return &finalWork{one, addon.NewStepRunner(name, r), targetsOf(c), c}
}

// single translates a query of one utterance.
func (a Addon) single(ctx context.Context, q Query) (messages.Utterance, error) {
	translated, err := a.provider.Do(ctx, q)
	if err != nil {
		return messages.Utterance{}, err
	}
	if len(translated) != 1 {
		return messages.Utterance{}, fmt.Errorf("%d translations of one utterance", len(translated))
	}
	return translated[0], nil
}

// finalWork is the translation of one live session's finals.
type finalWork struct {
	provider addon.Provider[Query, messages.Utterance]
	runner   *addon.StepRunner
	targets  []string
	config   messages.TranslationConfig
}

func key(id, target string) messages.Key {
	return messages.Key{Kind: messages.KindTranslation, Subject: id, Language: target}
}

// Steps implements [addon.FinalWork]: there is one for each target language.
func (w *finalWork) Steps(id string, u messages.Utterance) []addon.Step {
	var list []addon.Step
	for _, target := range w.targets {
		list = append(list, addon.NewStep(w.runner, key(id, target), w.provider, Query{[]messages.Utterance{u}, target,
			w.config},
			func(translated messages.Utterance, failed *messages.AddonError) messages.Message {
				return messages.Translation{
					UtteranceID: id, Utterance: u, OriginalLanguage: u.Language, TargetLanguage: target,
					TranslatedUtterance: translated, Error: failed,
				}
			}))
	}
	return list
}

// Gather implements [addon.FinalWork].
func (w *finalWork) Gather() addon.FinalResults {
	return &finalResults{w, addon.StepResults[messages.Utterance]{}}
}

// finalResults are the translations of a session's log.
type finalResults struct {
	work    *finalWork
	results addon.StepResults[messages.Utterance]
}

// Add implements [addon.FinalResults].
func (f *finalResults) Add(key messages.Key, m messages.Message) {
	if m, ok := m.(messages.Translation); ok {
		f.results.Set(key, m.TranslatedUtterance, m.Error)
	}
}

// Put implements [addon.FinalResults]. A target language that is incomplete has the translations
// that succeeded, and its first failure.
func (f *finalResults) Put(r *messages.LiveResult, ids []string) {
	var list results
	for _, target := range f.work.targets {
		translated, failed := f.results.Of(ids, func(id string) messages.Key { return key(id, target) })
		if len(ids) == 0 && !f.work.provider.Available() {
			failed = addon.Unavailable(name)
		}
		list = append(list, messages.TranslationResult{
			Error: failed, FullTranscript: messages.FullText(translated), Languages: []string{target},
			Utterances: translated,
		})
	}
	r.Translation = addon.WrapSteps(f.work.runner, list, isEmpty(list), firstFailure(list))
}
