package vocabulary

import (
	"slices"
	"strings"
	"unicode"

	"steno/messages"
)

// recognizedWord is a word of the recognizer, prepared for comparison.
type recognizedWord struct {
	before, core, after string // parts of the word: space and marks, what belongs to a name, marks
	spelled, key        string // of core, see the functions of these names
	phones              []rune
	trust               float32 // how sure it is that the word is right, 0 to 1
	ordinary            bool
	owner               *recognizedWord // the word without a possessive ending, which is in its after; nil: it has none
}

// match is an entry that may replace the words [from,to).
type match struct {
	from, to, entry int
	gain            float32
	owner           bool // the possessive ending of the last word stays
}

// Apply returns the corrected utterance; the one given stays as it is, and so do all words that are
// not replaced. For a given vocabulary the work is linear in the number of words.
func (k *Corrector) Apply(u messages.Utterance) messages.Utterance {
	language := u.Language
	if language == "" {
		language = k.language
	}
	r := k.other
	if language == "en" || language == "" {
		r = k.english
	}
	if len(u.Words) == 0 || len(r.sounds) == 0 {
		return u
	}
	words := k.recognized(u.Words, r.voice)
	best := chooseMatches(k.matches(words, r, language), len(words))
	if len(best) == 0 {
		return u
	}
	u.Words = k.replaceWords(u.Words, words, best, language)
	u.Text = messages.TextOf(u.Words)
	return u
}

// recognized returns the words of an utterance with their phones. If all are in capitals, capitals
// do not make a word an abbreviation.
func (k *Corrector) recognized(words []messages.Word, v voice) []recognizedWord {
	lower := func(w messages.Word) bool { return strings.IndexFunc(w.Word, unicode.IsLower) >= 0 }
	h := sayOptions{capitals: slices.ContainsFunc(words, lower)}
	out := make([]recognizedWord, len(words))
	for i, w := range words {
		out[i] = k.word(w, v, h)
		if stem, ending := messages.Possessive(out[i].core); ending != "" && v.english != nil {
			w.Word = out[i].before + stem
			owner := k.word(w, v, h)
			owner.after = ending + out[i].after
			out[i].owner = &owner
		}
	}
	return out
}

// unknownTrust is the trust in words of recognizers without confidences.
const unknownTrust = 0.6

func (k *Corrector) word(w messages.Word, v voice, h sayOptions) recognizedWord {
	core := strings.TrimFunc(w.Word, func(r rune) bool { return !inName(r) })
	at := strings.Index(w.Word, core)
	out := recognizedWord{before: w.Word[:at], core: core, after: w.Word[at+len(core):], trust: unknownTrust}
	if len(core) > maxText {
		return out
	}
	out.phones, out.spelled = v.pronounce(core, h), spelled(core)
	if out.key = v.key(core, false); out.key == "" {
		out.key = core
	}
	out.ordinary = v.english != nil && k.ordinary.has(foldText(core))
	if w.Confidence > 0 {
		out.trust = float32(min(w.Confidence, 1))
	}
	return out
}

// matches returns the possible matches, by the word at which they end.
func (k *Corrector) matches(words []recognizedWord, r *reading, language string) [][]match {
	out := make([][]match, len(words)+1)
	s := r.search()
	for from := range words {
		phones, key := []rune(nil), ""
		for to := from + 1; to <= min(from+maxWords, len(words)); to++ {
			w := words[to-1]
			if w.core == "" || len(phones)+len(w.phones) > maxPhones || len(key)+len(w.core) > 2*maxText ||
				to > from+1 && !runsOn(words[to-2], w) {
				break
			}
			if m, ok := k.ownerMatch(words[from:to], phones, key, r, s, language); ok {
				m.from, m.to, m.owner = from, to, true
				out[to] = append(out[to], m)
			}
			phones = joined(phones, w.phones)
			key += w.spelled
			if m, ok := k.match(words[from:to], phones, key, r, s, language); ok {
				m.from, m.to = from, to
				out[to] = append(out[to], m)
			}
		}
	}
	return out
}

// ownerMatch returns the best entry for words of which the last has a possessive ending that is no
// part of the entry. phones and key are of the words before it.
func (k *Corrector) ownerMatch(words []recognizedWord, phones []rune, key string, r *reading, s *search,
	language string) (match, bool) {
	last := words[len(words)-1].owner
	if last == nil {
		return match{}, false
	}
	words = append(slices.Clone(words[:len(words)-1]), *last)
	return k.match(words, joined(slices.Clone(phones), last.phones), key+last.spelled, r, s, language)
}

// runsOn reports whether only space or a hyphen is between two words.
func runsOn(a, b recognizedWord) bool {
	between := strings.TrimSpace(a.after + b.before)
	return between == "" || between == "-"
}

func joined(a, b []rune) []rune {
	if len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[0] {
		b = b[1:]
	}
	return append(a, b...)
}

// match returns the best entry for some words; of equals the first.
func (k *Corrector) match(words []recognizedWord, phones []rune, key string, r *reading, s *search,
	language string) (best match, ok bool) {
	for _, i := range r.spelled[key] {
		if e := k.entries[i]; e.in(language) {
			return match{entry: i, gain: 2*k.likeness.full(phones) + float32(len(key))}, true
		}
	}
	if len(phones) == 0 || len(words) == 1 && inflected(words[0].core, r) {
		return best, false
	}
	h := k.stretch(words, phones)
	for _, id := range r.candidates(phones, s) {
		c := &r.sounds[id]
		e := k.entries[c.entry]
		if !e.in(language) {
			continue
		}
		d := demand{intensity: e.intensity, logEntries: r.logEntries, letters: c.letters, english: r.english != nil,
			several: e.several && len(c.words) > 0}
		gain := k.gain(h, c, d, s)
		if gain >= 0 && (!ok || gain > best.gain || gain == best.gain && c.entry < best.entry) {
			best, ok = match{entry: c.entry, gain: gain}, true
		}
	}
	return best, ok
}

// inflected reports whether a word is one of the vocabulary with an ending, such as its plural. It
// was recognized correctly.
func inflected(word string, r *reading) bool {
	if r.english == nil {
		return false
	}
	word = foldText(word)
	for _, ending := range endings {
		if stem, found := strings.CutSuffix(word, ending); found && r.spelled[spelled(stem)] != nil {
			return true
		}
	}
	return false
}
