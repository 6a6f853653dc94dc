package entities

// dateParts finds the months, days and years in dates, for those who look for nothing wider. Of a
// date in one word, or in digits one after another, it is all of it.
func dateParts(t *text) []candidate {
	var list []candidate
	whole := func(from, to int) {
		for _, kind := range []string{"DAY", "MONTH", "YEAR"} {
			list = append(list, candidate{kind: kind, from: from, to: to, weight: listed})
		}
	}
	for i := range t.tokens {
		raw := t.at(i).raw
		if _, ok := numericDate(raw); ok || yearsForm.MatchString(raw) {
			whole(i, i+1)
			continue
		}
		if !t.english {
			continue
		}
		if c, ok := readBirthDigits(t, i); ok {
			whole(c.from, c.to)
		}
		if m, to, ok := readSlashDate(t, i); ok {
			list = append(list, datePartsOf(t, m, i, to)...)
		}
		if m, to, ok := readDate(t, i); ok && !insideNumber(t, i) {
			list = append(list, datePartsOf(t, m, i, to)...)
			list = append(list, intervalParts(t, m, i, to)...)
		}
	}
	return list
}

// datePartsOf are the parts of a date in the tokens [from,to).
func datePartsOf(t *text, m date, from, to int) []candidate {
	var list []candidate
	named, at := false, from
	for i := from; i < to; i++ {
		_, end := readMonth(t, i)
		named = named || end > i
	}
	for at < to {
		kind, end := datePartAt(t, m, at, named)
		if end > to || kind == "" {
			at++
			continue
		}
		named = named || kind == "MONTH"
		list = append(list, candidate{kind: kind, from: at, to: end, weight: listed})
		at = end
	}
	return list
}

// datePartAt reads one part of a date at i. If named, the month of the date is a word, so that no
// number is a month.
func datePartAt(t *text, m date, i int, named bool) (kind string, end int) {
	if oneOf(t.low(i), weekdays) {
		return "DAY", i + 1
	}
	if _, end := readMonth(t, i); end > i {
		return "MONTH", end
	}
	if y, end := readYear(t, i); y > 0 && y == m.year {
		return "YEAR", end
	}
	v, end, ok := readOrdinal(t, i)
	if !ok {
		v, end, ok = readSmallNumber(t, i)
	}
	switch {
	case !ok || v == 0:
		return "", i
	case !named && v == m.month:
		return "MONTH", end
	case v == m.day:
		return "DAY", end
	case v == m.year%100:
		return "YEAR", end
	}
	return "", i
}

// intervalParts returns the parts that follow the date [i,end) in the interval that begins with it.
func intervalParts(t *text, m date, i, end int) []candidate {
	to := intervalEnd(t, i, end, m)
	if to == end {
		return nil
	}
	at := end + 1
	if t.low(at) == "the" {
		at++
	}
	if n, last, ok := readAnyDate(t, at); ok && last == to {
		return datePartsOf(t, n, at, to)
	}
	if y, last := readYear(t, at); last == to {
		return datePartsOf(t, date{year: y}, at, to)
	}
	d, last, ok := readOrdinal(t, at)
	if !ok {
		d, last, _ = readSmallNumber(t, at)
	}
	y, _ := readYearBehind(t, last)
	return datePartsOf(t, date{year: y, day: d}, at, to)
}
