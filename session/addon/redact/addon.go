package redact

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"steno/messages"
	"steno/session/addon"
	"steno/session/addon/entities"
	"steno/session/addon/llm"
	"steno/session/addon/remote"
)

const name = "pii_redaction"

// Query asks for the entities of some types in an utterance that is not redacted.
type Query struct {
	Utterance messages.Utterance
	Types     []string
}

// Provider finds entities beyond those that are embedded.
type Provider = addon.Provider[Query, []entities.Found]

// Addon is pii_redaction.
type Addon struct{ provider Provider }

// NewAddon returns the add-on. The language model, which may be nil, gets to read what is to be
// redacted, to find more than what is embedded does.
func NewAddon(model *llm.Client) Addon {
	if model == nil {
		return Addon{}
	}
	return WithProvider(Provider{Name: addon.LanguageModel, Do: func(ctx context.Context, q Query) ([]entities.Found,
		error) {
		return entities.FindByModel(ctx, model, q.Utterance, q.Types)
	}})
}

// WithProvider returns the add-on with a provider beside what is embedded.
func WithProvider(p Provider) Addon { return Addon{p} }

// Name implements [addon.Addon].
func (Addon) Name() string { return name }

// Offer implements [addon.Addon].
func (a Addon) Offer(context.Context) messages.Addon {
	return addon.Offer(name, addon.LiveAndPreRecorded, a.provider.Name, addon.Embedded)
}

// Remote implements [addon.RemoteWorker].
func (a Addon) Remote(q *messages.PreRecordedRequest) bool {
	return q.PIIRedaction && a.provider.Remote()
}

// Describe implements [addon.Describer]: it lists the types of entities.
func (a Addon) Describe(m *messages.Models) {
	found, missing := a.types()
	m.EntityTypes = messages.EntityTypes{Found: found, Unable: missing, Groups: map[string]messages.List[string]{}}
	for _, group := range entities.Groups() {
		m.EntityTypes.Groups[group], _ = entities.Group(group)
	}
}

// types lists the types of entities that are found here, and the others, both sorted.
func (a Addon) types() (found, missing []string) {
	found, missing = entities.Implemented(), entities.NeedsModel()
	if !a.provider.Available() {
		return found, missing
	}
	return slices.Sorted(slices.Values(append(found, missing...))), nil
}

// Edit implements [addon.TranscriptEditor]. After an error the transcript must not be shown to
// clients. A type that nothing finds in a language that was spoken is an error, or with best_effort
// a warning. So is a failure of the provider where what is embedded lacks a type; otherwise that
// redacts what it finds, and the job's Redaction has the failure.
func (a Addon) Edit(ctx context.Context, j *addon.Job) (err error) {
	if !j.Request.PIIRedaction {
		return nil
	}
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("redaction broke down: %v", fault)
		}
	}()
	c := j.Request.PIIRedactionConfig
	found, failed, err := a.ask(ctx, j, c)
	if err != nil {
		return err
	}
	if err := a.judge(j, failed); err != nil {
		return err
	}
	r := New(c)
	utterances, redacted := r.All(j.Utterances, found)
	j.Utterances = utterances
	j.Redaction = &addon.Redaction{Entities: redacted, Hides: r.Hides, Spans: r.Silences(), Failed: failed}
	return nil
}

// ask has the provider, if there is one, find entities in all utterances.
func (a Addon) ask(ctx context.Context, j *addon.Job, c messages.PIIRedactionConfig) (found [][]entities.Found,
	failed *messages.AddonError, err error) {
	if !a.provider.Available() {
		return nil, nil, nil
	}
	types := slices.Sorted(maps.Keys(Types(c)))
	found, err = addon.RunEach(ctx, j.Runner, name, j.Utterances, func(ctx context.Context,
		u messages.Utterance) ([]entities.Found, error) {
		return a.provider.Do(ctx, Query{u, types})
	})
	return found, remote.Addon(err), nil
}
