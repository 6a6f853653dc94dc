package entities

// dateParts finds the months, days and years in dates, for those who look for nothing wider. Of a date in one word, or in
// digits one after another, it is all of it.
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
		if c, ok := t.birthDigits(i); ok {
			whole(c.from, c.to)
		}
		if m, to, ok := t.slashDate(i); ok {
			list = append(list, t.partsOf(m, i, to)...)
		}
		if m, to, ok := t.moment(i); ok && !t.inside(i) {
			list = append(list, t.partsOf(m, i, to)...)
			list = append(list, t.restOf(m, i, to)...)
		}
	}
	return list
}

// partsOf are the parts of a date in the tokens [from,to).
func (t *text) partsOf(m moment, from, to int) []candidate {
	var list []candidate
	named, at := false, from
	for i := from; i < to; i++ {
		_, end := t.month(i)
		named = named || end > i
	}
	for at < to {
		kind, end := t.partOf(m, at, named)
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

// partOf reads one part of a date at i; named says that its month is named, so that no number is one.
func (t *text) partOf(m moment, i int, named bool) (kind string, end int) {
	if one(t.low(i), weekdays) {
		return "DAY", i + 1
	}
	if _, end := t.month(i); end > i {
		return "MONTH", end
	}
	if y, end := t.year(i); y > 0 && y == m.year {
		return "YEAR", end
	}
	v, end, ok := t.ordinal(i)
	if !ok {
		v, end, ok = t.below100or(i)
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

// restOf are the parts behind the date [i,end) in the interval that begins with it.
func (t *text) restOf(m moment, i, end int) []candidate {
	to := t.interval(i, end, m)
	if to == end {
		return nil
	}
	at := end + 1
	if t.low(at) == "the" {
		at++
	}
	if n, last, ok := t.anyDate(at); ok && last == to {
		return t.partsOf(n, at, to)
	}
	if y, last := t.year(at); last == to {
		return t.partsOf(moment{year: y}, at, to)
	}
	d, last, ok := t.ordinal(at)
	if !ok {
		d, last, _ = t.below100or(at)
	}
	y, _ := t.behind(last)
	return t.partsOf(moment{year: y, day: d}, at, to)
}
