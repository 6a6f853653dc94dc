package entities

import "regexp"

const (
	periods  = "second seconds minute minutes hour hours day days week weeks month months year years decade decades fortnight hrs mins secs"
	measures = "milligrams milligram mg mgs micrograms microgram mcg milliliters milliliter millilitres ml mls cc ccs units unit tablets tablet pills pill " +
		"capsules capsule puffs puff drops drop teaspoons teaspoon tablespoons milliequivalents gummies lozenges"
	foods = "flour sugar milk water butter oil juice cream rice salt wine vanilla"
)

var doseForm = regexp.MustCompile(`^(?i)\d[\d.,]{0,8}(mg|mcg|µg|ml|cc|iu)$`)

// quantities finds durations and doses.
func quantities(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if doseForm.MatchString(t.at(i).raw) && !t.food(i+1) {
			list = append(list, candidate{kind: "DOSE", from: i, to: i + 1, weight: formed})
			continue
		}
		if t.digitish(i) && t.goesOn(i) {
			continue
		}
		if to := t.dose(i); to > i {
			list = append(list, candidate{kind: "DOSE", from: i, to: to, weight: formed})
		}
		if to := t.duration(i); to > i {
			list = append(list, candidate{kind: "DURATION", from: i, to: to, weight: formed})
		}
	}
	return list
}

func (t *text) food(i int) bool { return one(t.low(i), "of") && one(t.low(i+1), foods) }

// dose reads "five hundred milligrams", "two tablets", "half a tablet", "one to two puffs".
func (t *text) dose(i int) int {
	end := t.tally(i)
	if end == i || !one(t.low(end), measures) || t.at(end-1).after != 0 || t.food(end+1) {
		return i
	}
	if one(t.low(end), "units unit drops drop") && !t.near(i, 8, "take takes inject insulin dose inhale doctor prescribed put taking ear eye") && !t.medicine(end+1) {
		return i
	}
	return end + 1
}

// medicine says whether "of" a drug, or a drug, follows at i.
func (t *text) medicine(i int) bool {
	if t.low(i) == "of" {
		i++
	}
	return t.phrase(i, drug) > i
}

// tally reads a number, "one to two", "two and a half", "half a", "a couple of".
func (t *text) tally(i int) int {
	switch {
	case t.low(i) == "half" && one(t.low(i+1), "a an"):
		return i + 2
	case t.low(i) == "a" && t.low(i+1) == "couple":
		if t.low(i+2) == "of" {
			return i + 3
		}
		return i + 2
	}
	_, end, ok := t.number(i)
	if !ok {
		return i
	}
	if t.low(end) == "and" && t.low(end+1) == "a" && t.low(end+2) == "half" {
		return end + 3
	}
	if one(t.low(end), "to or") && t.at(end-1).after == 0 {
		if _, to, ok := t.number(end + 1); ok {
			return to
		}
	}
	return end
}

// duration reads "two and a half hours", "an hour and a half", "two hours thirty minutes", "for a week".
func (t *text) duration(i int) int {
	end := t.span(i)
	for n := 0; n < 3 && end > i && t.at(end-1).after == 0; n++ {
		at := end
		if t.low(at) == "and" {
			at++
		}
		if t.low(at) == "a" && t.low(at+1) == "half" && at > end {
			return at + 2
		}
		to := t.span(at)
		if to == at || one(t.low(at), "a an") {
			break
		}
		end = to
	}
	return end
}

const spanLead = "for in about took takes take within lasts lasted after than almost nearly over another lasting only around"

func (t *text) span(i int) int {
	if low := t.low(i); low == "an" && t.low(i+1) == "hour" || low == "a" && one(t.low(i+1), "week month year day decade fortnight minute") {
		if one(t.low(i-1), spanLead) && (low == "an" || !one(t.low(i-1), "after over")) {
			return i + 2
		}
		return i
	}
	end := t.tally(i)
	if end == i || t.at(end-1).after != 0 {
		return i
	}
	for n := 0; n < 1 && one(t.low(end), "more full whole business working calendar consecutive straight"); n++ {
		end++
	}
	if !one(t.low(end), periods) || t.low(end) == "second" && t.low(end-1) != "one" && t.low(end-1) != "1" {
		return i
	}
	return end + 1
}

var ageEnd = "and but now so or years today tomorrow this next last in with married i he she we who"

// ages finds "forty two years old", "aged 42", "i'm forty two".
func ages(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		a, end, ok := t.number(i)
		if !ok || !a.within(0, 120) || t.digitish(i) && t.goesOn(i) {
			continue
		}
		if to := t.old(end); to > end {
			list = append(list, candidate{kind: "AGE", from: i, to: to, weight: cued, value: a.String()})
		} else if t.aged(i, end, a) {
			list = append(list, candidate{kind: "AGE", from: i, to: end, weight: cued, value: a.String()})
		}
	}
	return list
}

// old goes on behind a number with "years old", "year old", "years of age".
func (t *text) old(i int) int {
	if t.low(i) == "and" && t.low(i+1) == "a" && t.low(i+2) == "half" {
		i += 3
	}
	if !one(t.low(i), "year years month months week weeks yr") {
		return i
	}
	switch {
	case one(t.low(i+1), "old olds"):
		return i + 2
	case t.low(i+1) == "of" && t.low(i+2) == "age":
		return i + 3
	case one(t.low(i+1), "young") && one(t.low(i), "years"):
		return i + 2
	}
	return i
}

// aged says whether the words around the number [i,end) make it an age.
func (t *text) aged(i, end int, a amount) bool {
	if t.unit(end) || t.digitish(end) || one(t.low(end), "point percent hundred thousand o'clock am pm a p to") {
		return false
	}
	switch prev := t.low(i - 1); {
	case one(prev, "aged age"):
		return true
	case prev == "of" && t.low(i-2) == "age", one(prev, "is was") && t.low(i-2) == "age" && t.low(i-3) != "average":
		return true
	case one(prev, "turned turning turns turn") && a.within(1, 110):
		return one(t.low(i-2), "i he she just i'm he's she's who i'll she'll he'll will be") || t.near(i, 4, "son daughter brother sister mom dad mother father wife husband grandmother grandfather") || t.is(i-2, given)
	case one(prev, "i'm") || one(prev, "he she") && t.at(i-1).raw != prev || prev == "am" && t.low(i-2) == "i" ||
		one(prev, "is was") && one(t.low(i-2), "he she who") || one(prev, "is") && one(t.low(i-2), "son daughter brother sister mother father mom dad wife husband grandmother grandfather"):
		return a.within(2, 110) && (t.at(end-1).after != 0 || end >= len(t.tokens) || one(t.low(end), ageEnd))
	}
	return false
}
