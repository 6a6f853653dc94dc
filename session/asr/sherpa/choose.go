package sherpa

import (
	"fmt"
	"slices"

	"steno/session/asr"
)

// choice is which models an utterance gets. With partials nil there are none; where both are one model it does both.
type choice struct {
	language        string // told; empty: to be found
	partials, final *model
}

func (r *Recognizer) choose(p asr.Params) (choice, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return choice{}, errClosed
	}
	c, ok := choose(r.serving, p)
	if !ok {
		return choice{}, fmt.Errorf("sherpa: %q: %w", p.Language, asr.ErrLanguage)
	}
	return c, nil
}

// choose finds the models for a language among models, the preferred first. Where the language is not told, a model that
// tells it has the word; partials come then only from a model that has every language in question, since the words of a
// wrong language are worse than none. Else the language is the first wanted that there is, or the first there is.
func choose(models []*model, p asr.Params) (choice, bool) {
	language := p.Language
	if language == "" && len(p.Languages) == 1 {
		language = p.Languages[0]
	}
	if language == "" {
		if c, ok := detect(models, p.Languages); ok {
			return c, true
		}
		if language = anyOf(models, p.Languages); language == "" {
			return choice{}, false
		}
	}
	c := choice{
		language: language,
		partials: find(models, func(m *model) bool { return m.online != nil && m.has(language) }),
		final:    find(models, func(m *model) bool { return m.offline != nil && m.has(language) }),
	}
	if c.final == nil {
		c.final = c.partials
	}
	return c, c.final != nil
}

// detect finds the models where a model is to tell the language.
func detect(models []*model, among []string) (choice, bool) {
	final := find(models, func(m *model) bool {
		return m.spec.Can.Detect && (len(among) == 0 || slices.ContainsFunc(among, m.has))
	})
	if final == nil {
		return choice{}, false
	}
	if len(among) == 0 {
		among = final.spec.Languages
	}
	partials := find(models, func(m *model) bool {
		return m.online != nil && !slices.ContainsFunc(among, func(code string) bool { return !m.has(code) })
	})
	if final.online != nil {
		partials = final
	}
	return choice{partials: partials, final: final}, true
}

// anyOf returns the first of the languages wanted that some model has; with none wanted, the first of the first model.
func anyOf(models []*model, wanted []string) string {
	for _, m := range models {
		if len(wanted) == 0 && len(m.spec.Languages) > 0 {
			return m.spec.Languages[0]
		}
	}
	for _, code := range wanted {
		if find(models, func(m *model) bool { return m.has(code) }) != nil {
			return code
		}
	}
	return ""
}

func (m *model) has(language string) bool { return slices.Contains(m.spec.Languages, language) }

func find(models []*model, fits func(*model) bool) *model {
	if i := slices.IndexFunc(models, fits); i >= 0 {
		return models[i]
	}
	return nil
}
