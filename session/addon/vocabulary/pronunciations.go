package vocabulary

import (
	"strings"
	"unicode"
)

// way is one way to pronounce a text.
type way struct {
	phones []rune
	words  []entryWord // where there are several
}

// entryWord is a word of an entry.
type entryWord struct {
	key     string // as voice.key
	phones  []rune
	letters bool // said letter by letter, in part
}

// entryWords returns the words of a text that has several; nil for one.
func (v voice) entryWords(text string, h sayOptions) []entryWord {
	words := splitWords(text)
	if len(words) < 2 {
		return nil
	}
	var out []entryWord
	for _, word := range words {
		if phones := v.pronounce(word, h); len(phones) > 0 {
			out = append(out, entryWord{key: v.key(word, h.singly), phones: phones, letters: lettered(word)})
		}
	}
	return out
}

// splitWords divides a text at white space, hyphens and slashes.
func splitWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == '/' || unicode.IsSpace(r) })
}

// key returns the letters and digits of a word with numbers and signs in words, so that "4" is the
// same as "four".
func (v voice) key(word string, singly bool) string {
	if v.english == nil || !strings.ContainsAny(word, "0123456789"+signs) {
		return spelled(word)
	}
	var out strings.Builder
	for _, part := range parts(word) {
		switch sign := strings.Index(signs, part); {
		case sign >= 0:
			out.WriteString([]string{"plus", "and", "at", "percent", "sharp"}[sign])
		case numeral(part):
			out.WriteString(strings.Join(numerals(part, singly), ""))
		default:
			out.WriteString(spelled(part))
		}
	}
	return out.String()
}

// withoutShared returns a stretch and an entry without the words with which both begin and those
// with which both end. Words are the same if they are spelled alike, also where they are joined or
// divided differently.
func withoutShared(words []recognizedWord, entry []entryWord) ([]recognizedWord, []entryWord) {
	i, j := shared(len(words), len(entry), strings.CutPrefix,
		func(i int) string { return words[i].key }, func(j int) string { return entry[j].key })
	words, entry = words[i:], entry[j:]
	i, j = shared(len(words), len(entry), strings.CutSuffix,
		func(i int) string { return words[len(words)-1-i].key },
		func(j int) string { return entry[len(entry)-1-j].key })
	return words[:len(words)-i], entry[:len(entry)-j]
}

// shared returns how many words of two lists, of lengths n and m, have the same letters from one
// end on, up to the last place at which words of both lists end. a and b return the keys of words,
// counted from that end, and cut removes a key there.
func shared(n, m int, cut func(s, part string) (string, bool), a, b func(int) string) (i, j int) {
	var x, y string // rests of the current keys
	for at, bt, same := 0, 0, true; same; {
		if x == "" && y == "" {
			i, j = at, bt
		}
		if x == "" {
			if at == n {
				break
			}
			x, at = a(at), at+1
		}
		if y == "" {
			if bt == m {
				break
			}
			y, bt = b(bt), bt+1
		}
		if len(x) >= len(y) {
			x, same = cut(x, y)
			y = ""
		} else {
			y, same = cut(y, x)
			x = ""
		}
	}
	return i, j
}
