package summary

import (
	"slices"
	"strings"
	"unicode"
)

const (
	// mostWords and mostBytes bound one sentence of a summary: the rest is cut off.
	mostWords = 60
	mostBytes = 600
)

// tidy removes fillers, false starts, and words that only open or close a turn. Nothing may be
// left.
func tidy(words []string, language string) []string {
	words = spoken(words, language)
	if !english(language) {
		return repeats(words, 2, nil)
	}
	words = repeats(dropFillers(words), 1, doubles)
	return closing(opening(words))
}

// spoken removes hesitations and words that were broken off. Words that redaction has masked stay.
func spoken(words []string, language string) []string {
	var kept []string
	for _, w := range words {
		cut := strings.HasSuffix(w, "-") && len(w) > 1 && len(w) < 8
		if !cut && !hesitates(plain(w), language) && (plain(w) != "" || strings.Contains(w, "#")) {
			kept = append(kept, w)
		}
	}
	return kept
}

func hesitates(word, language string) bool {
	switch word {
	case "um", "uh", "uhm", "umm", "uhh", "erm", "hmm", "hm", "mm", "mhm", "mmhm", "mm-hmm", "äh", "ähm", "öhm", "euh",
		"ehm":
		// Portuguese has "um" for "one", Dutch "er" for "there", German "um" for "at".
		return word != "um" || english(language)
	case "er", "uh-huh", "uh-uh":
		return english(language)
	}
	return false
}

// dropFillers removes "you know" and similar words where they have no meaning.
func dropFillers(words []string) []string {
	var kept []string
	for i := 0; i < len(words); i++ {
		before, next := "", ""
		if len(kept) > 0 {
			before = plain(kept[len(kept)-1])
		}
		if i+2 < len(words) {
			next = plain(words[i+2])
		}
		if i+1 < len(words) && filler(before, plain(words[i]), plain(words[i+1]), next) {
			i++
			continue
		}
		if switchFiller(plain(words[i])) {
			continue
		}
		kept = append(kept, words[i])
	}
	return kept
}

func switchFiller(word string) bool { return word == "basically" || word == "literally" }

// filler reports whether two words have no meaning between the words before and after them.
func filler(before, a, b, next string) bool {
	switch a + " " + b {
	case "you know":
		return !slices.Contains([]string{"do", "did", "don't", "if", "that", "what", "how", "as", "let", "when",
			"because", "would", "will", "since", "once", "until", "than", "all", "everything"}, before) &&
			!slices.Contains([]string{"that", "what", "how", "why", "who", "where", "when", "if", "about", "him",
				"her", "them", "it", "this", "better"}, next)
	case "i mean":
		return before != "what" && before != "how" && before != "that" && before != "know" && next != "by"
	case "kind of", "sort of":
		return !slices.Contains([]string{"what", "which", "this", "that", "some", "any", "every", "each", "the", "a",
			"no", "new", "same", "different", "another", "one", "first", "second", "best", "right", "other"}, before)
	}
	return false
}

// doubles are words that may be repeated on purpose.
var doubles = []string{"had", "that", "very", "really", "so", "no", "bye", "many", "long", "far", "zero", "oh", "one",
	"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "double", "hundred", "thousand"}

// repeats removes one of two equal runs of words, shortest to four words long, that follow each
// other, except for single words that may be repeated. Words that redaction has masked may differ.
func repeats(words []string, shortest int, may []string) []string {
	var kept []string
	for _, w := range words {
		kept = append(kept, w)
		for n := shortest; n <= 4 && 2*n <= len(kept); n++ {
			late, early := kept[len(kept)-n:], kept[len(kept)-2*n:len(kept)-n]
			if !slices.EqualFunc(early, late, func(a, b string) bool {
				return plain(a) != "" && plain(a) ==
					plain(b)
			}) {
				continue
			}
			if n == 1 && (slices.Contains(may, plain(w)) || plain(w)[0] >= '0' && plain(w)[0] <= '9') {
				continue
			}
			kept = append(kept[:len(kept)-2*n], late...)
			break
		}
	}
	return kept
}

// opening removes the words that only open a turn.
func opening(words []string) []string {
	for len(words) > 1 && opens(plain(words[0]), plain(words[1])) {
		words = words[1:]
	}
	if len(words) == 1 && opens(plain(words[0]), "") {
		return nil
	}
	return words
}

func opens(word, next string) bool {
	switch word {
	case "okay", "ok", "and", "but", "yeah", "yep", "yes", "alright", "oh", "anyway", "hey", "ah":
		return true
	case "so":
		return !slices.Contains([]string{"that", "far", "many", "much", "called", "few", "long", "close", "does", "do",
			"is"}, next)
	case "well":
		return next != "done" && next != "known"
	case "right":
		return next == "so" || next == "okay" || next == "and" || next == "well" || next == ""
	case "good", "great":
		return next == "then" || next == "okay" || next == "so"
	case "then":
		return next != "again"
	}
	return false
}

// closing removes conjunctions and the like from the end.
func closing(words []string) []string {
	for len(words) > 1 {
		switch plain(words[len(words)-1]) {
		case "and", "but", "or", "so", "because", "yeah", "okay":
			words = words[:len(words)-1]
			continue
		}
		break
	}
	return words
}

// plain returns a word in lower case without the punctuation around it.
func plain(word string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}), "’", "'"))
}

// english reports whether a language is English or unknown.
func english(language string) bool { return base(language) == "en" }

func base(language string) string {
	b, _, _ := strings.Cut(strings.ToLower(language), "-")
	if b == "" {
		return "en"
	}
	return b
}
