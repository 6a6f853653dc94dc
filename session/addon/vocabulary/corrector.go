// Package vocabulary puts a customer's words where the recognizer wrote something that sounds like them.
//
// A recognizer that takes words beforehand leaves it little to do, others all. Stretches of up to four recognized words,
// and their sounds as English letters are usually read, are compared with those of each entry: its value and its
// pronunciations. What is near enough is replaced, best first, nowhere twice. How near that is depends on the entry's
// intensity and on how sure the recognizer was: words it was sure of, and common ones above all, stay unless an entry is
// spelled alike. At intensity 0 an entry is never used; 1 takes much for it.
//
// Of an entry of several words those that the recognizer wrote were said. Each of the others must sound, by itself, like
// what was recognized in its place: "new york in may" is no "New York Times".
//
// In other languages than English letters are compared about as they are written, and must be more alike.
package vocabulary

import (
	"math"
	"slices"
	"strings"

	"steno/messages"
)

// Limits of a vocabulary; what exceeds one is passed over. The first two are those of a request.
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
	several   bool     // words, or parts of one with a hyphen
	intensity float32
	language  string // empty: any
}

// in reports whether the entry is for utterances of a language; empty: not known.
func (e entry) in(language string) bool {
	return e.language == "" || language == "" || e.language == language
}

// reading has the entries as they sound in English, or in other languages.
type reading struct {
	voice
	*index
	spelled map[string][]int // entries by what a value or pronunciation is written with
	crowd   float32          // logarithm of the number of entries: how much may sound alike by chance
}

// New prepares a vocabulary for a transcription in a language ("en"); empty: not known beforehand, and an entry without
// a language is for all. It never fails: what is beyond the limits, or cannot be said, is passed over.
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
		for _, text := range append([]string{e.Value}, e.Pronunciations[:min(len(e.Pronunciations), maxPronunciations)]...) {
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

// read sounds the entries of some languages. texts has the value and the pronunciations of each entry.
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
				sounds = append(sounds, sound{way: way, entry: i, full: k.likeness.full(way.phones), letters: lettered(text)})
			}
		}
	}
	r.index = newIndex(sounds)
	r.crowd = float32(math.Log(float64(max(entries, 1))))
	return r
}

// lettered reports whether a text has an abbreviation. The names of letters are long, and much alike.
func lettered(text string) bool {
	return slices.ContainsFunc(parts(text), func(part string) bool { return byLetters(part, how{capitals: true}) })
}

func has(entries []int, entry int) bool {
	return len(entries) > 0 && entries[len(entries)-1] == entry
}
