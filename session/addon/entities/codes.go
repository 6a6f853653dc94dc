package entities

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// cue is what the words before a code state about it.
type cue struct {
	kind     string
	min, max int  // signs
	letters  bool // the code may have letters
}

// readCues reads lines "KIND min max d|a: phrase, phrase".
func (l *wordLists) readCues(text string) {
	for line := range strings.Lines(text) {
		head, phrases, _ := strings.Cut(line, ":")
		f := strings.Fields(head)
		if len(f) != 4 {
			continue
		}
		low, _ := strconv.Atoi(f[1])
		high, _ := strconv.Atoi(f[2])
		for _, p := range strings.Split(phrases, ",") {
			if key := l.key(p); key != "" {
				l.cues[key] = cue{f[0], low, high, f[3] == "a"}
			}
		}
	}
}

// readCue is the longest cue that begins at i, and where it ends.
func readCue(t *text, i int) (cue, int, bool) {
	l := theWordLists()
	for n := l.longest[t.low(i)]; n > 0; n-- {
		if i+n <= len(t.tokens) {
			if c, ok := l.cues[t.join(i, i+n)]; ok {
				return c, i + n, true
			}
		}
	}
	return cue{}, i, false
}

// fillers may stand between a cue and what it announces.
const fillers = "number numbers no num # is was are it its that the my your his her our their uh um " +
	"er ah well so okay ok yes yeah yep sure please would be which reads as follows of on file here sir " +
	"ma'am i think believe and new for me you will equals colon says shows code sent gave texted got"

// fillersOf are those of other languages.
var fillersOf = map[string]string{
	"de": "ist lautet war heißt die der das meine mein meiner den dem für karte also ja bitte äh ähm nummer es " +
		"sind sie und zwar auf hinten rückseite",
	"fr": "est c'est était le la les mon ma votre de du carte alors oui euh voici et numéro sont suivants suivant",
	"es": "es era son el la los mi su de del tarjeta pues sí eh número",
	"it": "è era sono il la le mio mia suo di della carta allora sì ehm numero ecco",
	"nl": "is was zijn de het mijn uw van kaart dus ja uh nummer en",
	"pt": "é era são o a os meu minha do da cartão então sim número",
}

// skipFillers passes over fillers, at most ten.
func skipFillers(t *text, i int) int {
	for n := 0; n < 10 && (oneOf(t.low(i), fillers) || oneOf(t.low(i), fillersOf[t.language])); n++ {
		i++
	}
	return i
}

// codes finds what a cue announces: "my passport number is a b one two three four five six", or "…
// is my passport number" after it.
func codes(t *text) []candidate {
	var list []candidate
	for i := 0; i < len(t.tokens); {
		c, end, ok := readCue(t, i)
		if !ok {
			i++
			continue
		}
		if c.kind == "PASSWORD" && isOtherPin(t, i) {
			i = end
			continue
		}
		if found, ok := codeBehindCue(t, c, end); ok && !(c.kind == "PASSWORD" && isQuantity(t, found.to)) {
			found.to = signsEnd(t, found.to)
			list = append(list, found)
		} else if found, ok := codeBeforeCue(t, c, i); ok {
			list = append(list, found)
		} else if found, ok := misfit(t, c, end); ok {
			list = append(list, found)
		}
		i = end
	}
	return list
}

// misfit returns what is said directly after a cue that ends at i, of another length or form than
// the cue's: it was misheard, or cut. It is to be hidden if it has three digits and another sign.
func misfit(t *text, c cue, i int) (candidate, bool) {
	from := skipFillers(t, i)
	to := signsEnd(t, from)
	digits := t.digitsOf(from, to)
	found := candidate{kind: c.kind, from: from, to: to, weight: listed, value: t.join(from, to)}
	return found, t.hiding && len(digits) >= 3 && to-from >= 4 && !isQuantity(t, to)
}

// signsEnd is where the single letters and digits from i on end that one utterance has in a row,
// where what is found is to be hidden; else i.
func signsEnd(t *text, i int) int {
	if !t.hiding || i == 0 || t.at(i-1).after == '.' {
		return i
	}
	to := i
	for to-i < codeLimit && isSign(t, to) && !t.boundary(to) && (to == i || t.at(to-1).after != '.') {
		to++
	}
	return to
}

// isSign reports whether the token at i is a digit or a letter; "a" and "I" are words unless
// another sign follows.
func isSign(t *text, i int) bool {
	low := t.low(i)
	if oneOf(low, "a i") {
		return t.joins(i+1) && isSign(t, i+1)
	}
	return isDigit(t, i) || len(low) == 1 || low == "oh"
}

// codeBehindCue returns the code that follows a cue ending at i, and whether there is one.
func codeBehindCue(t *text, c cue, i int) (candidate, bool) {
	from := skipFillers(t, i)
	if from > i && oneOf(t.low(from-1), "a i o oh") {
		from--
	}
	value, to := readCode(t, from, c)
	boundaries := t.within(from, to)
	for n := len(boundaries) - 1; n >= 0 && (!c.fits(value) || repeatsCode(t, from, boundaries[n], value, c)); n-- {
		value, to = readCodeUntil(t, from, boundaries[n], c)
	}
	return candidate{kind: c.kind, from: from, to: to, weight: cued, value: value}, c.fits(value)
}

// repeatsCode reports whether a code that begins at i is another twice, of which the first ends at
// the boundary.
func repeatsCode(t *text, i, boundary int, code string, c cue) bool {
	half, _ := readCodeUntil(t, i, boundary, c)
	return len(half) >= 5 && half+half == code
}

// fits reports whether a code has the length and form that the cue announces.
func (c cue) fits(code string) bool {
	n := len(code)
	if n < c.min || n > c.max || !strings.ContainsAny(code, "0123456789") {
		return false
	}
	if c.kind == "SSN" {
		return n == 4 || n == 9
	}
	return true
}

// naming are the words with which something that was said is given a name, in their order from the
// last: whose it is, that it is, and what is meant: "4821, that is my PIN".
type naming struct{ whose, is, that string }

var namingOf = map[string]naming{
	"en": {"my the your his her our their", "is was are were as for", "that this which it those these they"},
	"de": {"meine mein die der das ihre ihr deine dein seine sein unsere unser", "ist war lautet sind als wäre",
		"das dies es"},
	"fr": {"mon ma mes votre notre son sa ton ta le la les code numéro", "est c'est était c'était sont comme",
		"ce ceci ça cela"},
	"es": {"mi mis su tu el la los las nuestro nuestra código número", "es era son sería como",
		"ese esa este esta eso esto"},
	"it": {"il la lo i le mio mia tuo tua suo sua nostro nostra codice numero", "è era sono sarebbe come",
		"questo questa quello quella"},
	"pt": {"o a os as meu minha seu sua nosso nossa código número", "é era são seria como",
		"esse essa este esta isso isto"},
	"nl": {"mijn de het uw jouw haar onze ons", "is was zijn als", "dat dit het"},
}

// announcedEnd is where what is named only afterwards ends, by the name at i: before "is my",
// "that's the", "those are the last four of my"; i where it is not named so.
func announcedEnd(t *text, i int) int {
	words := namingOf[t.language]
	if t.english {
		words = namingOf["en"]
	}
	end := i
	for n := 0; n < 3 && oneOf(t.low(end-1), words.whose); n++ {
		end--
	}
	if part := end; oneOf(t.low(part-1), "of on") && oneOf(t.low(part-2), "four 4 digits numbers") {
		for end--; part-end < 7 && oneOf(t.low(end-1), "the last only final three four 3 4 digits numbers"); {
			end--
		}
	}
	switch {
	case t.contracts(end-1, "that it"):
		return end - 1
	case end == i:
		return i
	case t.low(end-1) == "be" && oneOf(t.low(end-2), "will would should"):
		end -= 2
	case oneOf(t.low(end-1), words.is):
		end--
	default:
		return i
	}
	if oneOf(t.low(end-1), words.that) {
		end--
	}
	return end
}

// codeBeforeCue is the code before "is my" or "that's my" and a cue that begins at i.
func codeBeforeCue(t *text, c cue, i int) (candidate, bool) {
	end := announcedEnd(t, i)
	if end == i {
		return candidate{}, false
	}
	if found, ok := codeUntil(t, c, end); ok || !t.hiding {
		return found, ok
	}
	boundaries := t.within(max(0, end-16), end) // "4821." "That one?" "Yes, that's my PIN."
	for _, end := range slices.Backward(boundaries) {
		if found, ok := codeUntil(t, c, end); ok {
			return found, true
		}
	}
	return candidate{}, false
}

// codeUntil is the code that ends before the token at end.
func codeUntil(t *text, c cue, end int) (candidate, bool) {
	for n := 0; n < 30; n++ {
		from := end - 30 + n
		if from < 0 || continuesCode(t, from-1, c) && !t.boundary(from) {
			continue
		}
		if value, to := readCode(t, from, c); to == end && c.fits(value) {
			return candidate{kind: c.kind, from: from, to: to, weight: cued, value: value}, true
		}
	}
	return candidate{}, false
}

// continuesCode reports whether a code may continue at i.
func continuesCode(t *text, i int, c cue) bool {
	_, end := readCode(t, i, c)
	return i >= 0 && end > i
}

// spelling maps the words of the international spelling alphabet to their letters.
var spelling = map[string]string{"alpha": "A", "alfa": "A", "bravo": "B", "charlie": "C", "delta": "D", "echo": "E",
	"foxtrot": "F",
	"golf":    "G", "hotel": "H", "india": "I", "juliet": "J", "kilo": "K", "lima": "L", "mike": "M", "november": "N",
	"oscar": "O", "papa": "P", "quebec": "Q", "romeo": "R", "sierra": "S", "tango": "T", "uniform": "U", "victor": "V",
	"whiskey": "W", "whisky": "W", "xray": "X", "yankee": "Y", "zulu": "Z"}

// codeLimit is how many signs of a code are read at most.
const codeLimit = 60

// readCode reads letters and digits from i on, spoken or written. It returns them in capitals, and
// where they end.
func readCode(t *text, i int, c cue) (string, int) { return readCodeUntil(t, i, len(t.tokens), c) }

// readCodeUntil reads a code from i on that ends with the token limit at the latest, which is not
// part of it.
func readCodeUntil(t *text, i, limit int, c cue) (string, int) {
	var b strings.Builder
	to := i
	for at := i; at < limit && b.Len() < codeLimit; {
		sign, end := readCodeSign(t, at, c)
		if end > limit {
			break
		}
		if end == at {
			if to > i && (codeJoint(t.low(at), c) || isAndThen(t, at)) && at < to+2 {
				at++
				continue
			}
			break
		}
		b.WriteString(sign)
		at, to = end, end
		if t.at(to-1).after == '.' && !(len(sign) == 1 && tolls(t, to, c)) {
			break
		}
	}
	return trimCode(t, b.String(), i, to)
}

// tolls reports whether a code continues at i with one sign that is a sentence, see [isTolled].
func tolls(t *text, i int, c cue) bool {
	sign, end := readCodeSign(t, i, c)
	return end > i && len(sign) == 1 && t.ends(end-1)
}

func codeJoint(low string, c cue) bool {
	if c.kind == "MEDICAL_CODE" && oneOf(low, "point dot") {
		return true
	}
	return joints[low] || oneOf(low, "slash capital uppercase lowercase letter")
}

// trimCode drops an "a" or "i" at the end that is a word, no letter.
func trimCode(t *text, code string, from, to int) (string, int) {
	for to > from && oneOf(t.low(to-1), "a i") && !strings.HasSuffix(t.at(to-1).raw, "A") && len(code) > 0 &&
		to < len(t.tokens) {
		code, to = code[:len(code)-1], to-1
	}
	return code, to
}

// readCodeSign reads one piece of a code at i; end is i where there is none.
func readCodeSign(t *text, i int, c cue) (string, int) {
	k := t.at(i)
	if k.low == "" {
		return "", i
	}
	if p, ok := readPiece(t, i); ok {
		return p.digits, p.to
	}
	if oneOf(k.low, "o oh") {
		return "0", i + 1
	}
	if !c.letters {
		return "", i
	}
	if len(k.low) == 1 && k.low[0] >= 'a' && k.low[0] <= 'z' {
		return readLetter(t, i)
	}
	if s, ok := spelling[k.low]; ok && (!t.proper(i) || spelling[t.low(i-1)] != "" || spelling[t.low(i+1)] != "") {
		return s, i + 1
	}
	if k.low == "x" && t.low(i+1) == "ray" {
		return "X", i + 2
	}
	if !t.cased && len(k.low) <= 3 && !t.is(i, common) && !oneOf(k.low, functional) && isDigit(t, i-1) &&
		isDigit(t, i+1) && strings.Trim(k.low, "abcdefghijklmnopqrstuvwxyz") == "" {
		return strings.ToUpper(k.low), i + 1 // "abc", as no recognizer would write it that has capitals
	}
	if s, ok := writtenCode(k.raw, t.small); ok {
		return s, i + 1
	}
	return "", i
}

// letterLinks may stand between a letter and a word for it.
const letterLinks = "for like"

// readLetter reads a letter and a following "as in boy" or "for boy".
func readLetter(t *text, i int) (string, int) {
	return strings.ToUpper(t.low(i)), letterEnd(t, i, letterLinks)
}

// letterEnd is where the letter at i ends, with "as in" or one of the links and a word for it.
func letterEnd(t *text, i int, links string) int {
	if t.low(i+1) == "as" && t.low(i+2) == "in" && strings.HasPrefix(t.low(i+3), t.low(i)) {
		return i + 4
	}
	if oneOf(t.low(i+1), links) && len(t.low(i+2)) > 1 && strings.HasPrefix(t.low(i+2), t.low(i)) {
		return i + 3
	}
	return i + 1
}

// writtenCode takes "AB-123.4", or "AB" where capitals mean something.
func writtenCode(raw string, cased bool) (string, bool) {
	raw = strings.TrimPrefix(raw, "#")
	var b strings.Builder
	digit := false
	for _, r := range raw {
		switch {
		case r >= '0' && r <= '9':
			digit = true
			b.WriteRune(r)
		case r >= 'a' && r <= 'z':
			b.WriteRune(r - 'a' + 'A')
		case r >= 'A' && r <= 'Z':
			b.WriteRune(r)
		case !strings.ContainsRune("-./", r):
			return "", false
		}
	}
	capitals := cased && b.Len() <= 5 && raw == strings.ToUpper(raw)
	return b.String(), b.Len() > 0 && b.Len() <= 40 && (digit || capitals)
}

var socialForm = regexp.MustCompile(`^\d{3}-\d{2}-\d{4}$`)

// socialSecurityNumbers finds social security numbers that are written with hyphens or spoken with
// "dash" between their parts.
func socialSecurityNumbers(t *text) []candidate {
	var list []candidate
	for _, r := range t.runs {
		if social(r.digits) && (len(r.pieces) == 1 && socialForm.MatchString(t.at(r.from).raw) || isDashed(t, r)) {
			list = append(list, r.as("SSN", checked))
		}
	}
	return list
}

// isDashed reports whether "dash" was said after the third and the fifth digit.
func isDashed(t *text, r run) bool {
	n, found := 0, 0
	for _, p := range r.pieces {
		n += len(p.digits)
		if oneOf(t.low(p.to), "dash hyphen minus") && p.to < r.to {
			if n != 3 && n != 5 {
				return false
			}
			found++
		}
	}
	return found == 2
}

// unnamedNumbers finds codes of seven and more digits said one by one, that no words around them
// name.
func unnamedNumbers(t *text) []candidate {
	var list []candidate
	for _, r := range t.runs {
		amount := len(r.pieces) == 1 && strings.Trim(r.digits, "0123456789") == "" && len(r.digits) < 8
		if len(r.digits) >= 7 && r.spelt() && !r.counts() && !amount {
			c := r.as("NUMERICAL_PII", listed)
			if r.partial || len(t.within(r.from, r.to)) > 0 { // some utterances of it may be something else
				c.doubt = 1
			}
			list = append(list, c)
		}
	}
	return list
}

// vehicles finds vehicle identification numbers by their check digit.
func vehicles(t *text) []candidate {
	var list []candidate
	for i := range t.tokens {
		if raw := strings.ToUpper(t.at(i).raw); vin(raw) && strings.ContainsAny(raw, "ABCDEFGHJKLMNPRSTUVWXYZ") {
			list = append(list, candidate{kind: "VEHICLE_ID", from: i, to: i + 1, weight: checked, value: raw})
		}
	}
	return list
}
