package sphinx

import (
	_ "embed"
	"strings"
)

// letterRules has how letters of an English word sound between others, as left[letters]right=phones with commas between
// rules. In left and right a letter stands for itself, # for a vowel letter (y among them), ^ for another letter, + for
// one of e, i, y, and $ for the edge of the word. Of the rules for a place the first that fits gives the phones.
//
//go:embed letters.txt
var letterRules string

// letterNames are the phones of the names of a to z; digitNames the words for 0 to 9.
var (
	letterNames = strings.Split("EY,B IY,S IY,D IY,IY,EH F,JH IY,EY CH,AY,JH EY,K EY,EH L,EH M,EH N,OW,P IY,K Y UW,AA R,EH S,"+
		"T IY,Y UW,V IY,D AH B AH L Y UW,EH K S,W AY,Z IY", ",")
	digitNames = strings.Fields("zero one two three four five six seven eight nine")
)

type letterRule struct{ left, letters, right, phones string }

// letters turns the spelling of English words into phones of the CMU dictionary.
type letters struct{ rules ['z' + 1][]letterRule } // by the first letter

func newLetters() *letters {
	l := &letters{}
	for _, text := range strings.FieldsFunc(letterRules, func(r rune) bool { return r == ',' || r == '\n' }) {
		left, rest, _ := strings.Cut(text, "[")
		middle, rest, _ := strings.Cut(rest, "]")
		right, phones, _ := strings.Cut(rest, "=")
		l.rules[middle[0]] = append(l.rules[middle[0]], letterRule{left, middle, right, phones})
	}
	return l
}

// phones of a word in the letters a to z, blanks between them. Other bytes are passed over.
func (l *letters) phones(word string) string {
	var out []string
	for at := 0; at < len(word); {
		n := 1
		if word[at] >= 'a' && word[at] <= 'z' {
			for _, rule := range l.rules[word[at]] {
				if rule.fits(word, at) {
					out = append(out, strings.Fields(rule.phones)...)
					n = len(rule.letters)
					break
				}
			}
		}
		at += n
	}
	return strings.Join(out, " ")
}

func (r letterRule) fits(word string, at int) bool {
	if !strings.HasPrefix(word[at:], r.letters) {
		return false
	}
	for i := range len(r.left) {
		if !matches(r.left[len(r.left)-1-i], word, at-1-i) {
			return false
		}
	}
	for i := range len(r.right) {
		if !matches(r.right[i], word, at+len(r.letters)+i) {
			return false
		}
	}
	return true
}

// matches tells whether a sign of a rule stands for what is at a place of a word, which may lie outside.
func matches(sign byte, word string, at int) bool {
	if at < 0 || at >= len(word) {
		return sign == '$'
	}
	vowel := strings.IndexByte("aeiouy", word[at]) >= 0
	switch sign {
	case '#':
		return vowel
	case '^':
		return !vowel
	case '+':
		return strings.IndexByte("eiy", word[at]) >= 0
	}
	return sign == word[at]
}

// spelled has the names of the letters, for what is said letter by letter.
func spelled(word string) string {
	var out []string
	for _, c := range []byte(word) {
		if c >= 'a' && c <= 'z' {
			out = append(out, letterNames[c-'a'])
		}
	}
	return strings.Join(out, " ")
}
