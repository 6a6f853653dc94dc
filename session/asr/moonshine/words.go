package moonshine

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/session/asr"
	"steno/session/asr/whole"
)

// words returns the words of a hypothesis, without times. A word's confidence is the mean
// probability of its tokens, those left out that are punctuation alone; on recordings it
// distinguishes right words from wrong ones as well as the least or the geometric mean, and is
// calibrated as it is. Other texts of the same audio that differ lower it, see distrust.
func (t tokens) words(h hypothesis) (out []asr.Word) {
	var letters []byte
	var owner []int // of each byte, the index of its token
	for i, id := range h.ids {
		for _, b := range t.text(id) {
			letters, owner = append(letters, b), append(owner, i)
		}
	}
	text := strings.ToValidUTF8(string(letters), "")
	if len(text) != len(letters) { // a limit or a loop can end a text within a character
		letters, owner = valid(letters, owner)
		text = string(letters)
	}
	at := 0
	for _, w := range whole.Split(text) {
		at += strings.Index(text[at:], w)
		out = append(out, asr.Word{Text: w, Confidence: confidence(text, owner, h.logs, at, at+len(w))})
		at += len(w)
	}
	return out
}

// valid removes bytes that are no character.
func valid(b []byte, owner []int) (letters []byte, owners []int) {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r != utf8.RuneError || n > 1 {
			letters, owners = append(letters, b[:n]...), append(owners, owner[:n]...)
		}
		b, owner = b[n:], owner[n:]
	}
	return letters, owners
}

// confidence is that of the word text[from:to], rounded to thousandths.
func confidence(text string, owner []int, logs []float64, from, to int) float64 {
	sum, n, last := 0.0, 0, -1
	for i, r := range text[from:to] {
		if token := owner[from+i]; token != last && (unicode.IsLetter(r) || unicode.IsNumber(r)) {
			last = token
			sum += math.Exp(logs[token])
			n++
		}
	}
	if n == 0 { // punctuation alone
		sum, n = math.Exp(logs[owner[from]]), 1
	}
	return min(max(math.Round(sum/float64(n)*1000)/1000, 0.001), 1)
}

// disputed is the part of a word's confidence that is left where another variant of the audio does
// not have the word.
const disputed = 0.6

// distrust leaves a part of the confidence of words that another text of the same audio has not:
// those that are not in the longest sequence of words that both have.
func distrust(words, other []asr.Word, left float64) {
	a, b := eachBare(words), eachBare(other)
	common := make([][]int, len(a)+1) // the length of that sequence in what is left of both
	common[len(a)] = make([]int, len(b)+1)
	for i := len(a) - 1; i >= 0; i-- {
		common[i] = make([]int, len(b)+1)
		for j := len(b) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if a[i] == b[j] {
				common[i][j] = 1 + common[i+1][j+1]
			}
		}
	}
	for i, j := 0, 0; i < len(a); {
		switch {
		case j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j < len(b) && common[i][j+1] > common[i+1][j]:
			j++
		default:
			words[i].Confidence = math.Round(words[i].Confidence*left*1000) / 1000
			i++
		}
	}
}

// eachBare returns [bare] of each word.
func eachBare(words []asr.Word) []string {
	out := make([]string, len(words))
	for i := range words {
		out[i] = bare(words[i : i+1])
	}
	return out
}
