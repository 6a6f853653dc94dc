package sentences

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// stopEnds reports whether a full stop ends the sentence. body is the word before it, next the word
// after it, pause the seconds between them; first is true if the word begins the sentence.
func (r run) stopEnds(body, next string, pause float64, first bool) bool {
	name := strings.ToLower(body)
	digit := startsWithDigit(next)
	switch {
	case body == "":
		return true
	case number(body):
		return !first && !(ordinals(r.language) && !strings.Contains(body, ".") && pause < longPause)
	case leads(r.language, name):
		return false
	case beforeNumbers(name):
		return !digit && !lower(next)
	case dotted(body), trails(name):
		return !lower(next) && !digit && !zone(next) && (starter(next) || pause >= longPause || clock(name))
	case utf8.RuneCountInString(body) == 1 && unicode.IsUpper([]rune(body)[0]):
		return starter(next) || pause >= longPause || body == "I"
	}
	return true
}

func startsWithDigit(text string) bool {
	first, _ := utf8.DecodeRuneInString(opened(text))
	return unicode.IsDigit(first)
}

// number reports whether a text consists of digits and separators.
func number(text string) bool {
	return strings.IndexFunc(text, unicode.IsDigit) >= 0 &&
		strings.IndexFunc(text, func(r rune) bool { return !unicode.IsDigit(r) && !strings.ContainsRune(".,:", r) }) < 0
}

// ordinals reports whether a language writes ordinal numbers with a full stop.
func ordinals(language string) bool {
	switch language {
	case "de", "lb", "da", "no", "nn", "fi", "et", "lv", "cs", "sk", "sl", "hr", "bs", "sr", "hu", "pl", "is", "fo",
		"tr", "eu":
		return true
	}
	return false
}

// Abbreviated reports whether the full stop at the end of a word may belong to it: "Mr.", "p.m.",
// "Inc.", "U.S.", "J.". Words that are abbreviations only before a number, such as "no.", are left
// out.
func Abbreviated(language, word string) bool {
	body, ok := strings.CutSuffix(opened(closed(word)), ".")
	name := strings.ToLower(body)
	return ok && (leads(language, name) || trails(name) || dotted(body) || utf8.RuneCountInString(body) == 1 &&
		!number(body))
}

// Leads reports whether a word with a full stop is an abbreviation or initial that belongs to the
// word after it: "Mr.", "No.".
func Leads(language, word string) bool {
	body, ok := strings.CutSuffix(opened(word), ".")
	name := strings.ToLower(body)
	initial := utf8.RuneCountInString(body) == 1 && unicode.IsUpper([]rune(body)[0]) && body != "I"
	return ok && (leads(language, name) || beforeNumbers(name) || initial || name == "st")
}

// dotted reports whether a word is an abbreviation with a full stop within it, such as "U.S" or
// "Ph.D", no address or number.
func dotted(body string) bool {
	before, _, ok := strings.Cut(body, ".")
	return ok && before != "" && len(before) <= 2 && len(body) <= 6 && !strings.HasSuffix(body, ".") &&
		strings.IndexFunc(body, func(r rune) bool { return r != '.' && !unicode.IsLetter(r) }) < 0
}

// leads reports whether a word is an abbreviation that never ends a sentence.
func leads(language, name string) bool {
	switch name {
	case "mr", "mrs", "ms", "messrs", "dr", "prof", "rev", "hon", "gen", "col", "maj", "capt", "cpt", "lt", "sgt",
		"sen", "rep",
		"gov", "pres", "supt", "mt", "vs", "e.g", "i.e", "cf", "approx", "ca", "viz", "al", "ft":
		return true
	}
	switch language {
	case "de":
		switch name {
		case "hr", "fr", "z.b", "d.h", "u.a", "bzw", "ca", "nr", "str", "evtl", "ggf", "inkl", "vgl", "sog", "dipl",
			"ing", "st":
			return true
		}
	case "fr":
		return name == "m" || name == "mme" || name == "mlle" || name == "me" || name == "p.ex"
	case "es", "pt", "it":
		switch name {
		case "sr", "sra", "srta", "dra", "d", "dña", "ud", "uds", "p.ej", "av", "ej", "sig", "dott", "ing", "avv",
			"dª", "exmo":
			return true
		}
	}
	return false
}

// beforeNumbers reports whether a word is an abbreviation before a number, and an ordinary word
// elsewhere.
func beforeNumbers(name string) bool {
	switch name {
	case "no", "nos", "nr", "art", "fig", "figs", "vol", "p", "pp", "sec", "ch", "chap", "eq":
		return true
	}
	return false
}

// trails reports whether a word is an abbreviation that may end a sentence.
func trails(name string) bool {
	switch name {
	case "etc", "inc", "ltd", "co", "corp", "jr", "sr", "st", "ave", "blvd", "rd", "bros", "dept", "est", "esq", "usw",
		"phd", "llc",
		"jan", "feb", "apr", "aug", "sept", "oct", "nov", "dec", "mon", "tue", "tues", "wed", "thu", "thurs", "fri":
		return true
	}
	return clock(name)
}

// clock reports whether a word is an abbreviation after which a capital mostly begins a sentence.
func clock(name string) bool { return name == "a.m" || name == "p.m" || name == "etc" || name == "usw" }

// zone reports whether a word belongs to a time of day before it.
func zone(text string) bool {
	switch strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
	case "Eastern", "Central", "Mountain", "Pacific", "Standard", "Daylight", "GMT", "UTC", "EST", "EDT", "CST", "CDT",
		"MST", "MDT", "PST", "PDT", "CET", "CEST":
		return true
	}
	return false
}

// Starts reports whether a word has a capital that it only has at the beginning of a sentence: it
// is no name, nor "I".
func Starts(word string) bool { return starter(word) && !speaksOfSelf(word) }

// starter reports whether a word has a capital that it only has at the beginning of a sentence, or
// is "I".
func starter(text string) bool {
	text = opened(text)
	if first, _ := utf8.DecodeRuneInString(text); !unicode.IsUpper(first) {
		return false
	}
	switch strings.ToLower(strings.TrimRightFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })) {
	case "a", "an", "the", "this", "that", "these", "those", "there", "here", "it", "it's", "its", "he", "he's", "she",
		"she's", "we", "we're",
		"they", "they're", "you", "you're", "i", "i'm", "i've", "i'll", "i'd", "my", "your", "his", "her", "our",
		"their", "and", "but", "or", "so",
		"then", "now", "well", "yes", "no", "yeah", "okay", "ok", "if", "when", "what", "where", "why", "who", "how",
		"which", "while", "because",
		"in", "on", "at", "for", "from", "with", "to", "after", "before", "as", "is", "are", "was", "were", "do",
		"does", "did", "can", "could",
		"would", "will", "should", "have", "has", "had", "that's", "what's", "there's", "let's", "let", "please",
		"thanks", "thank", "not", "also",
		"however", "today", "yesterday", "tomorrow", "all", "some", "most", "many", "both", "each", "every", "nobody",
		"everybody", "everyone":
		return true
	}
	return false
}
