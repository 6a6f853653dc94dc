package entities

import (
	"cmp"
	"context"
	"slices"
	"time"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/llm"
	"steno/session/addon/remote"
)

// Name is the add-on's name.
const Name = "named_entity_recognition"

// Provider lists the entities of an utterance.
type Provider = addon.Provider[messages.Utterance, []messages.Entity]

// Addon is named_entity_recognition.
type Addon struct{ provider Provider }

// NewAddon returns the add-on, done by a language model if there is one, else by what is embedded.
func NewAddon(model *llm.Client) Addon {
	if model == nil {
		return WithProvider(Provider{Name: addon.Embedded, Do: func(_ context.Context,
			u messages.Utterance) ([]messages.Entity, error) {
			return Of(u), nil
		}})
	}
	return WithProvider(Provider{Name: addon.LanguageModel, Do: func(ctx context.Context,
		u messages.Utterance) ([]messages.Entity, error) {
		return byModel(ctx, model, u)
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
	return q.NamedEntityRecognition && a.provider.Remote()
}

// Analyze implements [addon.TranscriptAnalyzer]. The provider reads the redacted transcript.
// Entities that were redacted are listed as well, by what stands in their place. The result also
// has the failure of redaction's provider, even if the request does not ask for entities, because
// redaction has no result of its own.
func (a Addon) Analyze(ctx context.Context, j *addon.Job, result *messages.PreRecordedResult) {
	var failed *messages.AddonError
	if j.Redaction != nil {
		failed = j.Redaction.Failed
	}
	if !j.Request.NamedEntityRecognition && failed == nil {
		return
	}
	began := j.Clock.Now()
	found, err := a.eachUtterance(ctx, j)
	failed = cmp.Or(failed, err)
	var all messages.List[messages.Entity]
	for i, list := range found {
		if j.Redaction != nil {
			list = withRedacted(list, i, j.Redaction)
		}
		all = append(all, list...)
	}
	result.NamedEntityRecognition = addon.Wrap(j.Since(began), all, len(all) == 0, failed)
}

// eachUtterance lists the entities of each utterance, if they are asked for, and the first failure.
func (a Addon) eachUtterance(ctx context.Context, j *addon.Job) ([][]messages.Entity, *messages.AddonError) {
	switch {
	case !j.Request.NamedEntityRecognition:
		return nil, nil
	case !a.provider.Available():
		return nil, addon.Unavailable(Name)
	}
	found, err := addon.RunEach(ctx, j.Runner, Name, j.Utterances, a.provider.Do)
	return found, remote.Addon(err)
}

// withRedacted adds the redacted entities of utterance i to those found in it, by time. It leaves
// out what was found in the place of a redacted entity, and what is of a redacted type: a language
// model found it where redaction did not.
func withRedacted(found []messages.Entity, i int, r *addon.Redaction) []messages.Entity {
	redacted := r.Entities[i]
	list := slices.Clone(redacted)
	for _, f := range found {
		overlaps := func(h messages.Entity) bool { return f.Start < h.End && h.Start < f.End }
		if !r.Hides(f.EntityType) && !slices.ContainsFunc(redacted, overlaps) {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b messages.Entity) int { return cmp.Compare(a.Start, b.Start) })
	return list
}

// AnalyzeFinals implements [addon.FinalAnalyzer].
func (a Addon) AnalyzeFinals(q *messages.LiveRequest, r *addon.Runner) addon.FinalWork {
	if !q.RealtimeProcessing.NamedEntityRecognition {
		return nil
	}
	return a.listAnalyzer().Work(r)
}

func (a Addon) listAnalyzer() *addon.ListAnalyzer[messages.Utterance, messages.Entity] {
	return &addon.ListAnalyzer[messages.Utterance, messages.Entity]{
		Name: Name,
		Key: func(id string) messages.Key {
			return messages.Key{Kind: messages.KindNamedEntityRecognition, Subject: id}
		},
		Provider: a.provider,
		Input:    func(u messages.Utterance) messages.Utterance { return u },
		Message: func(id string, u messages.Utterance, found []messages.Entity,
			failed *messages.AddonError) messages.Message {
			return messages.NamedEntityRecognition{UtteranceID: id, Utterance: u, Results: found, Error: failed}
		},
		Read: func(m messages.Message) ([]messages.Entity, *messages.AddonError, bool) {
			e, ok := m.(messages.NamedEntityRecognition)
			return e.Results, e.Error, ok
		},
		Put: func(r *messages.LiveResult, all []messages.Entity, took time.Duration, failed *messages.AddonError) {
			r.NamedEntityRecognition = addon.Wrap(took, messages.List[messages.Entity](all), len(all) == 0, failed)
		},
	}
}
