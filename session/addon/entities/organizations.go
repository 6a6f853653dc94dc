package entities

const (
	// legal words end the name of a firm, whatever it is.
	legal = "inc incorporated corporation corp llc ltd plc gmbh"
	// trades end the name of an organization if what is before is no ordinary word.
	trades = "university college bank airlines airways insurance pharmaceuticals technologies industries " +
		"enterprises foundation institute consulting logistics associates holdings motors electronics software " +
		"systems solutions bancorp brewery"
	wards = "hospital clinic infirmary hospice"
	// wardWords come before "hospital" in names, but make none alone.
	wardWords = "general memorial community regional county children university medical central city national state the"
)

// organizations finds firms, schools, banks and hospitals.
func organizations(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if end := t.phrase(i, company); end > i {
			if oneOf(t.low(end), legal) && t.at(end-1).after != '.' {
				end++
			}
			list = append(list, candidate{kind: "ORGANIZATION", from: i, to: end, weight: listed})
		}
		if from := firmStart(t, i); from < i {
			list = append(list, candidate{kind: "ORGANIZATION", from: from, to: skipLegalWord(t, i), weight: formed})
		}
		if end := schoolEnd(t, i); end > i {
			list = append(list, candidate{kind: "ORGANIZATION", from: i, to: end, weight: formed})
		}
		if end := hospitalEnd(t, i); end > i {
			if from := ownNameStart(t, i); from < i {
				list = append(list, candidate{kind: "ORGANIZATION_MEDICAL_FACILITY", from: from, to: end,
					weight: formed})
			}
		}
	}
	return list
}

// skipLegalWord passes a second legal word: "bank plc", "l l c".
func skipLegalWord(t *text, i int) int {
	if oneOf(t.low(i+1), legal) && t.at(i).after != '.' {
		return i + 2
	}
	if t.low(i) == "l" {
		return i + 3
	}
	return i + 1
}

// firmStart is where the name begins that ends with the legal or trade word at i; i where there is
// none.
func firmStart(t *text, i int) int {
	spelt := t.low(i) == "l" && t.low(i+1) == "l" && t.low(i+2) == "c"
	isLegal := oneOf(t.low(i), legal) || spelt || t.low(i) == "company" && t.proper(i) || t.low(i) == "limited" &&
		t.proper(i)
	if !isLegal && !oneOf(t.low(i), trades) {
		return i
	}
	from, named := i, isLegal
	for n := 0; n < 3 && from > 0 && t.at(from-1).after == 0; n++ {
		low := t.low(from - 1)
		if low == "and" && n > 0 && from > 1 && isLegal && !oneOf(t.low(from-2), functional) && t.is(from-2, family) {
			from -= 2
			continue
		}
		if oneOf(low, functional) || oneOf(low, "my") || isDigit(t, from-1) || len(low) == 1 && !t.proper(from-1) ||
			low == "" {
			break
		}
		if !isLegal && t.is(from-1, common) && !t.proper(from-1) &&
			!oneOf(low, "first national state north south east west city") {
			break
		}
		named = named || !oneOf(low, "first state city national")
		from--
	}
	if !named || from == i {
		return i
	}
	return from
}

// schoolEnd reads "university of california", "bank of america".
func schoolEnd(t *text, i int) int {
	if !oneOf(t.low(i), "university bank institute college") || t.low(i+1) != "of" {
		return i
	}
	at := i + 2
	if end := t.phrase(at, state|city|cityUnsure|country|countryUnsure); end > at {
		return end
	}
	if oneOf(t.low(at), "america technology") || t.proper(at) {
		return at + 1
	}
	return i
}

// hospitalEnd returns the token after "hospital", "clinic" or "medical center" at i, or i where
// there is none.
func hospitalEnd(t *text, i int) int {
	switch {
	case oneOf(t.low(i), wards):
		return i + 1
	case oneOf(t.low(i), "medical health surgery cancer") && oneOf(t.low(i+1), "center centre"), t.low(i) ==
		"urgent" && t.low(i+1) == "care":
		return i + 2
	}
	return i
}

// ownNameStart is where the name of a hospital before i begins; i where there is none.
func ownNameStart(t *text, i int) int {
	from, named := i, false
	for n := 0; n < 4 && from > 0 && t.at(from-1).after == 0; n++ {
		low := t.low(from - 1)
		if oneOf(low, functional) || isDigit(t, from-1) || t.is(from-1, common) && !t.proper(from-1) &&
			!oneOf(low, wardWords+" saint st mount good sacred heart mercy lady new") {
			break
		}
		named = named || !oneOf(low, wardWords) && !t.is(from-1, occupation|condition|procedure)
		from--
	}
	if !named {
		return i
	}
	return from
}
