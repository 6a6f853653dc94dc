package entities

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	isoForm   = regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$`)
	dayForm   = regexp.MustCompile(`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$`)
	slashed   = regexp.MustCompile(`^(0?[1-9]|1[0-2])/(\d{2}|\d{4})$`)
	yearsForm = regexp.MustCompile(`^((?:19|20)\d{2})[-–]((?:19|20)\d{2})$`)
)

// isDate says whether a word is a date in digits.
func isDate(raw string) bool {
	_, ok := numericDate(raw)
	return ok || yearsForm.MatchString(raw)
}

// numericDate reads 1984-03-02, 3/2/1984 and 2.3.84. Months first, but for points and where that cannot be.
func numericDate(raw string) (moment, bool) {
	var a [3]int64
	m := isoForm.FindStringSubmatch(raw)
	if m == nil {
		if m = dayForm.FindStringSubmatch(raw); m == nil {
			return moment{}, false
		}
		m = []string{m[0], m[3], m[1], m[2]}
	}
	for i := range a {
		a[i], _ = strconv.ParseInt(m[i+1], 10, 64)
	}
	return ymd(a[0], a[1], a[2], strings.Contains(raw, "."))
}

// ymd makes a date of numbers; day and month change places where they must.
func ymd(y, m, d int64, dayFirst bool) (moment, bool) {
	if dayFirst || m > 12 {
		m, d = d, m
	}
	if m > 12 {
		m, d = d, m
	}
	if y < 100 {
		if y += 1900; y < 1930 {
			y += 100
		}
	}
	return moment{year: y, month: m, day: d}, m >= 1 && m <= 12 && d >= 1 && d <= 31
}

// writtenDates finds dates in digits.
func writtenDates(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		raw := t.at(i).raw
		if m, ok := numericDate(raw); ok {
			list = append(list, t.dateAs(i, i+1, m))
		} else if yearsForm.MatchString(raw) {
			list = append(list, candidate{kind: "DATE_INTERVAL", from: i, to: i + 1, weight: formed})
		}
	}
	return list
}

// birthWords announce a date of birth.
const birthWords = "born birth birthday birthdate dob birthdays"

// dateAs is a date, or one of birth by the words before it.
func (t *text) dateAs(from, to int, m moment) candidate {
	kind, w := m.kind(), formed
	if (kind == "DATE" || kind == "YEAR") && t.birth(from) {
		kind, w = "DOB", cued
	}
	return candidate{kind: kind, from: from, to: to, weight: w, value: m.value()}
}

func (t *text) birth(i int) bool {
	spelt := t.low(i-3) == "d" && t.low(i-2) == "o" && t.low(i-1) == "b" || t.low(i-4) == "d" && t.low(i-3) == "o" && t.low(i-2) == "b"
	return spelt || t.near(i, 7, birthWords)
}

// spokenDates finds dates in words, parts of dates, and intervals between them.
func spokenDates(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if c, ok := t.birthDigits(i); ok {
			list = append(list, c)
		}
		if m, to, ok := t.slashDate(i); ok {
			list = append(list, t.dateAs(i, to, m))
		}
		m, end, ok := t.anyDate(i)
		if !ok || t.inside(i) {
			continue
		}
		list = append(list, t.dateAs(i, end, m))
		if to := t.interval(i, end, m); to > end {
			list = append(list, candidate{kind: "DATE_INTERVAL", from: i, to: to, weight: formed})
		}
	}
	return list
}

// anyDate reads a date in words or digits at i.
func (t *text) anyDate(i int) (moment, int, bool) {
	if m, ok := numericDate(t.at(i).raw); ok {
		return m, i + 1, true
	}
	return t.moment(i)
}

// inside says whether a number goes on from before i: then no date begins here.
func (t *text) inside(i int) bool {
	_, tenBefore := tens[t.low(i-1)]
	_, isUnit := units[t.low(i)]
	_, isRank := ordinals[t.low(i)]
	return tenBefore && (isUnit || isRank) || t.digitish(i) && t.digitish(i-1) && t.at(i-1).after == 0
}

// interval is where an interval ends that begins with the date [i,end); end where it is none.
func (t *text) interval(i, end int, m moment) int {
	between := t.low(i-1) == "between" || t.low(i-1) == "the" && t.low(i-2) == "between"
	if !(one(t.low(end), "to through until till thru - –") || between && t.low(end) == "and") || t.at(end-1).after == '.' {
		return end
	}
	at := end + 1
	if t.low(at) == "the" {
		at++
	}
	if n, to, ok := t.anyDate(at); ok && (n.day > 0 || n.month > 0 || n.year > 0 || n.weekday) {
		return to
	}
	if y, to := t.year(at); m.year > 0 && y > 0 {
		return to
	}
	if d, to, ok := t.ordinal(at); ok && m.day > 0 && d <= 31 {
		_, to = t.behind(to)
		return to
	}
	if a, to, ok := t.group(at); ok && m.day > 0 && a.within(1, 31) && !t.unit(to) {
		_, to = t.behind(to)
		return to
	}
	return end
}

// slashDate reads "three slash two slash nineteen eighty four".
func (t *text) slashDate(i int) (moment, int, bool) {
	a, at, ok := t.below100or(i)
	if !ok || t.low(at) != "slash" {
		return moment{}, i, false
	}
	b, at, ok := t.below100or(at + 1)
	if !ok || t.low(at) != "slash" {
		return moment{}, i, false
	}
	y, to := t.year(at + 1)
	if y == 0 {
		if y, to, ok = t.below100or(at + 1); !ok {
			return moment{}, i, false
		}
	}
	m, ok := ymd(y, a, b, false)
	return m, to, ok
}

// below100or reads a number below a hundred in words, digits, or as "oh three".
func (t *text) below100or(i int) (int64, int, bool) {
	if u, ok := units[t.low(i+1)]; ok && one(t.low(i), "oh zero o") {
		return u, i + 2, true
	}
	if low := t.low(i); digitsOnly(low) && len(low) < 3 {
		v, _ := strconv.ParseInt(low, 10, 64)
		return v, i + 1, true
	}
	return t.below100(i)
}

// birthDigits reads a date of birth in six or eight digits: "oh three oh two nineteen eighty four".
func (t *text) birthDigits(i int) (candidate, bool) {
	if !t.digitish(i) && !one(t.low(i), "oh o") || t.digitish(i-1) || !t.birth(i) {
		return candidate{}, false
	}
	r, ok := t.run(i)
	for _, n := range []int{8, 6} {
		if part, is := r.cut(n); is && (len(r.digits) == n || t.seam(part.to)) {
			r = part
			break
		}
	}
	if !ok || len(r.digits) != 6 && len(r.digits) != 8 {
		return candidate{}, false
	}
	var p [3]int64
	for n, s := range []string{r.digits[4:], r.digits[:2], r.digits[2:4]} {
		p[n], _ = strconv.ParseInt(s, 10, 64)
	}
	m, ok := ymd(p[0], p[1], p[2], false)
	return candidate{kind: "DOB", from: r.from, to: r.to, weight: checked, value: m.value()}, ok
}
