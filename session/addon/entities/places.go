package entities

import (
	"regexp"
	"strings"
)

// places finds cities, states and countries by their lists.
func places(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if end := statesEnd(t, i); end > i {
			list = append(list, candidate{kind: "LOCATION_COUNTRY", from: i, to: end, weight: formed,
				value: "united states"})
		}
		for _, p := range []struct {
			kind         string
			sure, unsure class
		}{{"LOCATION_CITY", city, cityUnsure}, {"LOCATION_STATE", state, 0}, {"LOCATION_COUNTRY", country,
			countryUnsure}} {
			end := t.phrase(i, p.sure|p.unsure)
			if end == i {
				continue
			}
			classes := theWordLists().classes[t.join(i, end)]
			doubtful := classes&p.sure == 0 || classes&(given|givenUnsure|family|familyUnsure) != 0 && end == i+1
			w := listed
			if p.kind == "LOCATION_STATE" && t.is(i-1, city|cityUnsure) || t.low(i-1) == "of" && t.low(i-2) ==
				"state" && p.kind == "LOCATION_STATE" {
				w, doubtful = formed, false
			}
			if doubtful && !isPlaced(t, i, end) || t.low(end) == "university" || streetKindEnd(t, end) > end &&
				t.at(end-1).after == 0 && t.proper(i) == t.proper(end) {
				continue
			}
			if doubtful {
				w = cued
			}
			list = append(list, candidate{kind: p.kind, from: i, to: end, weight: w})
		}
	}
	return append(list, stateCodeCandidates(t)...)
}

// isPlaced reports whether the words around [i,end) speak of a place.
func isPlaced(t *text, i, end int) bool {
	if isFamilyName(t, end, true, false) && t.at(end-1).after == 0 {
		return false
	}
	if oneOf(t.low(i-1), "the") {
		i--
	}
	if inList(t, i, end) {
		return true
	}
	lead := oneOf(t.low(i-1),
		"in near visit visiting visited toward towards around via outside downtown moved live lives at") ||
		oneOf(t.low(i-1), "to from") &&
			!oneOf(t.low(i-2), "talk speak spoke talked talking email message call hear heard listen gave give "+
				"said letter report apologize reply wrote") && !oneOf(t.low(end), "about")
	return lead || stateEnd(t, end) > end && t.at(end-1).after != '.' || t.proper(i) && t.low(i-1) == "of" &&
		t.low(i-2) == "city"
}

// statesEnd is where "U.S.", "U S" or "US" that begins at i ends, if it is no "us"; i where there
// is none.
func statesEnd(t *text, i int) int {
	switch raw := t.at(i).raw; {
	case raw == "U.S" || raw == "US" && t.cased && t.small:
		return i + 1
	case raw == "U" && t.at(i+1).raw == "S" && t.at(i+2).raw != "A":
		return i + 2
	}
	return i
}

// inList reports whether the words before [i,end) and a comma, "and" or "or" between are surely a
// place, or those after it are.
func inList(t *text, i, end int) bool {
	const sure, people = city | state | country, given | givenUnsure | family | familyUnsure
	isPlace := func(from, to int) bool {
		return from >= 0 && t.phrase(from, sure) == to && theWordLists().classes[t.join(from, to)]&people == 0
	}
	after := end
	if oneOf(t.low(end), "and or") {
		after++
	}
	if to := t.phrase(after, sure); to > after && (after > end || t.at(end-1).after == ',') && isPlace(after, to) {
		return true
	}
	before := i
	if oneOf(t.low(i-1), "and or") {
		before--
	}
	joins := before < i || t.at(i-1).after == ','
	return joins && t.at(before-1).after != '.' && (isPlace(before-1, before) || isPlace(before-2, before))
}

// stateCodeCandidates finds codes such as "TX" after a city and a comma.
func stateCodeCandidates(t *text) []candidate {
	var list []candidate
	for i := 1; i < len(t.tokens); i++ {
		if stateForm.MatchString(t.at(i).raw) && oneOf(t.low(i), stateCodes) && t.at(i-1).after == ',' && t.cased {
			list = append(list, candidate{kind: "LOCATION_STATE", from: i, to: i + 1, weight: formed})
		}
	}
	return list
}

var degreeForm = regexp.MustCompile(`^[-+]?\d{1,3}\.\d{3,9}$|^[-+]?\d{1,3}(?:\.\d+)?°(?:\d{1,2}['′])?[NSEW]?$`)

// coordinates finds positions: "40.7128, -74.0060", "forty point seven degrees north seventy four
// degrees west".
func coordinates(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if degreeForm.MatchString(t.at(i).raw) && degreeForm.MatchString(t.at(i+1).raw) {
			list = append(list, candidate{kind: "LOCATION_COORDINATE", from: i, to: i + 2, weight: formed})
			continue
		}
		if to := readBearing(t, i); to > i && !(isDigit(t, i) && continuesNumber(t, i)) {
			at := to
			for oneOf(t.low(at), "and by") {
				at++
			}
			if end := readBearing(t, at); end > at {
				to = end
			}
			list = append(list, candidate{kind: "LOCATION_COORDINATE", from: i, to: to, weight: formed})
		}
		if oneOf(t.low(i), "latitude longitude lat") {
			if from, to := readCoordinate(t, i+1); to > from {
				list = append(list, candidate{kind: "LOCATION_COORDINATE", from: from, to: to, weight: cued})
			}
		}
	}
	return list
}

// readBearing reads "forty point seven one degrees [ten minutes] north".
func readBearing(t *text, i int) int {
	_, end, ok := readNumber(t, i)
	if !ok || t.low(end) != "degrees" {
		return i
	}
	end++
	if _, to, ok := readNumber(t, end); ok && t.low(to) == "minutes" {
		end = to + 1
	}
	if oneOf(t.low(end), "north south east west") {
		return end + 1
	}
	return i
}

// readCoordinate reads the number that follows "latitude is".
func readCoordinate(t *text, i int) (from, to int) {
	from = skipFillers(t, i)
	at := from
	if oneOf(t.low(at), "minus negative") {
		at++
	}
	if degreeForm.MatchString(t.at(at).raw) || figures.MatchString(strings.TrimLeft(t.at(at).raw, "-+")) {
		return from, at + 1
	}
	_, end, ok := readNumber(t, at)
	if !ok {
		return from, from
	}
	if t.low(end) == "degrees" {
		end++
	}
	return from, end
}
