package entities

import (
	"slices"
	"strings"
)

// spellingReach is how many words may stand between the words that ask for a name, or for its
// letters, and the letters.
const spellingReach = 15

// spelledNames finds names whose letters are said one by one: "k o w a l", "k as in king, o, w",
// "kilo oscar whiskey". Words before must speak of a name or of spelling; to be hidden, four
// letters or two explained ones are enough.
func spelledNames(t *text) []candidate {
	var list []candidate
	for i := 0; i < len(t.tokens); {
		s := readLetters(t, i)
		if s.to == i {
			i++
			continue
		}
		kind := t.spelledKind(i)
		enough := len(s.word) > 2 && kind != "" || t.hiding && (len(s.word) > 3 && !s.alphabet || len(s.word) > 2 &&
			s.explained > 1)
		if enough && !isCodePart(t, i, s.to) {
			if kind == "" {
				kind = "NAME"
			}
			list = append(list, candidate{kind: kind, from: i, to: s.to, weight: cued, value: s.word})
		}
		i = s.to
	}
	return list
}

// spelledKind is the type of the name that words before the token at i ask for or announce; empty
// where they do not.
func (t *text) spelledKind(i int) string {
	if !t.near(i, spellingReach, "name surname lastname spell spelled spelt spelling spells") ||
		t.near(i, 4, "username user email code plate postcode") {
		return ""
	}
	for k := i - 1; k >= max(0, i-spellingReach); k-- {
		switch {
		case oneOf(t.low(k), "surname lastname") || oneOf(t.low(k), "last family maiden") && t.low(k+1) == "name":
			return "NAME_FAMILY"
		case oneOf(t.low(k), "first given christian") && t.low(k+1) == "name":
			return "NAME_GIVEN"
		}
	}
	return "NAME"
}

// isCodePart reports whether digits or a sign of an address stand directly around the tokens
// [from,to).
func isCodePart(t *text, from, to int) bool {
	sign := func(i int) bool { return isDigit(t, i) || oneOf(t.low(i), "at dot underscore @") }
	return t.at(from-1).after == 0 && from > 0 && sign(from-1) || t.at(to-1).after != '.' && sign(to)
}

// letterRun is letters said one by one.
type letterRun struct {
	word      string // in lower case
	to        int    // where it ends
	explained int    // letters with "as in boy" or the like
	alphabet  bool   // all letters are names of the international alphabet
}

// readLetters reads letters said one by one, at most thirty.
func readLetters(t *text, i int) letterRun {
	var b strings.Builder
	s := letterRun{alphabet: true}
	at := i
	for n := 0; n < 30 && at < len(t.tokens); n++ {
		low := t.low(at)
		switch {
		case oneOf(low, "double triple") && isLetter(t.low(at+1)):
			b.WriteString(strings.Repeat(t.low(at+1), 2+strings.Count(low, "triple")))
			at, s.alphabet = at+2, false
		case isLetter(low):
			letter, end := readLetter(t, at)
			b.WriteString(strings.ToLower(letter))
			if s.alphabet = false; end > at+1 {
				s.explained++
			}
			at = end
		case spelling[low] != "" && !t.proper(at):
			b.WriteString(strings.ToLower(spelling[low]))
			at++
		case b.Len() > 0 && oneOf(low, "dash hyphen then") && (isLetter(t.low(at+1)) || spelling[t.low(at+1)] != ""):
			at++
			continue
		default:
			n = 30
			continue
		}
		if s.to = at; t.at(at-1).after == '.' {
			break
		}
	}
	if s.word = b.String(); s.word == "" {
		s.to = i
	}
	return t.withoutWords(s, i)
}

// isLetter reports whether a token is one letter of the Latin alphabet.
func isLetter(low string) bool { return len(low) == 1 && low[0] >= 'a' && low[0] <= 'z' }

// withoutWords drops an "a" or "i" at the beginning and the end of letters that is rather a word.
func (t *text) withoutWords(s letterRun, from int) letterRun {
	if n := len(s.word); n > 0 && slices.Contains([]string{"a", "i"}, t.low(s.to-1)) && t.at(s.to-1).after == 0 &&
		s.to < len(t.tokens) && t.at(s.to-1).raw == "a" {
		s.word, s.to = s.word[:n-1], max(s.to-1, from)
	}
	return s
}
