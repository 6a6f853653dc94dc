// Package vocabulary replaces recognized words by entries of a customer's vocabulary that sound
// like them.
//
// It corrects the words of recognizers that take no vocabulary, and what others have missed.
// Stretches of up to four recognized words are compared with each entry, that is its value and its
// pronunciations, by their sounds, which are derived from English spelling. Those that are similar
// enough are replaced, the best match first, and none twice. How similar they must be depends on
// the entry's intensity and on the recognizer's confidence: words of high confidence, and above all
// common ones, stay unless an entry is spelled alike. An entry of intensity 0 is never used;
// intensity 1 accepts the least similarity.
//
// If an entry has several words, those that the recognizer wrote are taken as spoken. Each of the
// others must itself sound like the words recognized in its place: "new york in may" does not
// become "New York Times".
//
// In languages other than English letters are taken for sounds, and more similarity is needed.
package vocabulary

import (
	"math"
	"slices"
	"strings"

	"steno/messages"
)

// Limits of a vocabulary; entries beyond them are ignored. The first two are those of a request.
const (
	maxEntries        = 1000
	maxPronunciations = 100     // of an entry
	maxText           = 100     // bytes of a value or pronunciation
	maxLetters        = 1 << 19 // bytes of the values and pronunciations of all entries
	maxWords          = 4       // recognized words replaced at a time
)

const defaultIntensity = messages.DefaultIntensity

// Corrector corrects utterances. It never changes after New and may be used from any goroutine.
type Corrector struct {
	language string // of utterances that have none
	entries  []entry
	english  *reading
	other    *reading
	ordinary ordinary
	likeness *likeness
}

type entry struct {
	words     []string // of its value
	several   bool     // several words, or parts of one with a hyphen
	intensity float32
	language  string // empty: any
}

// in reports whether the entry is for utterances of a language; empty: not known.
func (e entry) in(language string) bool {
	return e.language == "" || language == "" || e.language == language
}

// reading holds the sounds of the entries, in English or in other languages.
type reading struct {
	voice
	*index
	spelled    map[string][]int // entries by the value or a pronunciation, as of spelled
	logEntries float32          // logarithm of the number of entries, see confidence.go
}

// New returns a corrector for a vocabulary and a transcription in a language ("en"). If the
// language is empty it is not known beforehand, and entries without a language are for all. New
// never fails: entries beyond the limits, and those without a sound, are ignored.
func New(c messages.CustomVocabularyConfig, language string) *Corrector {
	k := &Corrector{language: language, ordinary: newOrdinary(), likeness: newLikeness()}
	english := voice{english: newReader()}
	var texts [][]string
	letters := 0
	for _, e := range c.Vocabulary[:min(len(c.Vocabulary), maxEntries)] {
		words := strings.Fields(e.Value)
		intensity := intensity(e, c)
		if len(words) == 0 || len(e.Value) > maxText || intensity <= 0 {
			continue
		}
		if e.Language == "" {
			e.Language = language
		}
		k.entries = append(k.entries, entry{words, len(splitWords(e.Value)) > 1, intensity, e.Language})
		var said []string
		for _, text := range append([]string{e.Value},
			e.Pronunciations[:min(len(e.Pronunciations), maxPronunciations)]...) {
			if len(text) <= maxText && letters+len(text) <= maxLetters {
				letters += len(text)
				said = append(said, text)
			}
		}
		texts = append(texts, said)
	}
	k.english = k.read(texts, english, func(language string) bool { return language == "" || language == "en" })
	k.other = k.read(texts, voice{}, func(language string) bool { return language != "en" })
	return k
}

func intensity(e messages.VocabularyEntry, c messages.CustomVocabularyConfig) float32 {
	switch {
	case e.Intensity != nil:
		return float32(min(max(*e.Intensity, 0), 1))
	case c.DefaultIntensity != nil:
		return float32(min(max(*c.DefaultIntensity, 0), 1))
	default:
		return defaultIntensity
	}
}

// read returns the sounds of the entries of some languages. texts has the value and the
// pronunciations of each entry.
func (k *Corrector) read(texts [][]string, v voice, in func(language string) bool) *reading {
	r := &reading{voice: v, spelled: map[string][]int{}}
	var sounds []sound
	entries := 0
	for i, e := range k.entries {
		if !in(e.language) {
			continue
		}
		entries++
		for _, text := range texts[i] {
			if key := spelled(text); key != "" && !has(r.spelled[key], i) {
				r.spelled[key] = append(r.spelled[key], i)
			}
			for _, way := range v.ways(text) {
				sounds = append(sounds, sound{way: way, entry: i, full: k.likeness.full(way.phones),
					letters: lettered(text)})
			}
		}
	}
	r.index = newIndex(sounds)
	r.logEntries = float32(math.Log(float64(max(entries, 1))))
	return r
}

// lettered reports whether a text has an abbreviation that is said letter by letter.
func lettered(text string) bool {
	return slices.ContainsFunc(parts(text),
		func(part string) bool { return byLetters(part, sayOptions{capitals: true}) })
}

func has(entries []int, entry int) bool {
	return len(entries) > 0 && entries[len(entries)-1] == entry
}
