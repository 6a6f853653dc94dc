package entities

import (
	"regexp"
	"strconv"
	"strings"
)

// amount is a cardinal number below 1e15 with the digits after its point.
type amount struct {
	whole int64
	frac  string
}

func (a amount) String() string {
	s := strconv.FormatInt(a.whole, 10)
	if frac := strings.TrimRight(a.frac, "0"); frac != "" {
		s += "." + frac
	}
	return s
}

// within reports whether a is a whole number from low to high.
func (a amount) within(low, high int64) bool {
	return a.frac == "" && a.whole >= low && a.whole <= high
}

var (
	units = map[string]int64{"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
		"eight": 8, "nine": 9}
	teens = map[string]int64{"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
		"sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19}
	tens = map[string]int64{"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60,
		"seventy": 70, "eighty": 80, "ninety": 90}
	// scales are the steps of a number's groups.
	scales = map[string]int64{"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
	// figures are what a written number looks like.
	figures = regexp.MustCompile(`^(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,9}))?$`)
)

// readNumber reads the cardinal number that begins at i: "two hundred and fifty three", "2.5
// million", "1,200".
func readNumber(t *text, i int) (amount, int, bool) {
	a, end, ok := readGroup(t, i)
	if !ok {
		return amount{}, i, false
	}
	if s, is := scales[t.low(end)]; is && t.joins(end) {
		return readScaled(t, a, s, end+1)
	}
	if t.low(end) == "point" {
		if frac, to := readDecimals(t, end+1); frac != "" {
			a.frac, end = frac, to
			if s, is := scales[t.low(end)]; is {
				return readScaled(t, a, s, end+1)
			}
		}
	}
	return a, end, true
}

// joins reports whether no punctuation separates the token at i from the one before.
func (t *text) joins(i int) bool { return i < len(t.tokens) && t.at(i-1).after == 0 }

// readScaled adds the smaller groups that follow "a thousand" and the like.
func readScaled(t *text, a amount, scale int64, end int) (amount, int, bool) {
	total := amount{whole: times(a, scale)}
	for n := 0; n < 3 && t.joins(end); n++ {
		from := end
		if t.low(from) == "and" && t.joins(from+1) {
			from++
		}
		g, to, ok := readGroup(t, from)
		if !ok || g.frac != "" || g.whole == 0 {
			break
		}
		next, is := scales[t.low(to)]
		if is && next < scale {
			g.whole, to, scale = g.whole*next, to+1, next
		} else if is || g.whole >= scale || from != end && g.whole >= 100 || scale == 1 {
			break
		} else {
			scale = 1
		}
		total.whole, end = total.whole+g.whole, to
	}
	return total, end, true
}

func times(a amount, scale int64) int64 {
	frac := (a.frac + "000000000000")[:12]
	part, _ := strconv.ParseInt(frac, 10, 64)
	return min(a.whole, 1e6)*scale + part/(1e12/scale)
}

// readGroup reads a number below a thousand, or a written one.
func readGroup(t *text, i int) (amount, int, bool) {
	if m := figures.FindStringSubmatch(t.at(i).raw); m != nil {
		whole, err := strconv.ParseInt(strings.ReplaceAll(m[1], ",", ""), 10, 64)
		return amount{whole, m[2]}, i + 1, err == nil
	}
	v, end, ok := readBelow100(t, i)
	if (t.low(i) == "a" || t.low(i) == "an") && (t.low(i+1) == "hundred" || t.low(i+1) == "thousand" || t.low(i+1) ==
		"million") {
		v, end, ok = 1, i+1, true
	}
	if !ok {
		return amount{}, i, false
	}
	if t.low(end) == "hundred" && v > 0 {
		v, end = v*100, end+1
		from := end
		if t.low(from) == "and" {
			from++
		}
		if rest, to, more := readBelow100(t, from); more && rest > 0 && t.at(end-1).after == 0 {
			v, end = v+rest, to
		}
	}
	return amount{whole: v}, end, true
}

// readBelow100 reads "seven", "seventeen", "seventy" and "seventy seven".
func readBelow100(t *text, i int) (int64, int, bool) {
	low := t.low(i)
	if v, ok := units[low]; ok {
		return v, i + 1, true
	}
	if v, ok := teens[low]; ok {
		return v, i + 1, true
	}
	v, ok := tens[low]
	if !ok {
		return 0, i, false
	}
	if u, more := units[t.low(i+1)]; more && u > 0 && t.joins(i+1) {
		return v + u, i + 2, true
	}
	return v, i + 1, true
}

// readDecimals reads digits spoken one by one after a point, at most nine.
func readDecimals(t *text, i int) (string, int) {
	var b strings.Builder
	for b.Len() < 9 {
		if v, ok := units[t.low(i)]; ok {
			b.WriteByte(byte('0' + v))
		} else if v, end, ok := readBelow100(t, i); ok {
			b.WriteString(strconv.FormatInt(v, 10))
			return b.String(), end
		} else if low := t.low(i); b.Len() == 0 && digitsOnly(low) && len(low) < 9 {
			return low, i + 1
		} else if low == "oh" {
			b.WriteByte('0')
		} else {
			break
		}
		i++
	}
	return b.String(), i
}

func digitsOnly(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// readOrdinal reads "third", "twenty third" and "3rd", from 1 to 99.
func readOrdinal(t *text, i int) (int64, int, bool) {
	low := t.low(i)
	if v, ok := ordinals[low]; ok {
		return v, i + 1, true
	}
	if v, ok := tens[low]; ok {
		if u, more := ordinals[t.low(i+1)]; more && u < 10 {
			return v + u, i + 2, true
		}
	}
	for _, end := range []string{"st", "nd", "rd", "th"} {
		if n, ok := strings.CutSuffix(low, end); ok && digitsOnly(n) && len(n) < 3 {
			v, _ := strconv.ParseInt(n, 10, 64)
			return v, i + 1, v > 0
		}
	}
	return 0, i, false
}

var ordinals = map[string]int64{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
	"eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
	"fifteenth": 15,
	"sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
	"fortieth": 40,
	"fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90}
