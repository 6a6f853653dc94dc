package vocabulary

import (
	_ "embed"
	"strings"
)

// rule maps some letters of an English word, between certain other letters, to their phones. In
// left and right a letter stands for itself, # for a vowel letter (y included), ^ for a consonant
// letter, + for e, i or y, $ for the end of the word, and % for an ending (e, es, ed, er, ers, ely,
// ing) at the end of the word. left precedes the letters.
type rule struct{ left, letters, right, phones string }

// letterRules lists rules as left[letters]right=phones; the first that fits determines the phones
// of its letters.
//
//go:embed letters.txt
var letterRules string

// alphabet has the phones of the names of the letters, digits the words for digits.
var (
	alphabet = strings.Fields("e bi si di i Ef Ji eC Y Je ke El Em En o pi kyu Ar Es ti yu vi d@b@lyu Eks wY zi")
	digits   = strings.Fields("zero one two three four five six seven eight nine")
)

// reader turns letters into phones.
type reader struct{ byLetter ['z' + 1][]rule }

func newReader() *reader {
	r := &reader{}
	for _, text := range strings.Fields(letterRules) {
		left, rest, _ := strings.Cut(text, "[")
		letters, rest, _ := strings.Cut(rest, "]")
		right, phones, _ := strings.Cut(rest, "=")
		first := letters[0]
		r.byLetter[first] = append(r.byLetter[first], rule{left, letters, right, phones})
	}
	return r
}

// word returns the phones of an English word in the letters a to z.
func (r *reader) word(word string) string {
	var out strings.Builder
	for at := 0; at < len(word); {
		n := 1
		for _, rule := range r.byLetter[word[at]] {
			if rule.fits(word, at) {
				out.WriteString(rule.phones)
				n = len(rule.letters)
				break
			}
		}
		at += n
	}
	return single(out.String())
}

// single writes doubled phones once, as they are spoken.
func single(phones string) string {
	out := make([]byte, 0, len(phones))
	for i := range len(phones) {
		if i == 0 || phones[i] != phones[i-1] {
			out = append(out, phones[i])
		}
	}
	return string(out)
}

func (r rule) fits(word string, at int) bool {
	if !strings.HasPrefix(word[at:], r.letters) {
		return false
	}
	for i := 1; i <= len(r.left); i++ {
		if !stands(r.left[len(r.left)-i], word, at-i) {
			return false
		}
	}
	at += len(r.letters)
	for i := range len(r.right) {
		if !stands(r.right[i], word, at+i) {
			return false
		}
	}
	return true
}

// stands reports whether a sign of a rule fits what is at a place of a word; the place may be
// outside the word.
func stands(sign byte, word string, at int) bool {
	if at < 0 || at >= len(word) {
		return sign == '$'
	}
	c := word[at]
	vowel := strings.IndexByte("aeiouy", c) >= 0
	switch sign {
	case '#':
		return vowel
	case '^':
		return !vowel
	case '+':
		return c == 'e' || c == 'i' || c == 'y'
	case '%':
		switch word[at:] {
		case "e", "es", "ed", "er", "ers", "ely", "ing":
			return true
		}
		return false
	}
	return sign == c
}
