package entities

const (
	periods = "second seconds minute minutes hour hours day days week weeks month months year years decade " +
		"decades fortnight hrs mins secs"
	measures = "milligrams milligram mg mgs micrograms microgram mcg milliliters milliliter millilitres ml mls cc " +
		"ccs units unit tablets tablet pills pill capsules capsule puffs puff drops drop teaspoons teaspoon " +
		"tablespoons milliequivalents gummies lozenges"
	foods = "flour sugar milk water butter oil juice cream rice salt wine vanilla"
)

// durations finds "two weeks", "half an hour", "a couple of days".
func durations(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if isWrittenDose(t, i) || isDigit(t, i) && continuesNumber(t, i) {
			continue
		}
		if to := durationEnd(t, i); to > i {
			list = append(list, candidate{kind: "DURATION", from: i, to: to, weight: formed})
		}
	}
	return list
}

// tallyEnd reads a number, "one to two", "two and a half", "half a", "a couple of".
func tallyEnd(t *text, i int) int {
	switch {
	case t.low(i) == "half" && oneOf(t.low(i+1), "a an"):
		return i + 2
	case t.low(i) == "a" && t.low(i+1) == "couple":
		if t.low(i+2) == "of" {
			return i + 3
		}
		return i + 2
	}
	_, end, ok := readNumber(t, i)
	if !ok {
		return i
	}
	if t.low(end) == "and" && t.low(end+1) == "a" && t.low(end+2) == "half" {
		return end + 3
	}
	if oneOf(t.low(end), "to or") && t.at(end-1).after == 0 {
		if _, to, ok := readNumber(t, end+1); ok {
			return to
		}
	}
	return end
}

// durationEnd reads "two and a half hours", "an hour and a half", "two hours thirty minutes", "for
// a week".
func durationEnd(t *text, i int) int {
	end := timeSpanEnd(t, i)
	for n := 0; n < 3 && end > i && t.at(end-1).after == 0; n++ {
		at := end
		if t.low(at) == "and" {
			at++
		}
		if t.low(at) == "a" && t.low(at+1) == "half" && at > end {
			return at + 2
		}
		to := timeSpanEnd(t, at)
		if to == at || oneOf(t.low(at), "a an") {
			break
		}
		end = to
	}
	return end
}

const spanLead = "for in about took takes take within lasts lasted after than almost nearly over another lasting " +
	"only around"

func timeSpanEnd(t *text, i int) int {
	if low := t.low(i); low == "an" && t.low(i+1) == "hour" || low == "a" &&
		oneOf(t.low(i+1), "week month year day decade fortnight minute") {
		if oneOf(t.low(i-1), spanLead) && (low == "an" || !oneOf(t.low(i-1), "after over")) {
			return i + 2
		}
		return i
	}
	end := tallyEnd(t, i)
	if end == i || t.at(end-1).after != 0 {
		return i
	}
	for n := 0; n < 1 && oneOf(t.low(end), "more full whole business working calendar consecutive straight"); n++ {
		end++
	}
	if !oneOf(t.low(end), periods) || t.low(end) == "second" && t.low(end-1) != "one" && t.low(end-1) != "1" {
		return i
	}
	return end + 1
}

var ageEnd = "and but now so or years today tomorrow this next last in with married i he she we who"

// ages finds "forty two years old", "aged 42", "i'm forty two".
func ages(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		a, end, ok := readNumber(t, i)
		if !ok || !a.within(0, 120) || isDigit(t, i) && continuesNumber(t, i) {
			continue
		}
		if to := agePhraseEnd(t, end); to > end {
			list = append(list, candidate{kind: "AGE", from: i, to: to, weight: cued, value: a.String()})
		} else if isAge(t, i, end, a) {
			list = append(list, candidate{kind: "AGE", from: i, to: end, weight: cued, value: a.String()})
		}
	}
	return list
}

// agePhraseEnd returns the end of "years old", "year old" or "years of age" at i, after a number,
// or i where there is none.
func agePhraseEnd(t *text, i int) int {
	if t.low(i) == "and" && t.low(i+1) == "a" && t.low(i+2) == "half" {
		i += 3
	}
	if !oneOf(t.low(i), "year years month months week weeks yr") {
		return i
	}
	switch {
	case oneOf(t.low(i+1), "old olds"):
		return i + 2
	case t.low(i+1) == "of" && t.low(i+2) == "age":
		return i + 3
	case oneOf(t.low(i+1), "young") && oneOf(t.low(i), "years"):
		return i + 2
	}
	return i
}

// isAge reports whether the words around the number [i,end) make it an age.
func isAge(t *text, i, end int, a amount) bool {
	if isUnit(t, end) || isDigit(t, end) || oneOf(t.low(end), "point percent hundred thousand o'clock am pm a p to") {
		return false
	}
	switch prev := t.low(i - 1); {
	case oneOf(prev, "aged age"):
		return true
	case prev == "of" && t.low(i-2) == "age", oneOf(prev, "is was") && t.low(i-2) == "age" && t.low(i-3) != "average":
		return true
	case oneOf(prev, "turned turning turns turn") && a.within(1, 110):
		return oneOf(t.low(i-2), "i he she just i'm who i'll she'll he'll will be") ||
			t.near(i, 4, "son daughter brother sister mom dad mother father wife husband grandmother grandfather") ||
			t.is(i-2, given)
	case oneOf(prev, "i'm") || oneOf(prev, "he she") && t.at(i-1).raw != prev || prev == "am" && t.low(i-2) == "i" ||
		oneOf(prev, "is was") && oneOf(t.low(i-2), "he she who") || oneOf(prev, "is") &&
		oneOf(t.low(i-2), "son daughter brother sister mother father mom dad wife husband grandmother grandfather"):
		return a.within(2, 110) && (t.at(end-1).after != 0 || end >= len(t.tokens) || oneOf(t.low(end), ageEnd))
	}
	return false
}
