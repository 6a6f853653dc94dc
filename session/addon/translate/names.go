package translate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/messages"
	"steno/session/addon/entities"
)

// firstName is the number of the sign for the first name of a text, beyond those of hidden places.
const firstName = 1000

// kept are the types of entities that are names, the same in all languages; countries have others.
var kept = map[string]bool{
	"NAME": true, "NAME_GIVEN": true, "NAME_FAMILY": true, "NAME_MEDICAL_PROFESSIONAL": true, "ORGANIZATION": true,
	"ORGANIZATION_MEDICAL_FACILITY": true, "LOCATION_CITY": true, "LOCATION_ADDRESS_STREET": true, "PRODUCT": true,
}

// titles are words before names that are translated.
var titles = map[string]bool{
	"mr": true, "mrs": true, "ms": true, "miss": true, "dr": true, "doctor": true, "professor": true, "sir": true,
	"madam":     true,
	"president": true, "captain": true, "aunt": true, "uncle": true, "king": true, "queen": true, "god": true,
	"internet": true,
}

// withoutNames returns a text with signs for the names in it, and these. A program that translates
// word by word would make a colour of Mr. Green.
func withoutNames(s, language string) (out string, names []string) {
	if strings.ContainsAny(s, "⟦⟧") && !onlySigns(s) {
		return s, nil
	}
	words := wordsIn(s)
	var b strings.Builder
	at := 0
	for _, span := range nameSpans(words, language) {
		text := trimName(messages.TextOf(words[span[0]:span[1]]))
		if text == "" {
			continue
		}
		b.WriteString(messages.TextOf(words[at:span[0]]))
		before, after, _ := strings.Cut(messages.TextOf(words[span[0]:span[1]]), text)
		b.WriteString(before + sign(firstName+len(names)) + after)
		names, at = append(names, text), span[1]
	}
	b.WriteString(messages.TextOf(words[at:]))
	return b.String(), names
}

// withNames puts names in the place of their signs. ok is false where one is missing, or there
// twice.
func withNames(s string, names []string) (out string, ok bool) {
	for i, name := range names {
		if strings.Count(s, sign(firstName+i)) != 1 {
			return "", false
		}
		s = strings.Replace(s, sign(firstName+i), name, 1)
	}
	return s, true
}

// onlySigns reports whether the brackets in a text are those of signs.
func onlySigns(s string) bool {
	for i := range strings.Count(s, "⟦") {
		s = strings.Replace(s, sign(i), "", 1)
	}
	return !strings.ContainsAny(s, "⟦⟧")
}

// wordsIn divides a text into words that make the same text together.
func wordsIn(s string) (words []messages.Word) {
	for s != "" {
		end := strings.IndexFunc(strings.TrimLeftFunc(s, unicode.IsSpace), unicode.IsSpace)
		n := len(s)
		if end >= 0 {
			n = len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace)) + end
		}
		words = append(words, messages.Word{Word: s[:n]})
		s = s[n:]
	}
	return words
}

// nameSpans returns the ranges of words that are names, in order: entities of these types, and what
// has a capital within a sentence though it is no other entity.
func nameSpans(words []messages.Word, language string) (spans [][2]int) {
	other, named := make([]bool, len(words)), make([]bool, len(words))
	for _, f := range entities.Find(words, language) {
		for i := f.From; i < f.To; i++ {
			named[i], other[i] = kept[f.Type] && capital(words[i].Word), !kept[f.Type]
		}
	}
	if cased(words) && language != "de" { // in which every noun has a capital
		for i := 1; i < len(words); i++ {
			named[i] = named[i] || !other[i] && capital(words[i].Word) && !ends(words[i-1].Word)
		}
	}
	for i := 0; i < len(words); i++ {
		if !named[i] || titles[strings.ToLower(trimName(words[i].Word))] {
			continue
		}
		end := i + 1
		for end < len(words) && named[end] && !breaks(words[end-1].Word) {
			end++
		}
		spans = append(spans, [2]int{i, end})
		i = end - 1
	}
	return spans
}

// capital reports whether a word begins with a capital and continues in small letters, and is more
// than "I" or "I'm".
func capital(word string) bool {
	word = trimName(word)
	first, n := utf8.DecodeRuneInString(word)
	if !unicode.IsUpper(first) || word == "I" || strings.HasPrefix(word, "I'") || strings.HasPrefix(word, "I’") {
		return false
	}
	return strings.ContainsFunc(word[n:], unicode.IsLower) || len(word) == n
}

// cased reports whether few words of a text begin with a capital, as in a sentence.
func cased(words []messages.Word) bool {
	n := 0
	for _, w := range words {
		if capital(w.Word) {
			n++
		}
	}
	return 2*n <= len(words)+2
}

// ends reports whether a word may be the last of its sentence.
func ends(word string) bool {
	return strings.ContainsAny(word[len(word)-1:], ".!?:\"") && !titles[strings.ToLower(trimName(word))]
}

// breaks reports whether a name cannot continue after a word.
func breaks(word string) bool { return strings.ContainsAny(word[len(word)-1:], ".,;!?:") }

// trimName returns a text without what stands around names: spaces, punctuation, the ending of a
// possessive.
func trimName(s string) string {
	s = strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
	for _, ending := range []string{"'s", "’s"} {
		s = strings.TrimSuffix(s, ending)
	}
	return s
}
