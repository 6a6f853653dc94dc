package corpus

import (
	"regexp"
	"strconv"
	"strings"
)

// written is a number as recognizers write it: "$1,500", "3.5%", "21st", "1990s".
var written = regexp.MustCompile(`([$£€]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(st\b|nd\b|rd\b|th\b|s\b)?(%?)`)

var (
	small = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
		"fifteen sixteen seventeen eighteen nineteen")
	tens   = strings.Fields("zero ten twenty thirty forty fifty sixty seventy eighty ninety")
	scales = []struct {
		of   int
		name string
	}{{1e9, "billion"}, {1e6, "million"}, {1e3, "thousand"}, {100, "hundred"}}
	currencies = map[string]string{"$": " dollars", "£": " pounds", "€": " euros"}
	ordinals   = map[string]string{
		"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
		"twelve": "twelfth",
	}
)

// spellNumbers returns a text with its numbers in words, without "and". Four digits that may be a
// year are read as one.
func spellNumbers(text string) string {
	return written.ReplaceAllStringFunc(text, func(number string) string {
		m := written.FindStringSubmatch(number)
		words := spellDigits(strings.ReplaceAll(m[2], ",", ""), m[3] == "" && m[2] == strings.ReplaceAll(m[2], ",", ""))
		if m[3] != "" {
			words += " point " + singly(m[3][1:])
		}
		switch m[4] {
		case "":
		case "s":
			words = endings(words, map[string]string{}, "s")
		default:
			words = endings(words, ordinals, "th")
		}
		if m[5] != "" {
			words += " percent"
		}
		return " " + words + currencies[m[1]] + " "
	})
}

// spellDigits returns a whole number in words.
func spellDigits(digits string, mayBeYear bool) string {
	n, err := strconv.Atoi(digits)
	switch {
	case err != nil || n >= 1e12 || len(digits) > 1 && digits[0] == '0':
		return singly(digits)
	case !mayBeYear || n < 1100 || n > 2099 || n/100 == 20 && n%100 < 10:
		return cardinal(n)
	case n%100 == 0:
		return cardinal(n/100) + " hundred"
	case n%100 < 10:
		return cardinal(n/100) + " oh " + small[n%100]
	}
	return cardinal(n/100) + " " + cardinal(n%100)
}

func cardinal(n int) string {
	for _, s := range scales {
		if n >= s.of {
			return strings.TrimSuffix(cardinal(n/s.of)+" "+s.name+" "+cardinal(n%s.of), " zero")
		}
	}
	if n < len(small) {
		return small[n]
	}
	return strings.TrimSuffix(tens[n/10]+" "+small[n%10], " zero")
}

func singly(digits string) string {
	var out []string
	for _, d := range digits {
		out = append(out, small[d-'0'])
	}
	return strings.Join(out, " ")
}

// endings returns words with the last of them replaced, or with an ending.
func endings(words string, irregular map[string]string, ending string) string {
	at := strings.LastIndexByte(words, ' ') + 1
	last := words[at:]
	if other := irregular[last]; other != "" {
		return words[:at] + other
	}
	if stem, ok := strings.CutSuffix(last, "y"); ok {
		last = stem + "ie"
	}
	return words[:at] + last + ending
}

// isNumber holds the words of which a number may consist after "hundred and".
var isNumber = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range append(small[:len(small):len(small)], tens...) {
		set[w], set[endings(w, ordinals, "th")] = true, true
	}
	return set
}()

// withoutAnd returns words without the "and" of "a hundred and five".
func withoutAnd(words []string) []string {
	var out []string
	for i, w := range words {
		if w == "and" && i > 0 && i+1 < len(words) && isNumber[words[i+1]] &&
			(words[i-1] == "hundred" || words[i-1] == "thousand") {
			continue
		}
		out = append(out, w)
	}
	return out
}
