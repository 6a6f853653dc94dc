package capabilities

import (
	"strings"
	"unicode"
)

// marks are the marks that the library inserts, with what replaces them after letters of alphabets.
var marks = map[rune]rune{
	'，': ',', '、': ',', '。': '.', '？': '?', '！': '!',
	',': ',', '.': '.', '?': '?', '!': '!',
}

// merge puts the marks and capitals of a marked text into the text itself, whose words and spaces
// it keeps. If the marked text has other words, the text is returned unchanged. With capitals set,
// sentences begin with one.
func merge(text, marked string, capitals bool) string {
	m := merger{text: []rune(text), begin: capitals, capitals: capitals}
	for _, r := range marked {
		switch {
		case unicode.IsSpace(r):
		case m.take(r):
		case marks[r] != 0:
			m.mark(r)
		default:
			return text
		}
	}
	rest := string(m.text[m.at:])
	if strings.TrimSpace(rest) != "" {
		return text
	}
	return m.out.String() + rest
}

// merger is a position in a text.
type merger struct {
	text     []rune
	at       int // of the first rune not yet written
	out      strings.Builder
	last     rune // written, other than spaces
	capitals bool
	begin    bool // of a sentence
}

// take writes the text's next rune, and the spaces before it, if it equals r except for its case.
func (m *merger) take(r rune) bool {
	next := m.at
	for next < len(m.text) && unicode.IsSpace(m.text[next]) {
		next++
	}
	if next == len(m.text) {
		return false
	}
	own := m.text[next]
	if own != r && unicode.ToLower(own) != unicode.ToLower(r) {
		return false
	}
	m.out.WriteString(string(m.text[m.at:next]))
	if unicode.IsUpper(r) || m.begin {
		own = unicode.ToUpper(own)
	}
	m.begin = m.begin && !unicode.IsLetter(own) && !unicode.IsDigit(own)
	m.out.WriteRune(own)
	m.last, m.at = own, next+1
	return true
}

// mark writes a mark, unless there is one or the position is within a word.
func (m *merger) mark(r rune) {
	var next rune
	if m.at < len(m.text) {
		next = m.text[m.at]
	}
	within := next != 0 && !unicode.IsSpace(next) && !unspaced(next) && !unspaced(m.last)
	if m.last == 0 || within || marks[m.last] != 0 || marks[next] != 0 {
		return
	}
	if !unspaced(m.last) {
		r = marks[r]
	}
	m.out.WriteRune(r)
	m.begin = m.capitals && marks[r] != ','
	m.last = r
}

// unspaced reports whether a rune is of a script that puts no spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer)
}
