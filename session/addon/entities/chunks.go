package entities

import (
	"strings"
	"unicode"

	"steno/messages"
)

// Chunk is a piece of text in the form in which values are compared: the words [From,To) as letters
// and digits in lower case. It is empty where there is only a sign, written or spoken ("dot").
type Chunk struct {
	From, To int
	Text     string
}

// Chunks cuts words into pieces so that a value said before is recognised whatever its form: the
// texts of some chunks in a row, joined, are [Plain] of it. Numbers said as words count as digits,
// in languages whose words are known.
func Chunks(words []messages.Word, language string) []Chunk {
	t := newText(words, nil, language)
	var list []Chunk
	for i := 0; i < len(t.tokens); {
		c := Chunk{From: t.tokens[i].word, To: t.tokens[i].last + 1}
		if p, ok := readPiece(t, i); ok && (t.english || t.spoken != nil) {
			c.To, c.Text = t.tokens[p.to-1].last+1, p.digits
			i = p.to
		} else {
			if marks[t.low(i)] == "" || !t.english {
				c.Text = Plain(t.tokens[i].low)
			}
			i++
		}
		list = append(list, c)
	}
	return list
}

// Plain is the letters and digits of a value, folded for any language. A vowel sign is a letter: in
// some scripts names differ in nothing else.
func Plain(value string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, messages.FoldAny(value))
}
