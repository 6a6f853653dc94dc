package moonshine

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"steno/session/asr"
	"steno/session/asr/wer"
)

// Reasons for which a text is dropped on purpose. The model writes words over noise and music as
// well: of 100 such recordings, 78 had some.
const (
	// DropNoise is a text that the model itself finds improbable.
	DropNoise = "noise"
	// DropLoop is a text that repeats itself until it was stopped.
	DropLoop = "loop"
	// DropCredit is what subtitles have where nobody speaks, which the model has learnt from.
	DropCredit = "credit"
	// DropSilence is a text that is empty in every variant: the model writes nothing over sounds
	// that it takes for no speech. What fails is an error, and no empty text.
	DropSilence = "silence"
	// DropFiller is a lone word that the model writes for a noise.
	DropFiller = "filler"
)

const (
	// leastProbability is the least mean probability of a text's tokens. It drops a third of what
	// is written over noise and music, and one of a hundred utterances.
	leastProbability = 0.44
	// leastOfPartials is that of partials: of the beginning of a sentence the model is less sure,
	// and words should come soon. With 0.44 the first came 0.15 s later, and no more of them stood
	// in the final.
	leastOfPartials = 0.3
	// surely is the mean probability from which a credit or a filler is taken for what was said.
	surely = 0.5
	// unsure is the mean probability below which variants that differ (in two words of three) are
	// no evidence of speech.
	unsure, different = 0.6, 0.65
)

// fillers and credits are texts in lower case without punctuation.
var (
	fillers = []string{"you", "uh", "um", "hmm", "mm", "oh", "ah", "the", "bye"}
	credits = []string{
		"thank you for watching", "thanks for watching", "thank you very much for watching", "please subscribe",
		"subtitles by", "subtitled by", "transcribed by", "captioned by", "see you in the next video",
		"like and subscribe",
	}
)

// doubt returns why a text is to be dropped; empty: it is not. apart is the part of its words that
// other variants have not, least the mean probability that it must have.
func doubt(h hypothesis, words []asr.Word, apart, least float64) string {
	if len(words) == 0 {
		return ""
	}
	if strings.ContainsAny(words[0].Text, "♪♫") {
		return DropCredit // subtitles have these where somebody sings
	}
	p, text := h.probability(), bare(words)
	switch {
	case text == "":
		return DropNoise // notes, brackets and the like
	case h.stop == stopLimit, h.stop == stopLoop && len(h.ids) < 3*repeated:
		return DropLoop
	case p < least, p < unsure && len(words) > 1 && apart > different:
		return DropNoise
	case p < surely && slices.Contains(fillers, text):
		return DropFiller
	case p < surely+0.2 && slices.ContainsFunc(credits, func(c string) bool { return strings.Contains(text, c) }):
		return DropCredit
	}
	return ""
}

// repeated is the length of the shortest text, in tokens, that is kept without the loop at its end.
const repeated = 4

// apart returns the part of a text's words that are to be changed, added or left out to make the
// other text, 1 at most.
func apart(a, b []asr.Word) float64 {
	from, to := strings.Fields(bare(a)), strings.Fields(bare(b))
	return min(1, float64(wer.Distance(from, to))/float64(max(len(from), 1)))
}

// probability returns the mean probability of the tokens.
func (h hypothesis) probability() float64 {
	if len(h.logs) == 0 {
		return 1
	}
	sum := 0.0
	for _, l := range h.logs {
		sum += math.Exp(l)
	}
	return sum / float64(len(h.logs))
}

// bare returns the letters and digits of words in lower case, with single spaces.
func bare(words []asr.Word) string {
	var out []string
	for _, w := range words {
		letters := strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' {
				return unicode.ToLower(r)
			}
			return -1
		}, w.Text)
		if letters != "" {
			out = append(out, letters)
		}
	}
	return strings.Join(out, " ")
}
