package redact

import (
	"strings"
	"unicode"

	"steno/messages"
)

// phrases are runs of words that are hidden wherever they come, by their first word: those of the same first word with
// the longest first.
type phrases map[string][]phrase

type phrase struct {
	words []string // plain
	sign  string
}

// shortest is how many letters and digits a phrase must have to be looked for: single digits and the like are everywhere.
const shortest = 3

func (p phrases) add(texts []string, sign string) {
	var words []string
	size := 0
	for _, t := range texts {
		if w := plain(t); w != "" {
			words = append(words, w)
			size += len(w)
		}
	}
	if size < shortest {
		return
	}
	list := p[words[0]]
	at := len(list)
	for i, other := range list {
		if strings.Join(other.words, " ") == strings.Join(words, " ") {
			return
		}
		if at == len(list) && len(other.words) < len(words) {
			at = i
		}
	}
	list = append(list, phrase{})
	copy(list[at+1:], list[at:])
	list[at] = phrase{words, sign}
	p[words[0]] = list
}

// replace puts the signs in the places of the phrases.
func (p phrases) replace(words []messages.Word, mask bool) []messages.Word {
	var out []messages.Word
	for i := 0; i < len(words); {
		found, n := p.at(words[i:])
		if n == 0 {
			out = append(out, words[i])
			i++
			continue
		}
		first, last := words[i], words[i+n-1]
		sign := found.sign
		if mask {
			sign = masked(strings.TrimSpace(joined(words[i : i+n])))
			sign = strings.TrimSuffix(sign, trailing(last.Word))
		}
		first.Word, first.End = leading(first.Word)+sign+trailing(last.Word), last.End
		out = append(out, first)
		i += n
	}
	return out
}

// at is the longest phrase with which the words begin, and how many of them it takes; 0: none.
func (p phrases) at(words []messages.Word) (phrase, int) {
	for _, candidate := range p[plain(words[0].Word)] {
		if len(candidate.words) > len(words) {
			continue
		}
		same := true
		for i, w := range candidate.words {
			same = same && plain(words[i].Word) == w
		}
		if same {
			return candidate, len(candidate.words)
		}
	}
	return phrase{}, 0
}

// plain is a word without what may be written one way or another: case, marks around it.
func plain(word string) string {
	return strings.ToLower(strings.TrimFunc(word, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }))
}
