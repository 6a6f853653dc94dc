package addon

import (
	"math"
	"slices"
	"sync"

	"steno/messages"
	"steno/session/addon/vocabulary"
)

// Text is the utterance in the words the request wants: those of its vocabulary where something was heard that sounds
// like them, then all as it spells them. Whoever sees the utterance, as a partial or final, sees it like this. Same
// utterance, same text. The one given stays as it is, and is the answer where the work breaks down.
func (l *Live) Text(u messages.Utterance) messages.Utterance {
	if l.vocabulary == nil && l.speller == nil || len(u.Words) == 0 {
		return u
	}
	out := u
	if l.vocabulary != nil {
		out = unbroken(out, func(u messages.Utterance) messages.Utterance { return l.vocabulary.of(u.Language).Apply(u) })
	}
	if l.speller != nil {
		out = unbroken(out, l.speller.Apply)
	}
	if len(out.Words) == 0 {
		return u
	}
	out.Words = slices.Clone(out.Words)
	for i := range out.Words {
		w := &out.Words[i]
		w.Start, w.End, w.Confidence = thousandth(w.Start), thousandth(w.End), thousandth(w.Confidence)
	}
	out.Start, out.End = out.Words[0].Start, out.Words[len(out.Words)-1].End
	return out
}

// unbroken does work on an utterance, and leaves it as it is if that breaks down.
func unbroken(u messages.Utterance, work func(messages.Utterance) messages.Utterance) (out messages.Utterance) {
	defer func() {
		if recover() != nil {
			out = u
		}
	}()
	return work(u)
}

func thousandth(x float64) float64 { return math.Round(x*1000) / 1000 }

// correctors are a vocabulary for each language that is heard, made when it first is.
type correctors struct {
	config messages.CustomVocabularyConfig

	mu    sync.Mutex
	known map[string]*vocabulary.Corrector
}

// maxCorrectors bounds the languages: an engine may say whatever it likes.
const maxCorrectors = 128

func newCorrectors(c messages.CustomVocabularyConfig) *correctors {
	return &correctors{config: c, known: map[string]*vocabulary.Corrector{}}
}

// of is the corrector for a language.
func (c *correctors) of(language string) *vocabulary.Corrector {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.known[language]; !ok && len(c.known) >= maxCorrectors {
		language = ""
	}
	if c.known[language] == nil {
		c.known[language] = vocabulary.New(c.config, language)
	}
	return c.known[language]
}
