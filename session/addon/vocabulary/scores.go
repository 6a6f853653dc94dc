package vocabulary

import (
	"slices"
	"strings"
)

// stretch is a few neighbouring recognized words, compared as a whole.
type stretch struct {
	words  []recognizedWord
	phones []rune
	full   float32
	trust
}

func (k *Corrector) stretch(words []recognizedWord, phones []rune) stretch {
	return stretch{words, phones, k.likeness.full(phones), trustOf(words)}
}

// gain returns the score of a stretch for an entry above the least score; negative: too little.
// Words that the stretch and the entry have in common were recognized correctly. They do not count:
// the other words are compared as if they were all.
func (k *Corrector) gain(h stretch, c *sound, d demand, s *search) float32 {
	if len(c.words) == 0 {
		return k.likes(h, c.way, c.full, d, s)
	}
	left, rest := withoutShared(h.words, c.words)
	switch {
	case len(left) == len(h.words) && len(rest) == len(c.words):
		return k.likes(h, c.way, c.full, d, s)
	case len(left) == 0 && len(rest) == 0:
		return 2 * c.full
	case len(left) == 0 || len(rest) == 0: // a word of one has no counterpart in the other
		return -1
	}
	s.left, s.rest = s.left[:0], s.rest[:0]
	for _, w := range left {
		s.left = joined(s.left, w.phones)
	}
	d.letters = false
	for _, w := range rest {
		s.rest = joined(s.rest, w.phones)
		d.letters = d.letters || w.letters
	}
	full := k.likeness.full(s.rest)
	gain := k.likes(k.stretch(left, s.left), way{s.rest, rest}, full, d, s)
	if gain >= 0 {
		gain += 2 * (c.full - full)
	}
	return gain
}

// likes returns the gain of a whole stretch for one way to pronounce a whole entry, whose full
// score is full.
func (k *Corrector) likes(h stretch, w way, full float32, d demand, s *search) float32 {
	gain := k.likeness.score(w.phones, h.phones, s.row) - h.needs(max(h.full, full), d)
	if gain >= 0 && d.several && !k.supported(h, w.words, d, s) {
		return -1
	}
	return gain
}

// supported reports whether each word of an entry was recognized in a place of its own, and no
// recognized word is left over.
func (k *Corrector) supported(h stretch, entry []entryWord, d demand, s *search) bool {
	heard := 0 // words
	for i, p := range k.likeness.places(h, entry) {
		if p.from == p.to || p.first > heard {
			return false
		}
		heard = p.last + 1
		if !k.stands(h.words[p.first:heard], h.phones[p.from:p.to], entry[i], d, s) {
			return false
		}
	}
	return heard == len(h.words)
}

// stands reports whether words, or the phones in them, may stand for one word of an entry. The
// least score at any length does not apply to single words.
func (k *Corrector) stands(words []recognizedWord, phones []rune, w entryWord, d demand, s *search) bool {
	if len(words) == 1 && words[0].key == w.key {
		return true
	}
	d.letters = w.letters
	t := trustOf(words)
	if t.stays(d) || len(words) == 1 && d.english && inflects(words[0].core, w.key) {
		return false
	}
	full := max(k.likeness.full(phones), k.likeness.full(w.phones))
	return k.likeness.score(w.phones, phones, s.row) >= t.share(d)*full
}

// inflects reports whether a recognized word is a word of an entry, given by its key, with an
// ending.
func inflects(word, key string) bool {
	return slices.ContainsFunc(endings, func(ending string) bool {
		stem, found := strings.CutSuffix(foldText(word), ending)
		return found && spelled(stem) == key
	})
}
