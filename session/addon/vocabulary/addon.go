package vocabulary

import (
	"context"
	"sync"

	"steno/messages"
	"steno/session/addon"
)

// Addon is custom_vocabulary. Engines that take a vocabulary are given it as well, by the session.
type Addon struct{}

// Name implements [addon.Addon].
func (Addon) Name() string { return "custom_vocabulary" }

// Offer implements [addon.Addon].
func (a Addon) Offer(context.Context) messages.Addon {
	return addon.Offer(a.Name(), addon.LiveAndPreRecorded, addon.Engine, addon.Embedded)
}

// Rewriter implements [addon.TextRewriter].
func (Addon) Rewriter(q *messages.LiveRequest) func(messages.Utterance) messages.Utterance {
	rt := q.RealtimeProcessing
	if !rt.CustomVocabulary || rt.CustomVocabularyConfig == nil {
		return nil
	}
	c := newCorrectors(*rt.CustomVocabularyConfig)
	return func(u messages.Utterance) messages.Utterance { return c.of(u.Language).Apply(u) }
}

// correctors has a corrector for each language of a session's utterances, made when the language
// first comes up.
type correctors struct {
	config messages.CustomVocabularyConfig

	mu         sync.Mutex
	byLanguage map[string]*Corrector
}

// maxCorrectors bounds the languages of a session, which come from the engine. Further ones share
// one corrector.
const maxCorrectors = 128

func newCorrectors(c messages.CustomVocabularyConfig) *correctors {
	return &correctors{config: c, byLanguage: map[string]*Corrector{}}
}

// of returns the corrector for a language.
func (c *correctors) of(language string) *Corrector {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byLanguage[language]; !ok && len(c.byLanguage) >= maxCorrectors {
		language = ""
	}
	if c.byLanguage[language] == nil {
		c.byLanguage[language] = New(c.config, language)
	}
	return c.byLanguage[language]
}
