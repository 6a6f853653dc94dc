package vocabulary

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
)

// heard is a recognized word.
type heard struct {
	before, core, after string // the word is all three: space and marks before, marks after
	phones              []rune
	trust               float32 // how sure it is that the word is right, 0 to 1
	ordinary            bool
}

// match is an entry that may replace the words from..to.
type match struct {
	from, to, entry int
	gain            float32
}

// Apply returns the corrected utterance; the one given stays as it is, and so does everything outside the words replaced.
// The work is linear in the words, for a vocabulary.
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
	words := k.hear(u.Words, r.voice)
	best := chosen(k.matches(words, r, language), len(words))
	if len(best) == 0 {
		return u
	}
	u.Words = k.replaced(u.Words, words, best)
	var text strings.Builder
	for _, w := range u.Words {
		text.WriteString(w.Word)
	}
	u.Text = text.String()
	return u
}

// hear sounds the words of an utterance. Where all is in capitals, none is an abbreviation for it.
func (k *Corrector) hear(words []messages.Word, v voice) []heard {
	lower := func(w messages.Word) bool { return strings.IndexFunc(w.Word, unicode.IsLower) >= 0 }
	h := how{capitals: any(words, lower)}
	out := make([]heard, len(words))
	for i, w := range words {
		out[i] = k.word(w, v, h)
	}
	return out
}

func any(words []messages.Word, is func(messages.Word) bool) bool {
	for _, w := range words {
		if is(w) {
			return true
		}
	}
	return false
}

// unknownTrust is for words of recognizers that do not tell their confidence.
const unknownTrust = 0.6

func (k *Corrector) word(w messages.Word, v voice, h how) heard {
	core := strings.TrimFunc(w.Word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	at := strings.Index(w.Word, core)
	out := heard{before: w.Word[:at], core: core, after: w.Word[at+len(core):], trust: unknownTrust}
	if len(core) > maxText {
		return out
	}
	out.phones = v.say(core, h)
	out.ordinary = v.english != nil && k.ordinary.has(folded(core))
	if w.Confidence > 0 {
		out.trust = float32(min(w.Confidence, 1))
	}
	return out
}

// matches lists what may be replaced, by the word it ends with.
func (k *Corrector) matches(words []heard, r *reading, language string) [][]match {
	out := make([][]match, len(words)+1)
	s := r.search()
	for from := range words {
		phones, key := []rune(nil), ""
		for to := from + 1; to <= min(from+maxWords, len(words)); to++ {
			w := words[to-1]
			if w.core == "" || len(phones)+len(w.phones) > maxPhones || len(key)+len(w.core) > 2*maxText || to > from+1 && !runsOn(words[to-2], w) {
				break
			}
			phones = joined(phones, w.phones)
			key += spelled(w.core)
			if m, ok := k.match(words[from:to], phones, key, r, s, language); ok {
				m.from, m.to = from, to
				out[to] = append(out[to], m)
			}
		}
	}
	return out
}

// runsOn tells whether nothing but space, or a hyphen, is between two words.
func runsOn(a, b heard) bool {
	between := strings.TrimSpace(a.after + b.before)
	return between == "" || between == "-"
}

func joined(a, b []rune) []rune {
	if len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[0] {
		b = b[1:]
	}
	return append(a, b...)
}

// match finds the entry for some words that is the best; of equals the first.
func (k *Corrector) match(words []heard, phones []rune, key string, r *reading, s *search, language string) (best match, ok bool) {
	for _, i := range r.spelled[key] {
		if e := k.entries[i]; e.language == "" || e.language == language || language == "" {
			return match{entry: i, gain: 2*k.likeness.full(phones) + float32(len(key))}, true
		}
	}
	if len(phones) == 0 || len(words) == 1 && inflected(words[0].core, r) {
		return best, false
	}
	t := trusted(words)
	full := k.likeness.full(phones)
	for _, id := range r.candidates(phones, s) {
		c := r.sounds[id]
		e := k.entries[c.entry]
		if e.language != "" && e.language != language && language != "" {
			continue
		}
		gain := k.likeness.score(c.phones, phones, s.row) - t.needs(max(full, c.full), e.intensity, r.english != nil)
		if gain >= 0 && (!ok || gain > best.gain || gain == best.gain && c.entry < best.entry) {
			best, ok = match{entry: c.entry, gain: gain}, true
		}
	}
	return best, ok
}

// inflected tells whether a word is one of the vocabulary with an ending, such as its plural: it was heard rightly.
func inflected(word string, r *reading) bool {
	if r.english == nil {
		return false
	}
	word = folded(word)
	for _, ending := range endings {
		if stem, found := strings.CutSuffix(word, ending); found && r.spelled[spelled(stem)] != nil {
			return true
		}
	}
	return false
}

// trust is how sure it is that a stretch was recognized rightly.
type trust struct {
	mean   float32 // weighed by the phones
	common float32 // share of phones in ordinary words
	words  int
}

func trusted(words []heard) trust {
	t := trust{words: len(words)}
	var total float32
	for _, w := range words {
		n := float32(len(w.phones))
		total += n
		t.mean += n * w.trust
		if w.ordinary {
			t.common += n
		}
	}
	t.mean /= max(total, 1)
	t.common /= max(total, 1)
	return t
}

// What a match must score at intensity 0.5: a share of the full score and something beyond, more for common words, more
// for one than for several, and nearly all in place of common words the recognizer was sure of. Chosen on half of the
// recordings the tests measure.
const (
	needsAlways = 5.3
	needsShare  = 0.07
	needsCommon = 0.15
	needsSingle = 0.2
	needsSure   = 0.85
	sure        = 0.7
	// needsNearly is enough at any intensity, needsForeign needed in languages whose letters are taken for sounds.
	needsNearly  = 0.95
	needsForeign = 0.75
)

// needs is the least score at which an entry replaces the stretch, full being the most that there can be.
func (t trust) needs(full, intensity float32, english bool) float32 {
	share := needsShare + needsCommon*t.common
	if t.words == 1 {
		share += needsSingle * t.common
	}
	need := min((needsAlways+share*full)*(1.5-intensity), needsNearly*full)
	if !english {
		need = max(need, needsForeign*full)
	}
	if t.common > 0.5 && t.mean >= sure {
		need = max(need, needsSure*full)
	}
	if t.common == 1 && t.mean >= sure && t.words == 1 && intensity <= defaultIntensity {
		need = 2 * full // "right" is no "Wright"
	}
	return need
}

// chosen picks the matches that gain the most and do not overlap, in their order. ends has them by their ends.
func chosen(ends [][]match, words int) []match {
	gains, last := make([]float64, words+1), make([]*match, words+1)
	for end := 1; end <= words; end++ {
		gains[end] = gains[end-1]
		for i := range ends[end] {
			m := &ends[end][i]
			if gain := gains[m.from] + math.Max(float64(m.gain), 1e-6); gain > gains[end] {
				gains[end], last[end] = gain, m
			}
		}
	}
	var out []match
	for end := words; end > 0; {
		if m := last[end]; m != nil {
			out = append(out, *m)
			end = m.from
		} else {
			end--
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// replaced writes the matches into the words.
func (k *Corrector) replaced(old []messages.Word, words []heard, matches []match) []messages.Word {
	var out []messages.Word
	at := 0
	for _, m := range matches {
		out = append(out, old[at:m.from]...)
		out = append(out, rewritten(old[m.from:m.to], k.entries[m.entry].words, words[m.from].before, words[m.to-1].after)...)
		at = m.to
	}
	return append(out, old[at:]...)
}

// rewritten puts the words of a value into the time of the old ones: as many take theirs one by one, else it is divided
// by the letters. The confidence is the mean of those that are known.
func rewritten(old []messages.Word, value []string, before, after string) []messages.Word {
	start, end := old[0].Start, old[len(old)-1].End
	total := utf8.RuneCountInString(strings.Join(value, ""))
	letters, confidence := 0, mean(old)
	out := make([]messages.Word, len(value))
	at := start
	for i, word := range value {
		letters += utf8.RuneCountInString(word)
		out[i] = messages.Word{Word: " " + word, Start: at, Confidence: confidence}
		at = start + (end-start)*float64(letters)/float64(total)
		out[i].End = at
		if len(value) == len(old) {
			out[i].Start, out[i].End = old[i].Start, old[i].End
		}
	}
	out[0].Word = before + value[0]
	out[len(out)-1].Word += after
	out[len(out)-1].End = end
	return out
}

func mean(words []messages.Word) float64 {
	sum, known := 0.0, 0
	for _, w := range words {
		if w.Confidence > 0 {
			sum += w.Confidence
			known++
		}
	}
	return sum / float64(max(known, 1))
}
