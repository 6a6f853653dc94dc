package entities

import (
	"regexp"
	"strings"
)

var degreeForm = regexp.MustCompile(`^[-+]?\d{1,3}\.\d{3,9}$|^[-+]?\d{1,3}(?:\.\d+)?°(?:\d{1,2}['′])?[NSEW]?$`)

// coordinates finds positions: "40.7128, -74.0060", "forty point seven degrees north seventy four degrees west".
func coordinates(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if degreeForm.MatchString(t.at(i).raw) && degreeForm.MatchString(t.at(i+1).raw) {
			list = append(list, candidate{kind: "LOCATION_COORDINATE", from: i, to: i + 2, weight: formed})
			continue
		}
		if to := t.bearing(i); to > i && !(t.digitish(i) && t.goesOn(i)) {
			at := to
			for one(t.low(at), "and by") {
				at++
			}
			if end := t.bearing(at); end > at {
				to = end
			}
			list = append(list, candidate{kind: "LOCATION_COORDINATE", from: i, to: to, weight: formed})
		}
		if one(t.low(i), "latitude longitude lat") {
			if from, to := t.coordinate(i + 1); to > from {
				list = append(list, candidate{kind: "LOCATION_COORDINATE", from: from, to: to, weight: cued})
			}
		}
	}
	return list
}

// bearing reads "forty point seven one degrees [ten minutes] north".
func (t *text) bearing(i int) int {
	_, end, ok := t.number(i)
	if !ok || t.low(end) != "degrees" {
		return i
	}
	end++
	if _, to, ok := t.number(end); ok && t.low(to) == "minutes" {
		end = to + 1
	}
	if one(t.low(end), "north south east west") {
		return end + 1
	}
	return i
}

// coordinate reads the number behind "latitude is".
func (t *text) coordinate(i int) (from, to int) {
	from = t.skip(i)
	at := from
	if one(t.low(at), "minus negative") {
		at++
	}
	if degreeForm.MatchString(t.at(at).raw) || figures.MatchString(strings.TrimLeft(t.at(at).raw, "-+")) {
		return from, at + 1
	}
	_, end, ok := t.number(at)
	if !ok {
		return from, from
	}
	if t.low(end) == "degrees" {
		end++
	}
	return from, end
}
