package align

import (
	"slices"
	"strings"
)

// ways are the ways to pronounce something: each a list of words of the dictionary.
type ways [][]string

// way returns the ways that some phrases are.
func way(phrases ...string) ways {
	var out ways
	for _, p := range phrases {
		out = append(out, strings.Fields(p))
	}
	return out
}

// then returns each way followed by each of the next ones.
func (w ways) then(next ways) ways {
	var out ways
	for _, a := range w {
		for _, b := range next {
			out = append(out, slices.Concat(a, b))
		}
	}
	return out
}

// last returns the ways with a change to their last word.
func (w ways) last(change func(string) string) ways {
	out := make(ways, 0, len(w))
	for _, a := range w {
		if n := len(a) - 1; n >= 0 {
			out = append(out, append(slices.Clone(a[:n]), change(a[n])))
		}
	}
	return out
}

// distinct returns the ways without those that are there already.
func (w ways) distinct() ways {
	var out ways
	for _, a := range w {
		if !slices.ContainsFunc(out, func(b []string) bool { return slices.Equal(a, b) }) {
			out = append(out, a)
		}
	}
	return out
}

var (
	small = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
		"fifteen sixteen seventeen eighteen nineteen")
	tens   = strings.Fields("ten twenty thirty forty fifty sixty seventy eighty ninety")
	scales = strings.Fields("thousand million billion trillion")
)

// Bounds of what is read as a number, in digits: longer ones are read digit by digit, and the
// longest not at all.
const (
	maxCardinal = 15
	maxDigits   = 32
)

// readings returns the ways to read digits that nothing follows: as a number, in pairs as years
// are, as an ordinal as days of a month are, digit by digit.
func readings(digits string) ways {
	if len(digits) == 0 || len(digits) > maxDigits {
		return nil
	}
	out := cardinals(digits)
	switch len(digits) {
	case 1, 2:
		if n := number(digits); n >= 1 && n <= 31 {
			out = append(out, cardinals(digits).last(ordinal)...)
		}
		if digits == "0" {
			out = append(out, way("oh")...)
		}
	case 3:
		out = append(out, cardinals(digits[:1]).then(pair(digits[1:]))...)
	case 4:
		if digits[0] != '0' {
			out = append(out, cardinals(digits[:2]).then(pair(digits[2:]))...)
		}
	}
	if len(digits) > 1 {
		out = append(out, singly(digits)...)
	}
	return out.distinct()
}

// pair returns the ways to read the last two digits of a year or a time.
func pair(digits string) ways {
	switch {
	case digits == "00":
		return way("hundred")
	case digits[0] == '0':
		return way("oh "+small[digits[1]-'0'], "zero "+small[digits[1]-'0'])
	default:
		return cardinals(digits)
	}
}

// singly returns the ways to read digits one by one.
func singly(digits string) ways {
	var zero, oh []string
	for _, c := range []byte(digits) {
		zero = append(zero, small[c-'0'])
		if c == '0' {
			oh = append(oh, "oh")
		} else {
			oh = append(oh, small[c-'0'])
		}
	}
	return ways{zero, oh}.distinct()
}

// number returns the value of up to nine digits.
func number(digits string) int {
	n := 0
	for _, c := range []byte(digits) {
		n = 10*n + int(c-'0')
	}
	return n
}

// cardinals returns the ways to read digits as a number: without and with "and".
func cardinals(digits string) ways {
	digits = strings.TrimLeft(digits, "0")
	switch {
	case digits == "":
		return way("zero")
	case len(digits) > maxCardinal:
		return singly(digits)
	}
	return ways{cardinal(digits, false), cardinal(digits, true)}.distinct()
}

// cardinal reads a number without leading zeros.
func cardinal(digits string, and bool) []string {
	var out []string
	for len(digits) > 0 {
		left := (len(digits) - 1) / 3 // thousands after this group
		group := digits[:len(digits)-3*left]
		digits = digits[len(group):]
		words := hundreds(number(group), and, left == 0 && len(out) > 0)
		if len(words) == 0 {
			continue
		}
		out = append(out, words...)
		if left > 0 {
			out = append(out, scales[left-1])
		}
	}
	return out
}

// hundreds reads a number below 1000, nothing for 0; after a larger group it follows that group's
// words.
func hundreds(n int, and, after bool) []string {
	var out []string
	if n >= 100 {
		out = append(out, small[n/100], "hundred")
	}
	n %= 100
	if n > 0 && and && (after || len(out) > 0) {
		out = append(out, "and")
	}
	switch {
	case n == 0:
	case n < 20:
		out = append(out, small[n])
	default:
		out = append(out, tens[n/10-1])
		if n%10 > 0 {
			out = append(out, small[n%10])
		}
	}
	return out
}

var ordinals = map[string]string{
	"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
	"twelve": "twelfth",
}

// ordinal returns the ordinal of the last word of a number.
func ordinal(word string) string {
	if o := ordinals[word]; o != "" {
		return o
	}
	if stem, ok := strings.CutSuffix(word, "y"); ok {
		return stem + "ieth"
	}
	return word + "th"
}

// plural returns the plural of the last word of a number.
func plural(word string) string {
	if stem, ok := strings.CutSuffix(word, "y"); ok {
		return stem + "ies"
	}
	if strings.HasSuffix(word, "x") {
		return word + "es"
	}
	return word + "s"
}

// fraction returns the ways to read the digits after a decimal point.
func fraction(digits string) ways {
	if len(digits) > maxDigits {
		return nil
	}
	out := singly(digits)
	if len(digits) == 2 && digits[0] != '0' {
		out = append(out, cardinals(digits)...)
	}
	return out.distinct()
}
