package entities

import (
	"strings"
	"unicode"
)

const (
	titles       = "mr mister mrs missus ms miss madam mx"
	doctors      = "doctor dr nurse surgeon"
	particles    = "van de von der la al bin ben di da del dos st mac o"
	notAfterName = "street avenue road boulevard lane drive highway"
)

// names finds people: by listed names, by what is said before a name, and by titles.
func names(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if end := nameCueEnd(t, i); end > i {
			if c, ok := readPerson(t, end, true); ok {
				c.weight = cued
				list = append(list, c)
			}
		}
		if t.hiding && isIntroduced(t, i) {
			if c, ok := readPerson(t, i, true); ok {
				c.weight = cued
				list = append(list, c)
			}
		}
		if end := answeredName(t, i); end > i {
			list = append(list, candidate{kind: "NAME", from: i, to: end, weight: cued})
		}
		list = append(list, namesBehindCue(t, i)...)
		if c, ok := nameBehindTitle(t, i); ok {
			list = append(list, c)
		}
		if c, ok := readPerson(t, i, false); ok && !oneOf(t.low(c.to), notAfterName) {
			list = append(list, c)
		}
	}
	list = append(list, spelledNames(t)...)
	for _, c := range list {
		if c.kind == "NAME" && c.to > c.from+1 && !isLetter(t.low(c.from)) {
			list = append(list, candidate{kind: "NAME_GIVEN", from: c.from, to: c.from + 1},
				candidate{kind: "NAME_FAMILY", from: c.from + 1, to: c.to})
		}
	}
	return list
}

// nameCueEnd is where "my name is" and the like at i ends.
func nameCueEnd(t *text, i int) int {
	switch t.low(i) {
	case "name":
		if oneOf(t.low(i-1),
			"user screen login account file brand domain company product street maiden project business host full "+
				"first last middle") && !oneOf(t.low(i-1), "full") {
			return i
		}
		if possessive(t.at(i).raw) {
			return i + 1
		}
		if oneOf(t.low(i+1), "is was") {
			return i + 2
		}
		if oneOf(t.low(i-1), "the my") && oneOf(t.low(i-2), "under in") {
			if t.low(i+1) == "of" {
				return i + 2
			}
			return i + 1
		}
	case "called":
		if t.low(i-1) == "i'm" || oneOf(t.low(i-1), "am is was") && oneOf(t.low(i-2), people) ||
			possessive(t.at(i-1).raw) && oneOf(t.low(i-1), people) {
			return i + 1
		}
	case "named":
		return i + 1
	}
	if end := relationEnd(t, i); end > i && t.cased && t.at(end).caps && !t.is(end, common) {
		return end
	}
	return i
}

// people are words before "is called" and "'s called".
const people = "i she he " + relations

// relations are people by what they are to the speaker.
const relations = "son daughter wife husband brother sister mother father mum mom dad partner boss manager friend " +
	"neighbour neighbor boyfriend girlfriend colleague fiancé fiancée cousin uncle aunt nephew niece grandson " +
	"granddaughter landlord landlady"

// relationEnd returns where "my daughter" at i ends, i where it is none.
func relationEnd(t *text, i int) int {
	if oneOf(t.low(i), relations) && oneOf(t.low(i-1), "my his her our their your") && t.at(i).after != '.' &&
		!possessive(t.at(i).raw) {
		return i + 1
	}
	return i
}

func possessive(raw string) bool {
	return strings.HasSuffix(raw, "'s") || strings.HasSuffix(raw, "’s")
}

// namesBehindCue finds what follows "first name is" and "last name is".
func namesBehindCue(t *text, i int) []candidate {
	kind := ""
	at := i + 1
	switch {
	case oneOf(t.low(i), "first given christian") && t.low(i+1) == "name":
		kind, at = "NAME_GIVEN", i+2
	case oneOf(t.low(i), "last family maiden") && t.low(i+1) == "name":
		kind, at = "NAME_FAMILY", i+2
	case oneOf(t.low(i), "surname lastname"):
		kind = "NAME_FAMILY"
	default:
		return nil
	}
	if oneOf(t.low(at), "is was") {
		at++
	} else if t.at(at-1).raw == t.at(at-1).low && t.at(at-1).after == 0 && !t.is(at, given|family) {
		return nil
	}
	if maybeName(t, at) || t.is(at, givenUnsure|familyUnsure) && !oneOf(t.low(at), functional) {
		return []candidate{{kind: kind, from: at, to: at + 1, weight: cued}}
	}
	return nil
}

// nameBehindTitle finds the name that follows a title at i. A doctor's title is part of it.
func nameBehindTitle(t *text, i int) (candidate, bool) {
	medical := oneOf(t.low(i), doctors)
	if !medical && !oneOf(t.low(i), titles) || t.at(i).after != 0 || i+1 >= len(t.tokens) {
		return candidate{}, false
	}
	known := t.is(i+1, given|family) || t.proper(i+1) && !t.is(i+1, common) || t.at(i+1).caps && t.cased &&
		t.is(i+1, familyUnsure)
	unsure := t.is(i+1, familyUnsure) && !oneOf(t.low(i+1), functional)
	missing := t.low(i) == "miss" &&
		oneOf(t.low(i-1), "i we you they to will don't really i'll did didn't would never not")
	loose := maybeName(t, i+1) && !oneOf(t.low(i), "miss nurse surgeon")
	if !known && !loose && !unsure || missing {
		return candidate{}, false
	}
	c, ok := readPerson(t, i+1, true)
	if !ok || c.kind == "NAME_GIVEN" && !t.is(i+1, given) {
		c = candidate{kind: "NAME_FAMILY", from: i + 1, to: i + 2}
	}
	c.weight = cued
	if medical {
		c.kind, c.from, c.value = "NAME_MEDICAL_PROFESSIONAL", i, t.normal(i+1, c.to)
	}
	return c, true
}

// maybeName reports whether the token at i, which no list knows otherwise, may be a name.
func maybeName(t *text, i int) bool {
	k := t.at(i)
	if len([]rune(k.low)) < 2 || strings.ContainsFunc(k.low, func(r rune) bool {
		return !unicode.IsLetter(r) &&
			r != '\'' && !unicode.IsMark(r)
	}) {
		return false
	}
	if strings.Contains(k.raw, "'") && !possessive(k.raw) && !strings.HasPrefix(k.low, "o'") &&
		!strings.HasPrefix(k.low, "d'") {
		return false
	}
	if months[k.low] > 0 || oneOf(k.low, weekdays) || oneOf(k.low, functional) || isDigit(t, i) || marks[k.low] !=
		"" || t.is(i, common) {
		return false
	}
	return theWordLists().classes[k.low]&^(given|givenUnsure|family|familyUnsure|city|cityUnsure|street|state|
		zodiac) == 0
}

// readPerson reads a name at i. If sure, the words before it announce one.
func readPerson(t *text, i int, sure bool) (candidate, bool) {
	first := t.is(i, given)
	unsure := !first && t.is(i, givenUnsure)
	if !first && !unsure {
		return readUnlistedName(t, i, sure)
	}
	at := i + 1
	for n := 0; n < 2 && at < len(t.tokens) && t.at(at-1).after == 0; n++ {
		if len(t.low(at)) == 1 && !oneOf(t.low(at), "a i") && isFamilyName(t, at+1, first, sure) || t.is(at, given) &&
			(isFamilyName(t, at+1, true, sure) || first && !t.is(at, family)) {
			at++
		}
	}
	if t.at(at-1).after == 0 && isFamilyName(t, at, first || t.proper(i) && t.proper(at), sure) {
		return candidate{kind: "NAME", from: i, to: familyNameEnd(t, at), weight: formed}, true
	}
	if at > i+1 {
		kind := "NAME_GIVEN"
		return candidate{kind: kind, from: i, to: at, weight: listed}, first || sure
	}
	thing := oneOf(t.low(i-1), "the a an this that my your every each no")
	ok := first && !(oneOf(t.low(i-1), "in") && t.low(i-2) == "as") || sure && standsAlone(t, i) || t.proper(i) &&
		!thing && !isUnsureMonth(t, i) && months[t.low(i)] == 0
	return candidate{kind: "NAME_GIVEN", from: i, to: i + 1, weight: listed}, ok && !isPlaceName(t, i)
}

// standsAlone reports whether an unsure name may stand alone after "my name is".
func standsAlone(t *text, i int) bool { return !oneOf(t.low(i), "on in at not") }

// isPlaceName reports whether the given name at i is rather a city or state, as it is after "in"
// and the like.
func isPlaceName(t *text, i int) bool {
	return t.is(i, city|cityUnsure|state|country|countryUnsure) && isPlaced(t, i, i+1)
}

// readUnlistedName reads a name that begins with no given name: a lone family name, or, if sure,
// unknown words.
func readUnlistedName(t *text, i int, sure bool) (candidate, bool) {
	if t.is(i, family) && !(sure && maybeName(t, i) && t.is(i+1, family)) {
		return candidate{kind: "NAME_FAMILY", from: i, to: i + 1, weight: listed}, !isPlaceName(t, i) &&
			!isFirmName(t, i)
	}
	if !sure || !maybeName(t, i) {
		return candidate{}, false
	}
	to := i + 1
	if t.at(i).after == 0 && (maybeName(t, to) || isFamilyName(t, to, true, true)) {
		return candidate{kind: "NAME", from: i, to: familyNameEnd(t, to), weight: cued}, true
	}
	return candidate{kind: "NAME_GIVEN", from: i, to: to, weight: cued}, true
}

// isFirmName reports whether the family name at i is part of a firm: "johnson and johnson", "wilson
// inc".
func isFirmName(t *text, i int) bool {
	return oneOf(t.low(i+1), legal) || oneOf(t.low(i+1), "street avenue road boulevard lane drive university")
}

// isFamilyName reports whether a family name stands at i, after a given name. If first, the given
// name is certain.
func isFamilyName(t *text, i int, first, sure bool) bool {
	switch {
	case i >= len(t.tokens):
		return false
	case t.is(i, family) && !(oneOf(t.low(i), "may") && !t.proper(i)):
		return true
	case t.is(i, familyUnsure) && !oneOf(t.low(i), functional):
		return t.proper(i) || t.is(i, given) || oneOf(t.low(i), "lee kim khan ali kang choi tate roth") ||
			(first || sure) && !oneOf(t.low(i), "good long little best small short right well may will banks strong")
	case oneOf(t.low(i), particles) && i+1 < len(t.tokens):
		return (first || sure) && (t.is(i+1, family|familyUnsure) || t.proper(i+1) || sure && maybeName(t, i+1) ||
			oneOf(t.low(i+1), particles))
	case t.proper(i):
		return (first || sure) && maybeName(t, i)
	}
	return sure && maybeName(t, i) && !t.is(i, given|givenUnsure|city|state)
}

// familyNameEnd is where the family name at i ends: particles, parts with hyphens and further names
// in capitals belong to it, such as "lópez" in "María García López".
func familyNameEnd(t *text, i int) int {
	for n := 0; n < 2 && oneOf(t.low(i), particles) && i+1 < len(t.tokens); n++ {
		i++
	}
	i++
	for n := 0; n < 2 && i < len(t.tokens) && t.tokens[i].word == t.tokens[i-1].word; n++ {
		i++
	}
	for n := 0; n < 2 && t.at(i-1).after == 0 && isFurtherName(t, i); n++ {
		i++
	}
	if oneOf(t.low(i), "junior jr senior sr") && t.at(i-1).after != '.' {
		i++
	}
	return i
}

// isFurtherName reports whether the token at i, after a family name, is another name: its capital
// has no other reason.
func isFurtherName(t *text, i int) bool {
	return t.proper(i) && maybeName(t, i) && !t.is(i, city|cityUnsure|state|street) &&
		!oneOf(t.low(i), notAfterName) && !isFirmName(t, i)
}

// namesInCapitals finds full names in any language: two words in capitals, a given and a family
// name that are no other words.
func namesInCapitals(t *text) []candidate {
	if t.english || !t.cased {
		return nil
	}
	var list []candidate
	for i := range t.tokens {
		if t.at(i).caps && t.at(i+1).caps && t.at(i).after == 0 && t.is(i, given) && t.is(i+1, family) {
			list = append(list, candidate{kind: "NAME", from: i, to: i + 2, weight: formed})
		}
		if end := t.phrase(i, city); end > i && t.at(i).caps && !t.is(i, given|family|common) {
			list = append(list, candidate{kind: "LOCATION_CITY", from: i, to: end, weight: listed})
		}
	}
	return list
}

// isIntroduced reports whether what is said around the token at i makes a person of a word with a
// capital that no list knows: "this is Tomasz calling", "may I speak to Zsófia", "Bronwen here".
func isIntroduced(t *text, i int) bool {
	k := t.at(i)
	if !t.cased || !k.caps || !maybeName(t, i) || oneOf(k.low, titles+" sir ma'am madam guys folks team") {
		return false
	}
	end := i + 1
	if t.at(i).after == 0 && t.at(end).caps && maybeName(t, end) {
		end++
	}
	for end < len(t.tokens) && t.at(end).joins {
		end++
	}
	stops := end == len(t.tokens) || t.at(end-1).after != 0
	calls := stops || oneOf(t.low(end), "calling speaking here from in at with and for again today")
	if stops && isNameAsked(t, i) {
		return true
	}
	if t.at(i).opens {
		return oneOf(t.low(end), "here speaking") && (t.ends(end) || t.low(end+1) == "from")
	}
	one, two := t.low(i-1), t.low(i-2)
	switch {
	case oneOf(one, greetings) && t.at(i-1).after != '.':
		return stops
	case one == "is" && two == "this":
		return calls
	case t.contracts(i-1, "it"):
		return calls && (end > i+1 || !stops || oneOf(t.low(end), "calling speaking here"))
	case one == "is" && t.at(i-1).opens:
		return oneOf(t.low(end), "available there in around free home back")
	case one == "that" && two == "is":
		return stops
	case oneOf(one, "is was") && oneOf(two, relations):
		return true
	case oneOf(one, "called named") && oneOf(two, strangers):
		return true
	case oneOf(one, "to with"):
		return oneOf(two, "speak speaking spoke spoken talk talking talked chat chatting chatted through over") ||
			calls && t.near(i-1, 4, "sent send emailed forwarded gave wrote transfer transferred")
	case one == "for":
		return oneOf(two, "ask asked asking waiting appointment booking reservation prescription message letter "+
			"parcel package ticket") || t.contracts(i-2, "it that")
	}
	return false
}

// answeredName is where an answer of up to four words that begins at i ends, in a text without
// capitals, to somebody who asked for a name; i where it is none, or is not to be hidden.
func answeredName(t *text, i int) int {
	if !t.hiding || t.cased || !isNameAsked(t, i) {
		return i
	}
	end, unknown := i, false
	for ; end < len(t.tokens) && (end == i || !t.boundary(end)); end++ {
		low := t.low(end)
		if oneOf(low, titles) && end-i < 4 {
			continue
		}
		if end-i == 4 || oneOf(low, functional) || isDigit(t, end) || !maybeName(t, end) && len(low) != 1 {
			return i
		}
		unknown = unknown || len(low) > 1 && !t.is(end, common)
	}
	if !unknown {
		return i
	}
	return end
}

// isNameAsked reports whether the token at i begins the answer to somebody who asked for a name.
func isNameAsked(t *text, i int) bool {
	for n := 0; n < 4 && !t.at(i).opens && (oneOf(t.low(i-1), fillers) || oneOf(t.low(i-1), "yes")); n++ {
		i--
	}
	if !t.boundary(i) {
		return false
	}
	const whose = "your full the whole patient customer caller maiden family last first middle cardholder holder"
	for k := max(1, i-8); k < i; k++ {
		before := t.low(k - 1)
		if t.low(k) == "name" && oneOf(before, whose) ||
			t.low(k) == "speaking" && oneOf(before, "i we") || t.low(k) == "calling" && oneOf(before, "who is") {
			return true
		}
	}
	return false
}

const (
	greetings = "hi hello hey thanks you morning afternoon evening bye goodbye sorry dear cheers okay welcome"
	strangers = "man woman guy lady person girl boy gentleman agent colleague someone somebody customer patient " +
		"client"
)
