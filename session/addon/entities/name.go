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
		if end := t.nameCue(i); end > i {
			if c, ok := t.person(end, true); ok {
				c.weight = cued
				list = append(list, c)
			}
		}
		list = append(list, t.partCue(i)...)
		if c, ok := t.titled(i); ok {
			list = append(list, c)
		}
		if c, ok := t.person(i, false); ok && !one(t.low(c.to), notAfterName) {
			list = append(list, c)
		}
		if c, ok := t.letters(i); ok {
			list = append(list, c)
		}
	}
	for _, c := range list {
		if c.kind == "NAME" && c.to > c.from+1 {
			list = append(list, candidate{kind: "NAME_GIVEN", from: c.from, to: c.from + 1},
				candidate{kind: "NAME_FAMILY", from: c.from + 1, to: c.to})
		}
	}
	return list
}

// nameCue is where "my name is" and the like at i ends.
func (t *text) nameCue(i int) int {
	switch t.low(i) {
	case "name":
		if one(t.low(i-1), "user screen login account file brand domain company product street maiden project business host full first last middle") && !one(t.low(i-1), "full") {
			return i
		}
		if possessive(t.at(i).raw) {
			return i + 1
		}
		if one(t.low(i+1), "is was") {
			return i + 2
		}
	case "called":
		if one(t.low(i-1), "i'm am is") && one(t.low(i-2), "i she he son daughter wife husband brother sister") {
			return i + 1
		}
	case "named":
		return i + 1
	}
	return i
}

func possessive(raw string) bool {
	return strings.HasSuffix(raw, "'s") || strings.HasSuffix(raw, "’s")
}

// partCue finds what follows "first name is" and "last name is".
func (t *text) partCue(i int) []candidate {
	kind := ""
	at := i + 1
	switch {
	case one(t.low(i), "first given christian") && t.low(i+1) == "name":
		kind, at = "NAME_GIVEN", i+2
	case one(t.low(i), "last family maiden") && t.low(i+1) == "name":
		kind, at = "NAME_FAMILY", i+2
	case one(t.low(i), "surname lastname"):
		kind = "NAME_FAMILY"
	default:
		return nil
	}
	if one(t.low(at), "is was") {
		at++
	} else if t.at(at-1).raw == t.at(at-1).low && t.at(at-1).after == 0 && !t.is(at, given|family) {
		return nil
	}
	if word, to := t.lettersFrom(at); to > at+2 {
		return []candidate{{kind: kind, from: at, to: to, weight: cued, value: word}}
	}
	if t.namely(at) || t.is(at, givenUnsure|familyUnsure) && !one(t.low(at), functional) {
		return []candidate{{kind: kind, from: at, to: at + 1, weight: cued}}
	}
	return nil
}

// titled finds the name behind a title. A doctor's title is part of it.
func (t *text) titled(i int) (candidate, bool) {
	medical := one(t.low(i), doctors)
	if !medical && !one(t.low(i), titles) || t.at(i).after != 0 || i+1 >= len(t.tokens) {
		return candidate{}, false
	}
	known := t.is(i+1, given|family) || t.proper(i+1) && !t.is(i+1, common) || t.at(i+1).caps && t.cased && t.is(i+1, familyUnsure)
	unsure := t.is(i+1, familyUnsure) && !one(t.low(i+1), functional)
	missing := t.low(i) == "miss" && one(t.low(i-1), "i we you they to will don't really i'll did didn't would never not")
	loose := t.namely(i+1) && !one(t.low(i), "miss nurse surgeon")
	if !known && !loose && !unsure || missing {
		return candidate{}, false
	}
	c, ok := t.person(i+1, true)
	if !ok || c.kind == "NAME_GIVEN" && !t.is(i+1, given) {
		c = candidate{kind: "NAME_FAMILY", from: i + 1, to: i + 2}
	}
	c.weight = cued
	if medical {
		c.kind, c.from, c.value = "NAME_MEDICAL_PROFESSIONAL", i, t.normal(i+1, c.to)
	}
	return c, true
}

// namely says whether the token at i, which no list knows otherwise, may be a name.
func (t *text) namely(i int) bool {
	k := t.at(i)
	if len([]rune(k.low)) < 2 || strings.ContainsFunc(k.low, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && !unicode.IsMark(r) }) {
		return false
	}
	if strings.Contains(k.raw, "'") && !possessive(k.raw) && !strings.HasPrefix(k.low, "o'") && !strings.HasPrefix(k.low, "d'") {
		return false
	}
	if months[k.low] > 0 || one(k.low, weekdays) || one(k.low, functional) || t.digitish(i) || marks[k.low] != "" || t.is(i, common) {
		return false
	}
	return theLexicon().classes[k.low]&^(given|givenUnsure|family|familyUnsure|city|cityUnsure|street|state|zodiac) == 0
}

// person reads a name at i. If sure, words before it say that it is one.
func (t *text) person(i int, sure bool) (candidate, bool) {
	first := t.is(i, given)
	unsure := !first && t.is(i, givenUnsure)
	if !first && !unsure {
		return t.unlisted(i, sure)
	}
	at := i + 1
	for n := 0; n < 2 && at < len(t.tokens) && t.at(at-1).after == 0; n++ {
		if len(t.low(at)) == 1 && !one(t.low(at), "a i") && t.familyAt(at+1, first, sure) || t.is(at, given) && (t.familyAt(at+1, true, sure) || first && !t.is(at, family)) {
			at++
		}
	}
	if t.at(at-1).after == 0 && t.familyAt(at, first, sure) {
		return candidate{kind: "NAME", from: i, to: t.familyEnd(at), weight: formed}, true
	}
	if at > i+1 {
		kind := "NAME_GIVEN"
		return candidate{kind: kind, from: i, to: at, weight: listed}, first || sure
	}
	thing := one(t.low(i-1), "the a an this that my your every each no")
	ok := first && !(one(t.low(i-1), "in") && t.low(i-2) == "as") || sure && t.atEase(i) || t.proper(i) && !thing && !t.unsureMonth(i) && months[t.low(i)] == 0
	return candidate{kind: "NAME_GIVEN", from: i, to: i + 1, weight: listed}, ok && !t.ofPlace(i)
}

// atEase says whether an unsure name may stand alone behind "my name is".
func (t *text) atEase(i int) bool { return !one(t.low(i), "on in at not") }

// ofPlace says whether the given name at i is rather a city or state: behind "in" and the like.
func (t *text) ofPlace(i int) bool {
	return t.is(i, city|cityUnsure|state|country|countryUnsure) && t.placed(i, i+1)
}

// unlisted reads a name that begins with no given name: a lone family name, or, if sure, unknown words.
func (t *text) unlisted(i int, sure bool) (candidate, bool) {
	if t.is(i, family) && !(sure && t.namely(i) && t.is(i+1, family)) {
		return candidate{kind: "NAME_FAMILY", from: i, to: i + 1, weight: listed}, !t.ofPlace(i) && !t.company(i)
	}
	if !sure || !t.namely(i) {
		return candidate{}, false
	}
	to := i + 1
	if t.at(i).after == 0 && (t.namely(to) || t.familyAt(to, true, true)) {
		return candidate{kind: "NAME", from: i, to: t.familyEnd(to), weight: cued}, true
	}
	return candidate{kind: "NAME_GIVEN", from: i, to: to, weight: cued}, true
}

// company says whether the family name at i is part of a firm: "johnson and johnson", "wilson inc".
func (t *text) company(i int) bool {
	return one(t.low(i+1), legal) || one(t.low(i+1), "street avenue road boulevard lane drive university")
}

// familyAt says whether a family name stands at i, behind a given name that is surely one or not.
func (t *text) familyAt(i int, first, sure bool) bool {
	switch {
	case i >= len(t.tokens):
		return false
	case t.is(i, family) && !(one(t.low(i), "may") && !t.proper(i)):
		return true
	case t.is(i, familyUnsure) && !one(t.low(i), functional):
		return t.proper(i) || t.is(i, given) || one(t.low(i), "lee kim khan ali kang choi tate roth") || (first || sure) && !one(t.low(i), "good long little best small short right well may will banks strong")
	case one(t.low(i), particles) && i+1 < len(t.tokens):
		return (first || sure) && (t.is(i+1, family|familyUnsure) || t.proper(i+1) || sure && t.namely(i+1) || one(t.low(i+1), particles))
	case t.proper(i):
		return (first || sure) && t.namely(i)
	}
	return sure && t.namely(i) && !t.is(i, given|givenUnsure|city|state)
}

// familyEnd is where the family name at i ends: particles and parts with hyphens belong to it.
func (t *text) familyEnd(i int) int {
	for n := 0; n < 2 && one(t.low(i), particles) && i+1 < len(t.tokens); n++ {
		i++
	}
	i++
	for n := 0; n < 2 && i < len(t.tokens) && t.tokens[i].word == t.tokens[i-1].word; n++ {
		i++
	}
	if one(t.low(i), "junior jr senior sr") && t.at(i-1).after != '.' {
		i++
	}
	return i
}

// letters finds a name that is spelt: "that's spelled k o w a l".
func (t *text) letters(i int) (candidate, bool) {
	if !one(t.low(i), "spelled spelt spelling spell") {
		return candidate{}, false
	}
	at := i + 1
	for n := 0; n < 3 && one(t.low(at), "it is it's as my last first name like that's"); n++ {
		at++
	}
	word, to := t.lettersFrom(at)
	return candidate{kind: "NAME", from: at, to: to, weight: cued, value: word}, to > at+2
}

// lettersFrom reads letters said one by one, at most thirty.
func (t *text) lettersFrom(i int) (string, int) {
	var b strings.Builder
	for n := 0; n < 30 && i < len(t.tokens); n++ {
		low := t.low(i)
		switch {
		case low == "double" && len(t.low(i+1)) == 1:
			b.WriteString(t.low(i+1) + t.low(i+1))
			i += 2
		case len(low) == 1 && low[0] >= 'a' && low[0] <= 'z':
			s, end := t.letter(i)
			b.WriteString(strings.ToLower(s))
			i = end
		case low == "dash" || low == "hyphen":
			i++
		default:
			return b.String(), i
		}
		if t.at(i-1).after == '.' {
			break
		}
	}
	return b.String(), i
}

// cased finds full names in any language: two words in capitals, a given and a family name that are no other words.
func cased(t *text) []candidate {
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
