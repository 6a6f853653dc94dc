package entities

import (
	"strconv"
	"strings"
)

var months = map[string]int64{"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
	"september": 9, "october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "apr": 4, "jun": 6, "jul": 7, "aug": 8,
	"sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12}

const weekdays = "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays"

// month reads the name of a month.
func (t *text) month(i int) (int64, int) {
	if m := months[t.low(i)]; m > 0 {
		return m, i + 1
	}
	if t.at(i).raw == "Mar" {
		return 3, i + 1
	}
	return 0, i
}

// year reads 1984, "nineteen eighty four", "two thousand and five" or "twenty twenty": 1800 to 2099, else 0.
func (t *text) year(i int) (int64, int) {
	low := t.low(i)
	if len(low) == 4 && digitsOnly(low) {
		y, _ := strconv.ParseInt(low, 10, 64)
		return inYears(y, i, i+1)
	}
	if a, end, ok := t.number(i); ok && a.within(2000, 2099) && low == "two" {
		return a.whole, end
	}
	century := map[string]int64{"eighteen": 18, "nineteen": 19, "twenty": 20}[low]
	if century == 0 || t.at(i).after != 0 {
		return 0, i
	}
	if t.low(i+1) == "hundred" {
		return inYears(century*100, i, i+2)
	}
	if u := units[t.low(i+2)]; one(t.low(i+1), "oh o") && u > 0 {
		return century*100 + u, i + 3
	}
	if v, end, ok := t.below100(i + 1); ok && v >= 10 {
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

// moment is a date, or a part of one. Zero: not said.
type moment struct {
	year, month, day int64
	weekday          bool
}

// kind is the entity type of a moment.
func (m moment) kind() string {
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
func (m moment) value() string {
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

// moment reads the date that begins at i.
func (t *text) moment(i int) (moment, int, bool) {
	if one(t.low(i), weekdays) {
		at := i + 1
		if t.low(at) == "the" || t.low(at) == "on" {
			at++
		}
		if m, end, ok := t.day(at); ok && m.day > 0 {
			m.weekday = true
			return m, end, true
		}
		return moment{weekday: true}, i + 1, true
	}
	return t.day(i)
}

// day reads a date without its weekday.
func (t *text) day(i int) (moment, int, bool) {
	if m, end, ok := t.dayFirst(i); ok {
		return m, end, true
	}
	if m, end, ok := t.monthFirst(i); ok {
		return m, end, true
	}
	if y, end := t.year(i); y > 0 && t.aYear(i, end, y) {
		return moment{year: y}, end, true
	}
	return moment{}, i, false
}

// dayFirst reads "the third of march 1984", "3 march", "3rd march".
func (t *text) dayFirst(i int) (moment, int, bool) {
	if t.low(i) == "the" {
		i++
	}
	d, at, ranked := t.ordinal(i)
	if !ranked && t.low(i-1) == "the" {
		return moment{}, i, false
	}
	if !ranked {
		a, end, ok := t.group(i)
		if !ok || !a.within(1, 31) {
			return moment{}, i, false
		}
		d, at = a.whole, end
	}
	of := t.low(at) == "of" || t.low(at) == "day" && t.low(at+1) == "of"
	for one(t.low(at), "day of") {
		at++
	}
	m, end := t.month(at)
	if m == 0 || d > 31 || t.closed(i, at) {
		return moment{}, i, false
	}
	year, to := t.behind(end)
	if !ranked && !of && year == 0 && t.unsureMonth(at) && !digitsOnly(t.low(i)) {
		return moment{}, i, false
	}
	return moment{year: year, month: m, day: d}, to, true
}

// monthFirst reads "march third nineteen eighty four", "march 1984", "march".
func (t *text) monthFirst(i int) (moment, int, bool) {
	m, at := t.month(i)
	if m == 0 {
		return moment{}, i, false
	}
	if y, end := t.year(at); y > 0 && t.at(i).after != '.' && !(y < 1900 && t.low(at) != strconv.FormatInt(y, 10)) {
		return moment{year: y, month: m}, end, true
	}
	from := at
	if t.low(from) == "the" {
		from++
	}
	d, end, ok := t.ordinal(from)
	if !ok {
		if a, to, is := t.group(from); is && a.within(1, 31) && t.at(i).after == 0 {
			d, end, ok = a.whole, to, true
		}
	}
	if ok && d <= 31 && t.at(i).after == 0 {
		y, to := t.behind(end)
		if y > 0 || !t.unsureMonth(i) || t.dated(i) || t.ends(end-1) || digitsOnly(t.low(from)) {
			return moment{year: y, month: m, day: d}, to, true
		}
	}
	if y, end := t.year(at + 1); y > 0 && t.low(at) == "of" {
		return moment{year: y, month: m}, end, true
	}
	return moment{month: m}, at, !t.unsureMonth(i) || t.aMonth(i)
}

// behind reads the year behind a day or month: "… nineteen eighty four", "…, 1984", "… of 1984".
func (t *text) behind(i int) (int64, int) {
	if t.at(i-1).after == '.' {
		return 0, i
	}
	at := i
	if one(t.low(at), "of in") {
		at++
	}
	if y, end := t.year(at); y > 0 {
		return y, end
	}
	return 0, i
}

// unsureMonth says whether the month at i may as well be a verb.
func (t *text) unsureMonth(i int) bool { return one(t.low(i), "may march") && !t.proper(i) }

// dated says whether the words before i lead to a date.
func (t *text) dated(i int) bool {
	return one(t.low(i-1), "on by until since before after from born due dated of till between and through is was to "+weekdays)
}

// aMonth says whether "may" or "march" at i is a month by its neighbours.
func (t *text) aMonth(i int) bool {
	lead := one(t.low(i-1), "in since until by of last next early late mid during till through every before after")
	return lead && !one(t.low(i+1), "be have not i we you he she they need want also well he's as it the on have")
}

// aYear says whether the number [i,end) is a year by its neighbours.
func (t *text) aYear(i, end int, y int64) bool {
	if a, to, ok := t.number(i); ok && to > end && a.whole != y {
		return false
	}
	if t.digitish(end) || t.digitish(i-1) && t.at(i-1).after == 0 || t.unit(end) || one(t.low(end), "point hundred thousand million percent") {
		return false
	}
	lead := one(t.low(i-1), "in since by from until till year before after during around circa early late mid of summer winter spring fall autumn and to between through or")
	spoken := one(t.low(i), "nineteen eighteen") && end > i+1 && t.low(i+1) != "hundred"
	if one(t.low(i-1), "of and to or") && !spoken {
		return one(t.low(i-1), "to and") && t.near(i, 5, "from between") || one(t.low(i-2), "class end start beginning summer winter spring fall autumn")
	}
	return lead || spoken
}

// unit says whether what is counted by a number stands at i.
func (t *text) unit(i int) bool {
	low := t.low(i)
	return currencies[low] != "" || one(low, periods+" "+measures+" percent people times points miles feet inches pounds kilometers meters")
}
