package entities

import (
	"regexp"
	"strings"
)

var (
	clockForm = regexp.MustCompile(`^(?i)([01]?\d|2[0-4])[:.h]([0-5]\d)(?::[0-5]\d)?(am|pm|a\.m|p\.m)?$`)
	hourForm  = regexp.MustCompile(`^(?i)(1[0-2]|0?[1-9])(am|pm|a\.m|p\.m)$`)
)

// writtenTimes finds "10:30", "10:30 pm", "5pm".
func writtenTimes(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		raw := t.at(i).raw
		half, to := readMeridiem(t, i+1)
		m := clockForm.FindStringSubmatch(raw)
		switch {
		case m != nil && (strings.Contains(raw, ":") || m[3] != "" || half != ""):
			value := strings.TrimPrefix(m[1], "0") + ":" + m[2]
			if half == "" {
				half = strings.ToLower(strings.ReplaceAll(m[3], ".", ""))
			}
			list = append(list, candidate{kind: "TIME", from: i, to: to, weight: formed,
				value: strings.TrimSpace(value + " " + half)})
		case hourForm.MatchString(raw):
			list = append(list, candidate{kind: "TIME", from: i, to: i + 1, weight: formed, value: hourValue(raw)})
		}
	}
	return list
}

func hourValue(raw string) string {
	m := hourForm.FindStringSubmatch(raw)
	return strings.TrimPrefix(m[1], "0") + ":00 " + strings.ToLower(strings.ReplaceAll(m[2], ".", ""))
}

// readMeridiem reads "am", "p m" at i.
func readMeridiem(t *text, i int) (string, int) {
	if t.at(i-1).after == '.' {
		return "", i
	}
	if oneOf(t.low(i), "am pm") && !(t.low(i) == "am" && t.low(i+1) == "i") {
		return t.low(i), i + 1
	}
	if oneOf(t.low(i), "a p") && t.low(i+1) == "m" {
		return t.low(i) + "m", i + 2
	}
	return "", i
}

// spokenTimes finds "ten thirty a m", "three o'clock", "quarter past two", "noon".
func spokenTimes(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if to, value := readClock(t, i); to > i {
			list = append(list, candidate{kind: "TIME", from: i, to: to, weight: cued, value: value})
		}
	}
	return list
}

func readClock(t *text, i int) (int, string) {
	switch {
	case oneOf(t.low(i), "noon midnight midday"):
		return i + 1, ""
	case isDigit(t, i-1) && t.at(i-1).after == 0 || oneOf(t.low(i-1), "point oh"):
		return i, ""
	case oneOf(t.low(i), "half quarter"):
		return partialHourEnd(t, i), ""
	}
	if to := pastHourEnd(t, i); to > i {
		return to, ""
	}
	h, at, ok := readSmallNumber(t, i)
	if !ok || h > 24 {
		return i, ""
	}
	if t.low(at) == "hundred" && t.low(at+1) == "hours" {
		return at + 2, pad(h) + ":00"
	}
	minutes, end := readMinutes(t, at)
	if half, to := readMeridiem(t, end); half != "" && h >= 1 && h <= 12 {
		return to, strings.TrimPrefix(pad(h), "0") + ":" + minutes + " " + half
	}
	if oneOf(t.low(end), "o'clock oclock") && h <= 12 {
		return end + 1, strings.TrimPrefix(pad(h), "0") + ":" + minutes
	}
	if end > at && h >= 1 && h <= 23 && oneOf(t.low(i-1), "at by around until till before after about from") &&
		endsTime(t, end) {
		return end, strings.TrimPrefix(pad(h), "0") + ":" + minutes
	}
	return i, ""
}

// endsTime reports whether the token at i neither continues the number before it nor is counted by
// it.
func endsTime(t *text, i int) bool {
	return !isUnit(t, i) && !isDigit(t, i) && streetKindEnd(t, i) == i &&
		!oneOf(t.low(i), "hundred thousand million dash point dot oh to")
}

// readMinutes reads "thirty", "oh five": two digits; "00" where none are said.
func readMinutes(t *text, i int) (string, int) {
	v, end, ok := readSmallNumber(t, i)
	if !ok || v > 59 || v < 10 && end == i+1 || t.at(i-1).after != 0 {
		return "00", i
	}
	return pad(v), end
}

// partialHourEnd reads "half past two", "quarter to five".
func partialHourEnd(t *text, i int) int {
	if !oneOf(t.low(i+1), "past to after before") {
		return i
	}
	if h, end, ok := readSmallNumber(t, i+2); ok && h >= 1 && h <= 12 && (t.low(i+1) != "to" || t.low(i) == "quarter") {
		return end
	}
	return i
}

// pastHourEnd reads "ten past five", "twenty minutes to six".
func pastHourEnd(t *text, i int) int {
	m, at, ok := readSmallNumber(t, i)
	if !ok || m > 59 {
		return i
	}
	named := t.low(at) == "minutes"
	if named {
		at++
	}
	if !(t.low(at) == "past" || named && t.low(at) == "to") {
		return i
	}
	if h, end, ok := readSmallNumber(t, at+1); ok && h >= 1 && h <= 12 && !isUnit(t, end) {
		return end
	}
	return i
}
