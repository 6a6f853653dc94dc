package entities

import (
	"regexp"
	"strings"
)

const (
	strongStreets = "street avenue boulevard lane road highway parkway st ave blvd rd ln"
	weakStreets   = "drive dr way place court circle square terrace trail loop crescent close row gardens hill grove " +
		"mews parade wharf quay plaza pike turnpike"
	directions = "north south east west northeast northwest southeast southwest n s e w ne nw se sw"
	// functional are words that are part of no name.
	functional = "a an the and or but if of in on at to for from by with about into over after before under " +
		"between as is am are was were be been being " +
		"i you he she it we they me him her us them my your his its our their this that these those there here " +
		"what which who whom whose when where why how " +
		"do does did done have has had having will would shall should can could may might must not no yes so than " +
		"then too very just also only i'm you're we're they're i've you've we've they've i'll you'll he'll she'll " +
		"we'll they'll don't doesn't didn't can't won't isn't aren't wasn't i'd " +
		"hired joined sued bought sold owns own left called with use used work works worked working called call " +
		"calls near visit visited told said says spelled spelt"
)

var houseForm = regexp.MustCompile(`^\d{1,5}[A-Za-z]$`)

// streets finds addresses: a house number, a street, and what follows of apartment, city, state and
// postal code.
func streets(t *text) []candidate {
	var list []candidate
	add := func(from, name int) {
		if end := max(streetEnd(t, name), kindFirstEnd(t, name), beforeUnit(t, name)); end > name {
			kind, to := readAddress(t, end)
			list = append(list, candidate{kind: kind, from: from, to: to, weight: cued},
				candidate{kind: "LOCATION_ADDRESS_STREET", from: from, to: unitEnd(t, end), weight: cued})
		}
	}
	for _, r := range t.runs {
		if n := len(r.digits); n > 8 || r.plus {
			continue
		}
		to := r.to
		if t.low(to) != "" && len(t.low(to)) == 1 && !oneOf(t.low(to), directions+" a i") {
			to++
		}
		add(r.from, to)
		if last := r.pieces[len(r.pieces)-1]; len(r.pieces) > 1 && ordinals[t.low(r.to)] > 0 {
			add(r.from, last.from)
		}
	}
	for i := range t.tokens {
		if houseForm.MatchString(t.at(i).raw) {
			add(i, i+1)
		}
		if end := homeEnd(t, i); end > i {
			add(i, i)
			if r, ok := readRun(t, end+1); ok && t.low(end) == "number" {
				list = append(list, candidate{kind: "LOCATION_ADDRESS_STREET", from: i, to: r.to, weight: cued})
			}
		}
		if to := postBoxEnd(t, i); to > i {
			_, end := readAddress(t, to)
			list = append(list, candidate{kind: "LOCATION_ADDRESS", from: i, to: end, weight: cued})
		}
	}
	return list
}

// homeEnd is where the name of a street at i ends that is spoken of as where somebody lives,
// without a number before it, "I live on Maple Street"; i where there is none.
func homeEnd(t *text, i int) int {
	const homes = "live lives living lived address house home apartment moved move reside resides residence grew"
	led := oneOf(t.low(i-1), "on in at is to") || t.contracts(i-1, "address it")
	if !led || !t.near(i, 6, homes) {
		return i
	}
	return streetEnd(t, i)
}

// kindFirstEnd is where the name of a street ends that begins with its kind at i: "Rue de la Paix";
// i where there is none.
func kindFirstEnd(t *text, i int) int {
	plain := !t.cased && oneOf(t.low(i), "rue boulevard calle avenida")
	if !oneOf(t.low(i), kindsFirst) || !t.at(i).caps && !plain {
		return i
	}
	const particles = "de la du des del della dei di da do dos das le les los las"
	at := i + 1
	for n := 0; n < 3 && t.joins(at) && oneOf(t.low(at), particles); n++ {
		at++
	}
	first := at
	for at-first < 3 && t.joins(at) && isNamePart(t, at) {
		at++
	}
	if at == first {
		return i
	}
	return at
}

// kindsFirst are kinds of streets in languages in which they stand before the name.
const kindsFirst = "rue avenue boulevard chemin allée quai calle avenida plaza paseo camino via viale piazza " +
	"corso rua travessa praça"

// beforeUnit is where the name of a street of up to three words at i ends that has no kind, before
// "apartment five"; i where there is none.
func beforeUnit(t *text, i int) int {
	at := i
	if isQuantity(t, i) {
		return i
	}
	for at-i < 3 && (at == i || t.at(at-1).after == 0) && at < len(t.tokens) && isNamePart(t, at) {
		at++
		if unitEnd(t, at) > at {
			return at
		}
	}
	return i
}

// isNamePart reports whether the token at i may be a word of a street's name.
func isNamePart(t *text, i int) bool {
	return (!t.cased || t.at(i).caps) && isPlainWord(t, i)
}

// isPlainWord reports whether the token at i is neither a functional word nor a number or an
// address.
func isPlainWord(t *text, i int) bool {
	low := t.low(i)
	return !oneOf(low, functional) && !strings.ContainsAny(low, "0123456789@") && !isDigit(t, i)
}

// postBoxEnd reads "p o box forty five".
func postBoxEnd(t *text, i int) int {
	at := i
	switch {
	case oneOf(t.low(i), "po") && t.low(i+1) == "box":
		at += 2
	case t.low(i) == "p" && t.low(i+1) == "o" && t.low(i+2) == "box":
		at += 3
	default:
		return i
	}
	if oneOf(t.low(at), "number") {
		at++
	}
	if r, ok := readRun(t, at); ok {
		return r.to
	}
	return i
}

// streetEnd is where the name of a street that begins at i ends; i where there is none.
func streetEnd(t *text, i int) int {
	at := i
	if oneOf(t.low(at), directions) && t.at(at).after == 0 {
		at++
	}
	if t.at(i-1).after == '.' {
		return i
	}
	first := at
	for n := 0; n < 4 && at < len(t.tokens); n++ {
		if n > 0 {
			if end := streetKindEnd(t, at); end > at && isStreetName(t, first, at) {
				return end
			}
		}
		if _, end, ok := readOrdinal(t, at); ok && n == 0 {
			at = end
		} else if !isPlainWord(t, at) {
			return i
		} else {
			at++
		}
		if t.at(at-1).after != 0 {
			return i
		}
	}
	return i
}

// streetKindEnd returns the token after "street", "st" or "avenue north" at i, or i where there is
// none.
func streetKindEnd(t *text, i int) int {
	if !oneOf(t.low(i), strongStreets) && !oneOf(t.low(i), weakStreets) {
		return i
	}
	if t.at(i).after == 0 &&
		oneOf(t.low(i+1), "north south east west northeast northwest southeast southwest nw ne sw se") {
		return i + 2
	}
	return i + 1
}

// isStreetName reports whether the tokens [from,to) may be the name of the street whose kind stands
// at to.
func isStreetName(t *text, from, to int) bool {
	if _, end, ok := readOrdinal(t, from); ok && end == to {
		return oneOf(t.low(to), strongStreets) || oneOf(t.low(to), "place court terrace")
	}
	weak := oneOf(t.low(to), weakStreets)
	for i := from; i < to; i++ {
		if t.is(i, street|family|given|state|city) || t.proper(i) || !weak && !t.is(i, common) {
			return true
		}
	}
	return weak && to-from == 1 && !t.is(from, common)
}

// readAddress reads what follows a street, up to i: unit, city, state, code, country. It returns
// the type of the address and its end.
func readAddress(t *text, i int) (string, int) {
	kind, at := "LOCATION_ADDRESS_STREET", unitEnd(t, i)
	if t.at(at-1).after == '.' {
		return kind, at
	}
	next := at
	if t.low(next) == "in" {
		next++
	}
	town := cityEnd(t, next)
	end := town
	if town == next {
		end = next
	}
	region := stateEnd(t, end)
	if region > end || town > next {
		kind, at = "LOCATION_ADDRESS", region
	}
	if to := postalCodeEnd(t, at); to > at && (kind == "LOCATION_ADDRESS") {
		at = to
	}
	if to := t.phrase(at, country); to > at && kind == "LOCATION_ADDRESS" && t.at(at-1).after != '.' {
		at = to
	}
	return kind, at
}

// unitEnd returns the end of a unit at i, such as "apartment four b", "suite 200" or "unit 5", or i
// where there is none.
func unitEnd(t *text, i int) int {
	if t.at(i-1).after == '.' {
		return i
	}
	if raw := t.at(i).raw; len(raw) > 1 && raw[0] == '#' && digitsOnly(raw[1:]) {
		return i + 1
	}
	if !oneOf(t.low(i), "apartment apt suite unit flat floor room ste") {
		return i
	}
	at := i + 1
	if t.low(at) == "number" {
		at++
	}
	if value, end := readCode(t, at, cue{letters: true}); value != "" && len(value) < 7 {
		return end
	}
	return i
}

// cityEnd is where the name of a city at i ends: a listed one, or up to two words before a state.
func cityEnd(t *text, i int) int {
	for n := 1; n <= 2; n++ {
		if i+n < len(t.tokens) && stateEnd(t, i+n) > i+n && !oneOf(t.low(i), functional) && !isDigit(t, i) &&
			!t.closed(i, i+n) && t.phrase(i, state) == i {
			return i + n
		}
	}
	return t.phrase(i, city|cityUnsure)
}

var stateForm = regexp.MustCompile(`^[A-Z]{2}$`)

const stateCodes = "al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm " +
	"ny nc nd oh ok or pa ri sc sd tn tx ut vt va wa wv wi wy dc on qc bc ab"

// stateEnd is where the name or the code of a state at i ends.
func stateEnd(t *text, i int) int {
	if t.at(i-1).after == '.' {
		return i
	}
	if end := t.phrase(i, state); end > i {
		return end
	}
	if stateForm.MatchString(t.at(i).raw) && oneOf(t.low(i), stateCodes) && (t.cased || t.at(i-1).after == ',') {
		return i + 1
	}
	return i
}

var postForm = regexp.MustCompile(`^(?:[A-Z]{1,2}\d[A-Z\d]?|[A-Z]\d[A-Z])$`)
var postEnd = regexp.MustCompile(`^(?:\d[A-Z]{2}|\d[A-Z]\d)$`)

// speltPost is a British or Canadian postal code without its space.
var speltPost = regexp.MustCompile(`^(?:[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}|[A-Z]\d[A-Z]\d[A-Z]\d)$`)

// speltPostEnd is where a postal code that is spelt at i ends, "n w one, six x e"; i where none is.
func speltPostEnd(t *text, i int) int {
	letters := cue{kind: "LOCATION_ZIP", letters: true}
	if value, to := readCode(t, i, letters); speltPost.MatchString(value) && !continuesCode(t, i-1, letters) {
		return to
	}
	return i
}

// postalCodeEnd is where a postal code at i ends.
func postalCodeEnd(t *text, i int) int {
	if postForm.MatchString(t.at(i).raw) && postEnd.MatchString(t.at(i+1).raw) && t.at(i).after == 0 {
		return i + 2
	}
	if to := speltPostEnd(t, i); to > i {
		return to
	}
	at := i
	if oneOf(t.low(at), "zip zipcode") {
		at++
		if t.low(at) == "code" {
			at++
		}
	}
	if r, ok := readRun(t, at); ok && t.at(at-1).after != '.' {
		if len(r.digits) == 5 || len(r.digits) == 9 {
			return r.to
		}
		if part, ok := r.cut(5); ok {
			return part.to
		}
	}
	return i
}

// zips finds postal codes that follow states, and those with letters by their form.
func zips(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		spelt := postForm.MatchString(t.at(i).raw) && postEnd.MatchString(t.at(i+1).raw) || speltPostEnd(t, i) > i
		from := stateEnd(t, i)
		if spelt {
			from = i
		} else if from == i || oneOf(t.low(from), "zip zipcode") {
			continue
		}
		if to := postalCodeEnd(t, from); to > from {
			list = append(list, candidate{kind: "LOCATION_ZIP", from: from, to: to, weight: cued})
		}
	}
	return list
}
