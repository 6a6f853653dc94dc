package sherpa

import (
	"math"
	"strings"

	"steno/session/asr"
	"steno/session/asr/whole"
)

// lastToken is how long a token lasts at most if the model does not return its duration: from its
// start to the next one's, but no longer than this (0.24 s, an ordinary syllable).
const lastToken = 0.24 * asr.Rate

// words returns the words of a hypothesis for n samples. Words are separated by spaces; each
// Chinese and Japanese character is a word, since models return them so and nothing marks where
// longer words end. Times are those of the tokens that a word's letters are from. If the text does
// not consist of the tokens' letters (the library can rewrite text) words have no times and no
// confidences.
func words(h hypothesis, n int) (out []asr.Word, timed bool) {
	letters, owner := spell(h.tokens)
	text := strings.ReplaceAll(h.text, "▁", " ")
	known := strings.Join(strings.Fields(text), "") == letters
	timed = known && len(h.starts) == len(h.tokens) && len(h.tokens) > 0
	at, before := 0, 0
	for _, w := range whole.Split(text) {
		word := asr.Word{Text: strings.ToValidUTF8(w, "\uFFFD")}
		if known {
			first, last := owner[at], owner[at+len(w)-1]
			word.Confidence = confidence(h.logs, len(h.tokens), first, last)
			if timed {
				word.Start = min(max(sample(h.starts[first]), before), n)
				word.End = min(max(h.end(last), word.Start), n)
				before = word.Start
			}
		}
		at += len(w)
		out = append(out, word)
	}
	return out, timed
}

// spell returns the tokens' letters without white space, and for each byte the index of its token.
func spell(tokens []string) (letters string, owner []int) {
	var b strings.Builder
	for i, token := range tokens {
		for field := range strings.FieldsSeq(plain(token)) {
			b.WriteString(field)
			for range len(field) {
				owner = append(owner, i)
			}
		}
	}
	return b.String(), owner
}

// plain decodes a token: SentencePiece's sign for a space, the mark of a token that the next one
// continues, and bytes written as "<0xE4>".
func plain(token string) string {
	var b byte
	if len(token) == 6 && strings.HasPrefix(token, "<0x") && token[5] == '>' && octet(token[3:5], &b) {
		return string([]byte{b})
	}
	return strings.ReplaceAll(strings.TrimSuffix(token, "@@"), "▁", " ")
}

func octet(digits string, b *byte) bool {
	*b = 0
	for _, d := range []byte(digits) {
		at := strings.IndexByte("0123456789ABCDEF", d)
		if at < 0 {
			return false
		}
		*b = *b<<4 | byte(at)
	}
	return true
}

// end returns where a token ends, in samples.
func (h hypothesis) end(token int) int {
	start := sample(h.starts[token])
	if len(h.durations) == len(h.tokens) && h.durations[token] > 0 {
		return sample(h.starts[token] + h.durations[token])
	}
	if token+1 < len(h.starts) {
		return min(sample(h.starts[token+1]), start+lastToken)
	}
	return start + lastToken
}

// sample converts seconds of an utterance; what is not a time becomes 0.
func sample(seconds float32) int {
	if !(seconds > 0 && seconds < 3600) {
		return 0
	}
	return int(math.Round(float64(seconds) * asr.Rate))
}

// confidence returns the geometric mean of the probabilities of the word's tokens, rounded to
// thousandths; 0 if unknown.
func confidence(logs []float32, tokens, first, last int) float64 {
	if len(logs) != tokens {
		return 0
	}
	sum := 0.0
	for _, l := range logs[first : last+1] {
		sum += min(float64(l), 0)
	}
	p := math.Exp(sum / float64(last+1-first))
	if math.IsNaN(p) {
		return 0
	}
	return max(math.Round(p*1000)/1000, 0.001)
}
