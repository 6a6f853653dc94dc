package moonshine

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/session/asr"
	"steno/session/asr/moonshine/network"
)

const (
	// longest is the audio that is decoded in one piece (10 s) while people wait, longestRecorded
	// (20 s) of recordings. Of LibriSpeech test-other, whole, 11.9 and 9.9 % of the words are wrong
	// with these; of more than 20 s the model loses its way (27 s: one in eight, 46 s: every
	// second).
	longest, longestRecorded = 10 * rate, 20 * rate
	// brief is what is quiet (0.12 s) before a cut that may be the end of a sentence. Cuts are in
	// the middle of the quiet.
	brief = rate * 12 / 100
)

// decoding is one utterance's decoding.
type decoding struct {
	m     *model
	d     *network.Decoder
	lexis *lexis
	yield func() bool
	tries int // variants that compete; 0: as many as it takes for a text to be sure, up to ordinaryDecodes
}

// piece decodes a piece of an utterance: the most probable text of several variants of it, of all
// that there are if none has a text. Digital silence has none, and is not decoded.
func (x decoding) piece(samples []int16) (outcome, error) {
	if !slices.ContainsFunc(samples, func(s int16) bool { return s != 0 }) {
		return outcome{dropped: DropSilence}, nil
	}
	var found []hypothesis // the most probable first
	for i, v := range variants {
		if x.suffices(found, samples, i) {
			break
		}
		h, err := x.m.decode(x.d, v.apply(samples), x.lexis, x.yield)
		if err != nil {
			return outcome{}, err
		}
		found = append(found, h)
		slices.SortStableFunc(found, moreProbable)
	}
	words := x.m.tokens.words(found[0])
	differ := 0.0
	if len(found) > 1 {
		other := x.m.tokens.words(found[1])
		differ = apart(words, other)
		distrust(words, other, disputed)
	}
	if r := found[0].rival; r != nil {
		distrust(words, x.m.tokens.words(*r), 1/(1+math.Exp(r.total()-found[0].total())))
	}
	return judged(found[0], words, differ, leastProbability, samples), nil
}

// suffices reports whether no more variants than so many are decoded.
func (x decoding) suffices(found []hypothesis, samples []int16, decoded int) bool {
	switch {
	case len(found) == 0 || len(found[0].ids) == 0:
		return false
	case len(samples) <= single:
		return false
	case x.tries == 0:
		return decoded >= ordinaryDecodes || found[0].mean() > sure
	}
	return decoded >= x.tries
}

// moreProbable orders hypotheses: those without a text last.
func moreProbable(a, b hypothesis) int {
	if empty := len(a.ids) == 0; empty != (len(b.ids) == 0) {
		if empty {
			return 1
		}
		return -1
	}
	return cmp.Compare(b.mean(), a.mean())
}

// outcome is the text of some audio.
type outcome struct {
	words   []asr.Word
	dropped string // why a text was dropped; empty: none was
	open    bool   // the audio ends in speech, or the pause after it is short
}

// judged returns the text that was found for samples, unless it is to be doubted.
func judged(h hypothesis, words []asr.Word, apart, least float64, samples []int16) outcome {
	if reason := doubt(h, words, apart, least); reason != "" {
		return outcome{dropped: reason}
	}
	return outcome{words: words, open: quietEnd(samples) < brief}
}

// join appends the text of the audio that follows directly. Where speech merely paused at the cut,
// no sentence ends there.
func (o outcome) join(next outcome) outcome {
	if len(o.words) > 0 && len(next.words) > 0 && o.open {
		last, first := &o.words[len(o.words)-1], &next.words[0]
		last.Text = continued(last.Text)
		first.Text = continuing(first.Text)
	}
	all := outcome{words: append(o.words, next.words...), open: next.open}
	if len(all.words) == 0 {
		all.dropped = cmp.Or(o.dropped, next.dropped)
	}
	return all
}

// continued returns a word that ends a piece of a sentence, without the full stop that the model
// wrote for its end.
func continued(word string) string {
	if cut := strings.TrimRight(word, ".…"); cut != "" && !strings.Contains(cut, ".") {
		return cut
	}
	return word // an abbreviation, or an ellipsis alone
}

// continuing returns a word that begins a piece of a sentence, without the capital that the model
// wrote for its beginning; words with other capitals, and the English "I", keep theirs.
func continuing(word string) string {
	r, n := utf8.DecodeRuneInString(word)
	rest := word[n:]
	if !unicode.IsUpper(r) || strings.ContainsFunc(rest, unicode.IsUpper) {
		return word
	}
	if letters := strings.TrimFunc(rest, func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\'' &&
			r != '’'
	}); r == 'I' &&
		(letters == "" || strings.HasPrefix(letters, "'") || strings.HasPrefix(letters, "’")) {
		return word
	}
	return string(unicode.ToLower(r)) + rest
}

// quietEnd returns how many samples at the end are quiet: 26 dB below the loudest 20 ms.
func quietEnd(samples []int16) int {
	const step = rate / 50
	levels := energies(samples, step)
	loudest := 0.0
	for _, e := range levels {
		loudest = max(loudest, e)
	}
	n := len(levels)
	for n > 0 && levels[n-1] < loudest/400 {
		n--
	}
	return len(samples) - n*step
}

// energies returns the mean square of each full step of samples.
func energies(samples []int16, step int) []float64 {
	out := make([]float64, 0, len(samples)/step)
	for ; len(samples) >= step; samples = samples[step:] {
		sum := 0.0
		for _, s := range samples[:step] {
			sum += float64(s) * float64(s)
		}
		out = append(out, sum/float64(step))
	}
	return out
}
