package entities

// places finds cities, states and countries by their lists.
func places(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		for _, p := range []struct {
			kind         string
			sure, unsure class
		}{{"LOCATION_CITY", city, cityUnsure}, {"LOCATION_STATE", state, 0}, {"LOCATION_COUNTRY", country, countryUnsure}} {
			end := t.phrase(i, p.sure|p.unsure)
			if end == i {
				continue
			}
			classes := theLexicon().classes[t.join(i, end)]
			doubtful := classes&p.sure == 0 || classes&(given|givenUnsure|family|familyUnsure) != 0 && end == i+1
			w := listed
			if p.kind == "LOCATION_STATE" && t.is(i-1, city|cityUnsure) || t.low(i-1) == "of" && t.low(i-2) == "state" && p.kind == "LOCATION_STATE" {
				w, doubtful = formed, false
			}
			if doubtful && !t.placed(i, end) || t.low(end) == "university" || t.streetEnd(end) > end && t.proper(i) == t.proper(end) {
				continue
			}
			if doubtful {
				w = cued
			}
			list = append(list, candidate{kind: p.kind, from: i, to: end, weight: w})
		}
	}
	return append(list, t.stateCodes()...)
}

// placed says whether the words around [i,end) speak of a place.
func (t *text) placed(i, end int) bool {
	if t.familyAt(end, true, false) && t.at(end-1).after == 0 {
		return false
	}
	if one(t.low(i-1), "the") {
		i--
	}
	lead := one(t.low(i-1), "in near visit visiting visited toward towards around via outside downtown moved live lives at") ||
		one(t.low(i-1), "to from") && !one(t.low(i-2), "talk speak spoke talked talking email message call hear heard listen gave give said letter report apologize reply wrote") && !one(t.low(end), "about")
	return lead || t.region(end) > end && t.at(end-1).after != '.' || t.proper(i) && t.low(i-1) == "of" && t.low(i-2) == "city"
}

// stateCodes finds "TX" behind a city and a comma.
func (t *text) stateCodes() []candidate {
	var list []candidate
	for i := 1; i < len(t.tokens); i++ {
		if stateForm.MatchString(t.at(i).raw) && one(t.low(i), stateCodes) && t.at(i-1).after == ',' && t.cased {
			list = append(list, candidate{kind: "LOCATION_STATE", from: i, to: i + 1, weight: formed})
		}
	}
	return list
}
