package entities

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var months = map[string]int64{"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7,
	"august":    8,
	"september": 9, "october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "apr": 4, "jun": 6, "jul": 7,
	"aug": 8,
	"sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12}

// monthsOf are those of other languages, in their order.
var monthsOf = map[string][]string{
	"de": strings.Fields("januar februar märz april mai juni juli august september oktober november dezember"),
	"fr": strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
	"es": strings.Fields("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
	"it": strings.Fields("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
	"nl": strings.Fields("januari februari maart april mei juni juli augustus september oktober november december"),
	"pt": strings.Fields("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
}

const weekdays = "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays " +
	"fridays saturdays sundays"

// readMonth reads the name of a month.
func readMonth(t *text, i int) (int64, int) {
	m := months[t.low(i)]
	if of := monthsOf[t.language]; of != nil {
		m = int64(slices.Index(of, t.low(i)) + 1)
	}
	if t.at(i).raw == "Mar" && t.english {
		m = 3
	}
	if m == 0 || len(t.low(i)) < 4 && m != 5 && isPart(t, i) {
		return 0, i
	}
	return m, i + 1
}

// isPart reports whether a hyphen joins the token at i to one that is no month.
func isPart(t *text, i int) bool {
	return t.at(i).joins && months[t.low(i-1)] == 0 || t.at(i+1).joins && months[t.low(i+1)] == 0
}

// readYear reads 1984, "nineteen eighty four", "two thousand and five" or "twenty twenty": 1800 to
// 2099, else 0.
func readYear(t *text, i int) (int64, int) {
	low := t.low(i)
	if len(low) == 4 && digitsOnly(low) {
		y, _ := strconv.ParseInt(low, 10, 64)
		return inYears(y, i, i+1)
	}
	if a, end, ok := readNumber(t, i); ok && a.within(2000, 2099) && low == "two" {
		return a.whole, end
	}
	century := map[string]int64{"eighteen": 18, "nineteen": 19, "twenty": 20}[low]
	if century == 0 || t.at(i).after != 0 {
		return 0, i
	}
	if t.low(i+1) == "hundred" {
		return inYears(century*100, i, i+2)
	}
	if u := units[t.low(i+2)]; oneOf(t.low(i+1), "oh o") && u > 0 {
		return century*100 + u, i + 3
	}
	if v, end, ok := readBelow100(t, i+1); ok && v >= 10 {
		return century*100 + v, end
	}
	return 0, i
}

func inYears(y int64, i, end int) (int64, int) {
	if y < 1800 || y > 2099 {
		return 0, i
	}
	return y, end
}

// date is a date, or a part of one. Zero: not said.
type date struct {
	year, month, day int64
	weekday          bool
}

// kind is the entity type of a date.
func (m date) kind() string {
	switch {
	case m.day > 0 || m.month > 0 && m.year > 0:
		return "DATE"
	case m.month > 0:
		return "MONTH"
	case m.year > 0:
		return "YEAR"
	}
	return "DAY"
}

// value is a date as 1984-03-02, with "--" for a year not said.
func (m date) value() string {
	var parts []string
	if m.year > 0 {
		parts = append(parts, strconv.FormatInt(m.year, 10))
	} else {
		parts = append(parts, "-")
	}
	if m.month > 0 {
		parts = append(parts, pad(m.month))
	}
	if m.day > 0 {
		parts = append(parts, pad(m.day))
	}
	return strings.Join(parts, "-")
}

// readDate reads the date that begins at i.
func readDate(t *text, i int) (date, int, bool) {
	if oneOf(t.low(i), weekdays) {
		at := i + 1
		if t.low(at) == "the" || t.low(at) == "on" {
			at++
		}
		if m, end, ok := readDateWithoutWeekday(t, at); ok && m.day > 0 {
			m.weekday = true
			return m, end, true
		}
		return date{weekday: true}, i + 1, true
	}
	return readDateWithoutWeekday(t, i)
}

// readDateWithoutWeekday reads a date without its weekday.
func readDateWithoutWeekday(t *text, i int) (date, int, bool) {
	if m, end, ok := readDayFirst(t, i); ok {
		return m, end, true
	}
	if m, end, ok := readMonthFirst(t, i); ok {
		return m, end, true
	}
	if y, end := readYear(t, i); y > 0 && isYear(t, i, end, y) {
		return date{year: y}, end, true
	}
	return date{}, i, false
}

// readDayFirst reads "the third of march 1984", "3 march", "3rd march".
func readDayFirst(t *text, i int) (date, int, bool) {
	if t.low(i) == "the" {
		i++
	}
	d, at, ranked := readOrdinal(t, i)
	if !ranked && t.low(i-1) == "the" {
		return date{}, i, false
	}
	if !ranked {
		a, end, ok := readGroup(t, i)
		if !ok || !a.within(1, 31) {
			return date{}, i, false
		}
		d, at = a.whole, end
	}
	of := t.low(at) == "of" || t.low(at) == "day" && t.low(at+1) == "of"
	for oneOf(t.low(at), "day of") {
		at++
	}
	m, end := readMonth(t, at)
	if m == 0 && of && ranked {
		m, end = readRankedMonth(t, at)
	}
	if m == 0 || d > 31 || t.closed(i, at) {
		return date{}, i, false
	}
	year, to := readYearBehind(t, end)
	if !ranked && !of && year == 0 && isUnsureMonth(t, at) && !digitsOnly(t.low(i)) {
		return date{}, i, false
	}
	return date{year: year, month: m, day: d}, to, true
}

// readRankedMonth reads the month of "the ninth of the eleventh" at "the", where a year or the end
// of what is said follows, or a date of birth is spoken of.
func readRankedMonth(t *text, i int) (int64, int) {
	if t.low(i) != "the" {
		return 0, i
	}
	m, end, ok := readOrdinal(t, i+1)
	if !ok || m > 12 {
		return 0, i
	}
	if y, _ := readYearBehind(t, end); y == 0 && !isBirth(t, i) {
		return 0, i
	}
	return m, end
}

// readMonthFirst reads "march third nineteen eighty four", "march 1984", "march".
func readMonthFirst(t *text, i int) (date, int, bool) {
	m, at := readMonth(t, i)
	if m == 0 {
		return date{}, i, false
	}
	if y, end := readYear(t, at); y > 0 && t.at(i).after != '.' &&
		!(y < 1900 && t.low(at) != strconv.FormatInt(y, 10)) {
		return date{year: y, month: m}, end, true
	}
	from := at
	if t.low(from) == "the" {
		from++
	}
	d, end, ok := readOrdinal(t, from)
	if !ok {
		if a, to, is := readGroup(t, from); is && a.within(1, 31) && t.at(i).after == 0 {
			d, end, ok = a.whole, to, true
		}
	}
	if ok && d <= 31 && t.at(i).after == 0 {
		y, to := readYearBehind(t, end)
		if y > 0 || !isUnsureMonth(t, i) || leadsToDate(t, i) || t.ends(end-1) || digitsOnly(t.low(from)) ||
			isBirthday(t, end) {
			return date{year: y, month: m, day: d}, to, true
		}
	}
	if y, end := readYear(t, at+1); y > 0 && t.low(at) == "of" {
		return date{year: y, month: m}, end, true
	}
	return date{month: m}, at, !isUnsureMonth(t, i) || isMonth(t, i)
}

// readBirthYear reads what follows a day and month of birth as the two last digits of a year:
// "eighty two", "oh five", "91".
func readBirthYear(t *text, i int) (int64, int) {
	at := i
	if oneOf(t.low(at), "of in") {
		at++
	}
	v, end, ok := readBelow100(t, at)
	switch low := t.low(at); {
	case oneOf(low, "oh o"):
		v, end, ok = readBelow100(t, at+1)
		ok = ok && v < 10
	case !ok && len(low) == 2 && digitsOnly(low):
		v, _ = strconv.ParseInt(low, 10, 64)
		end, ok = at+1, true
	default:
		ok = ok && v > 9
	}
	if !ok || isUnit(t, end) || isDigit(t, end) && !t.boundary(end) || t.at(i-1).after == '.' && !t.boundary(i) {
		return 0, i
	}
	if v += 1900; v < 1930 {
		v += 100
	}
	return v, end
}

// readYearBehind reads the year that follows a day or month: "… nineteen eighty four", "…, 1984",
// "… of 1984".
func readYearBehind(t *text, i int) (int64, int) {
	if t.at(i-1).after == '.' {
		return 0, i
	}
	at := i
	if oneOf(t.low(at), "of in") {
		at++
	}
	if y, end := readYear(t, at); y > 0 {
		return y, end
	}
	return 0, i
}

// isUnsureMonth reports whether the month at i may as well be a verb.
func isUnsureMonth(t *text, i int) bool { return oneOf(t.low(i), "may march") && !t.proper(i) }

// leadsToDate reports whether the words before i lead to a date.
func leadsToDate(t *text, i int) bool {
	return oneOf(t.low(i-1),
		"on by until since before after from born due dated of till between and through is was to "+weekdays)
}

// isMonth reports whether "may" or "march" at i is a month by its neighbours.
func isMonth(t *text, i int) bool {
	lead := oneOf(t.low(i-1), "in since until by of last next early late mid during till through every before after")
	return lead && !oneOf(t.low(i+1), "be have not i we you he she they need want also well as it the on have")
}

// isYear reports whether the number [i,end) is a year by its neighbours.
func isYear(t *text, i, end int, y int64) bool {
	if a, to, ok := readNumber(t, i); ok && to > end && a.whole != y {
		return false
	}
	if isDigit(t, end) || isDigit(t, i-1) && t.at(i-1).after == 0 || isUnit(t, end) ||
		oneOf(t.low(end), "point hundred thousand million percent") {
		return false
	}
	lead := oneOf(t.low(i-1),
		"in since by from until till year before after during around circa early late mid of summer winter spring "+
			"fall autumn and to between through or")
	spoken := oneOf(t.low(i), "nineteen eighteen") && end > i+1 && t.low(i+1) != "hundred"
	if oneOf(t.low(i-1), "of and to or") && !spoken {
		return oneOf(t.low(i-1), "to and") && t.near(i, 5, "from between") ||
			oneOf(t.low(i-2), "class end start beginning summer winter spring fall autumn")
	}
	return lead || spoken
}

// isUnit reports whether what is counted by a number stands at i.
func isUnit(t *text, i int) bool {
	low := t.low(i)
	return currencies[low] != "" ||
		oneOf(low, periods+" "+measures+" percent people times points miles feet inches pounds kilometers meters")
}

var (
	isoForm   = regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$`)
	dayForm   = regexp.MustCompile(`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$`)
	slashed   = regexp.MustCompile(`^(0?[1-9]|1[0-2])/(\d{2}|\d{4})$`)
	yearsForm = regexp.MustCompile(`^((?:19|20)\d{2})[-–]((?:19|20)\d{2})$`)
)

// isDate reports whether a word is a date in digits.
func isDate(raw string) bool {
	_, ok := numericDate(raw)
	return ok || yearsForm.MatchString(raw)
}

// numericDate reads 1984-03-02, 3/2/1984 and 2.3.84. Months first, but for points and where that
// cannot be.
func numericDate(raw string) (date, bool) {
	var a [3]int64
	m := isoForm.FindStringSubmatch(raw)
	if m == nil {
		if m = dayForm.FindStringSubmatch(raw); m == nil {
			return date{}, false
		}
		m = []string{m[0], m[3], m[1], m[2]}
	}
	for i := range a {
		a[i], _ = strconv.ParseInt(m[i+1], 10, 64)
	}
	return ymd(a[0], a[1], a[2], strings.Contains(raw, "."))
}

// ymd makes a date of numbers; day and month change places where they must.
func ymd(y, m, d int64, dayFirst bool) (date, bool) {
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
	return date{year: y, month: m, day: d}, m >= 1 && m <= 12 && d >= 1 && d <= 31
}

// writtenDates finds dates in digits.
func writtenDates(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		raw := t.at(i).raw
		if m, ok := numericDate(raw); ok {
			list = append(list, dateCandidate(t, i, i+1, m))
		} else if yearsForm.MatchString(raw) {
			list = append(list, candidate{kind: "DATE_INTERVAL", from: i, to: i + 1, weight: formed})
		}
	}
	return list
}

// birthWords announce a date of birth.
const birthWords = "born birth birthday birthdate dob birthdays"

// dateCandidate is a date, or one of birth by the words around it.
func dateCandidate(t *text, from, to int, m date) candidate {
	kind, w := m.kind(), formed
	if (kind == "DATE" || kind == "YEAR") && (isBirth(t, from) || isBirthBehind(t, to)) {
		kind, w = "DOB", cued
	}
	return candidate{kind: kind, from: from, to: to, weight: w, value: m.value()}
}

func isBirth(t *text, i int) bool {
	spelt := t.low(i-3) == "d" && t.low(i-2) == "o" && t.low(i-1) == "b" || t.low(i-4) == "d" && t.low(i-3) == "o" &&
		t.low(i-2) == "b"
	return spelt || t.near(i, 7, birthWords)
}

// isBirthBehind reports whether a date that ends at i is said to be of birth: "… is my birthday".
func isBirthBehind(t *text, i int) bool {
	const between = "that it which this is was the my your his her our date day of when i he she"
	said := false
	for n := 0; n < 7 && oneOf(t.low(i), between); n++ {
		said = said || oneOf(t.low(i), "is was") || t.contracts(i, "that it")
		i++
	}
	return said && oneOf(t.low(i), birthWords) && (!t.joins(i+1) || oneOf(t.low(i+1), functional))
}

// isBirthday reports whether a day and month that end at i, with two digits of a year or without,
// are said to be of birth.
func isBirthday(t *text, i int) bool {
	_, end := readBirthYear(t, i)
	return isBirthBehind(t, end)
}

// spokenDates finds dates in words, parts of dates, and intervals between them.
func spokenDates(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if c, ok := readBirthDigits(t, i); ok {
			list = append(list, c)
		}
		if m, to, ok := readSlashDate(t, i); ok {
			list = append(list, dateCandidate(t, i, to, m))
		}
		if y, to := readBirthYear(t, i); y > 0 && t.low(i-1) == "in" && t.low(i-2) == "born" &&
			(t.low(to) == "" || t.at(to-1).after != 0 || oneOf(t.low(to), functional)) {
			list = append(list, dateCandidate(t, i, to, date{year: y}))
		}
		m, end, ok := readAnyDate(t, i)
		if !ok || insideNumber(t, i) {
			continue
		}
		if m.day > 0 && m.year == 0 {
			if year, to := readBirthYear(t, end); isBirth(t, i) || year > 0 && isBirthBehind(t, to) {
				m.year, end = year, to
			}
		}
		list = append(list, dateCandidate(t, i, end, m))
		if to := intervalEnd(t, i, end, m); to > end {
			list = append(list, candidate{kind: "DATE_INTERVAL", from: i, to: to, weight: formed})
		}
	}
	return list
}

// readAnyDate reads a date in words or digits at i.
func readAnyDate(t *text, i int) (date, int, bool) {
	if m, ok := numericDate(t.at(i).raw); ok {
		return m, i + 1, true
	}
	return readDate(t, i)
}

// insideNumber reports whether a number that begins before i continues there, so that no date
// begins at i.
func insideNumber(t *text, i int) bool {
	_, tenBefore := tens[t.low(i-1)]
	_, isUnit := units[t.low(i)]
	_, isRank := ordinals[t.low(i)]
	return tenBefore && (isUnit || isRank) || isDigit(t, i) && isDigit(t, i-1) && t.at(i-1).after == 0
}

// intervalEnd is where an interval ends that begins with the date [i,end); end where it is none.
func intervalEnd(t *text, i, end int, m date) int {
	between := t.low(i-1) == "between" || t.low(i-1) == "the" && t.low(i-2) == "between"
	if !(oneOf(t.low(end), "to through until till thru - –") || between && t.low(end) == "and") || t.at(end-1).after ==
		'.' {
		return end
	}
	at := end + 1
	if t.low(at) == "the" {
		at++
	}
	if n, to, ok := readAnyDate(t, at); ok && (n.day > 0 || n.month > 0 || n.year > 0 || n.weekday) {
		return to
	}
	if y, to := readYear(t, at); m.year > 0 && y > 0 {
		return to
	}
	if d, to, ok := readOrdinal(t, at); ok && m.day > 0 && d <= 31 {
		_, to = readYearBehind(t, to)
		return to
	}
	if a, to, ok := readGroup(t, at); ok && m.day > 0 && a.within(1, 31) && !isUnit(t, to) {
		_, to = readYearBehind(t, to)
		return to
	}
	return end
}

// readSlashDate reads "three slash two slash nineteen eighty four".
func readSlashDate(t *text, i int) (date, int, bool) {
	a, at, ok := readSmallNumber(t, i)
	if !ok || t.low(at) != "slash" {
		return date{}, i, false
	}
	b, at, ok := readSmallNumber(t, at+1)
	if !ok || t.low(at) != "slash" {
		return date{}, i, false
	}
	y, to := readYear(t, at+1)
	if y == 0 {
		if y, to, ok = readSmallNumber(t, at+1); !ok {
			return date{}, i, false
		}
	}
	m, ok := ymd(y, a, b, false)
	return m, to, ok
}

// readSmallNumber reads a number below a hundred in words, digits, or as "oh three".
func readSmallNumber(t *text, i int) (int64, int, bool) {
	if u, ok := units[t.low(i+1)]; ok && oneOf(t.low(i), "oh zero o") {
		return u, i + 2, true
	}
	if low := t.low(i); digitsOnly(low) && len(low) < 3 {
		v, _ := strconv.ParseInt(low, 10, 64)
		return v, i + 1, true
	}
	return readBelow100(t, i)
}

// readBirthDigits reads a date of birth in six or eight digits: "oh three oh two nineteen eighty
// four".
func readBirthDigits(t *text, i int) (candidate, bool) {
	if !isDigit(t, i) && !oneOf(t.low(i), "oh o") || isDigit(t, i-1) || !isBirth(t, i) {
		return candidate{}, false
	}
	r, ok := readRun(t, i)
	for _, n := range []int{8, 6} {
		if part, is := r.cut(n); is && (len(r.digits) == n || t.boundary(part.to)) {
			r = part
			break
		}
	}
	if n := len(r.digits); ok && t.hiding && n > 3 && n < 8 && n != 6 && t.near(i, 7, "birth dob birthdate") {
		return r.as("DOB", formed), true // in some form
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

func pad(n int64) string {
	if n < 10 {
		return "0" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}
