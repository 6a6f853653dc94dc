package redact

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

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

// NewAddon returns the add-on. The language model, which may be nil, gets to read what is to be redacted, to find more than
// what is embedded does.
func NewAddon(model *llm.Client) Addon {
	if model == nil {
		return Addon{}
	}
	return WithProvider(Provider{Name: addon.LanguageModel, Do: func(ctx context.Context, q Query) ([]entities.Found, error) {
		return entities.FindByModel(ctx, model, q.Utterance, q.Types)
	}})
}

// WithProvider returns the add-on with a provider beside what is embedded.
func WithProvider(p Provider) Addon { return Addon{p} }

// Name implements [addon.Addon].
func (Addon) Name() string { return name }

// Offer implements [addon.Addon].
func (a Addon) Offer(context.Context) messages.Addon {
	return addon.Offer(name, addon.PreRecordedOnly, a.provider.Name, addon.Embedded)
}

// Remote implements [addon.RemoteWorker].
func (a Addon) Remote(q *messages.PreRecordedRequest) bool {
	return q.PIIRedaction && a.provider.Remote()
}

// Check implements [addon.RequestChecker]: something of what is to be redacted can be found here.
func (a Addon) Check(q *messages.PreRecordedRequest) error {
	if c := q.PIIRedactionConfig; q.PIIRedaction && !a.finds(c) {
		return errors.New("pii_redaction_config.entity_types: nothing on this server finds any of " + strings.Join(c.EntityTypes, ", "))
	}
	return nil
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

// finds reports whether any of what a configuration wants redacted can be found here. Wide types and groups count by what
// is in them.
func (a Addon) finds(c messages.PIIRedactionConfig) bool {
	found, _ := a.types()
	return slices.ContainsFunc(slices.Collect(maps.Keys(Types(c))), func(t string) bool { return slices.Contains(found, t) })
}

// Edit implements [addon.TranscriptEditor]. After an error the transcript must not be shown to clients. A failure of the provider
// is an error only if nothing else finds any of the types; otherwise what is embedded redacts what it finds, and the job's
// Redaction has the failure.
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
	r := New(c)
	utterances, redacted := r.All(j.Utterances, found)
	j.Utterances = utterances
	j.Redaction = &addon.Redaction{Entities: redacted, Hides: r.Hides, Spans: r.Silences(), Failed: failed}
	return nil
}

// ask has the provider, if there is one, find entities in all utterances.
func (a Addon) ask(ctx context.Context, j *addon.Job, c messages.PIIRedactionConfig) (found [][]entities.Found, failed *messages.AddonError, err error) {
	if !a.provider.Available() {
		return nil, nil, nil
	}
	types := slices.Sorted(maps.Keys(Types(c)))
	found, err = addon.RunEach(ctx, j.Runner, name, j.Utterances, func(ctx context.Context, u messages.Utterance) ([]entities.Found, error) {
		return a.provider.Do(ctx, Query{u, types})
	})
	failed = remote.Addon(err)
	if failed != nil && !(Addon{}).finds(c) {
		return nil, nil, &messages.Problem{
			Status: http.StatusBadGateway, Message: "what is to be hidden could not be looked for: " + failed.Message, Err: err,
		}
	}
	return found, failed, nil
}
