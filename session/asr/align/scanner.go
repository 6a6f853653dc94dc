package align

import (
	"strings"
	"unicode"
)

// scanner reads a word that is not in the dictionary as a whole: numbers, letters and signs one
// after the other.
type scanner struct {
	speaker
	left []rune
	out  spoken
}

// maxParts is how many parts of a word are looked at.
const maxParts = 32

func (s *scanner) scan() {
	for len(s.left) > 0 && len(s.out.parts) < maxParts {
		c := s.left[0]
		switch {
		case currencies[c][0] != "" && len(s.left) > 1 && (isDigit(s.left[1]) || s.left[1] == '.'):
			s.left = s.left[1:]
			s.money(currencies[c])
		case isDigit(c), c == '.' && len(s.left) > 1 && isDigit(s.left[1]):
			s.number()
		case isLetter(c):
			s.letters()
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			s.out.foreign = true
			s.left = s.left[1:]
		default:
			s.sign()
		}
	}
	s.out.foreign = s.out.foreign || len(s.left) > 0
}

// add appends a part.
func (s *scanner) add(w ways) {
	if len(w) == 0 {
		s.out.foreign = true
		return
	}
	s.out.parts = append(s.out.parts, w)
}

// take cuts the longest run of characters.
func (s *scanner) take(of func(rune) bool) string {
	n := 0
	for n < len(s.left) && of(s.left[n]) {
		n++
	}
	run := string(s.left[:n])
	s.left = s.left[n:]
	return run
}

// follows reports whether a character is next, and then something of a kind.
func (s *scanner) follows(c rune, of func(rune) bool) bool {
	return len(s.left) > 1 && s.left[0] == c && of(s.left[1])
}

// digits cuts digits, with commas between thousands.
func (s *scanner) digits() string {
	out := s.take(isDigit)
	for s.thousand() {
		s.left = s.left[1:]
		out += s.take(isDigit)
	}
	return out
}

// thousand reports whether a comma and three digits are next.
func (s *scanner) thousand() bool {
	n := 1
	for n < len(s.left) && isDigit(s.left[n]) {
		n++
	}
	return n == 4 && s.left[0] == ','
}

// number reads a number and what belongs to it.
func (s *scanner) number() {
	whole := s.digits()
	switch {
	case s.follows('.', isDigit):
		s.left = s.left[1:]
		s.add(decimal(whole, s.take(isDigit)))
	case s.follows(':', isDigit):
		s.clock(whole)
	case s.half(whole):
		return
	default:
		s.suffixed(whole)
		return
	}
	s.unit()
}

// decimal returns the ways to read a number with digits after its point.
func decimal(whole, digits string) ways {
	out := way("point").then(fraction(digits))
	if whole == "" {
		return append(out, way("zero").then(out)...)
	}
	before := readings(whole)
	with := before.then(out)
	if whole == "0" {
		with = append(with, out...)
	}
	if len(digits) == 2 {
		with = append(with, cardinals(whole).then(pair(digits))...)
	}
	return with.distinct()
}

// clock reads the minutes and seconds of a time.
func (s *scanner) clock(hour string) {
	before := readings(hour)
	for s.follows(':', isDigit) {
		s.left = s.left[1:]
		switch next := s.take(isDigit); {
		case next == "00":
			before = append(append(before, before.then(way("o'clock"))...), before.then(way("hundred"))...)
		case len(next) == 2:
			s.add(before)
			before = pair(next)
		default:
			s.add(before)
			before = readings(next)
		}
	}
	s.add(before)
}

// half reads simple fractions.
func (s *scanner) half(whole string) bool {
	if !s.follows('/', isDigit) || len(s.left) > 2 && (isDigit(s.left[2]) || s.left[2] == '/') {
		return false
	}
	parts := map[string]ways{"1/2": way("half", "one half", "a half"), "1/4": way("a quarter", "one quarter",
		"one fourth"),
		"3/4": way("three quarters", "three fourths"), "1/3": way("one third", "a third"), "2/3": way("two thirds")}
	below := string(s.left[1])
	w := parts[whole+"/"+below]
	if w == nil {
		return false
	}
	s.left = s.left[2:]
	s.add(append(w, readings(whole).then(way("slash", "over", "")).then(readings(below))...))
	return true
}

// suffixed reads a whole number and the letters after it: of an ordinal, a decade, a unit.
func (s *scanner) suffixed(whole string) {
	end := strings.ToLower(string(s.left))
	cut := func(suffixes ...string) bool {
		for _, x := range suffixes {
			if rest, ok := strings.CutPrefix(end, x); ok && (rest == "" || !isLetter(rune(rest[0]))) {
				s.left = s.left[len(x):]
				return true
			}
		}
		return false
	}
	switch {
	case cut("st", "nd", "rd", "th"):
		s.add(cardinals(whole).last(ordinal))
	case cut("s", "'s"):
		s.add(append(readings(whole).last(plural), readings(whole).then(units["s"])...))
	default:
		s.add(readings(whole))
		s.unit()
	}
}

// unit reads letters directly after a number that are a unit.
func (s *scanner) unit() {
	n := 0
	for n < len(s.left) && isLetter(s.left[n]) {
		n++
	}
	if w := units[strings.ToLower(string(s.left[:n]))]; n > 0 && w != nil {
		s.left = s.left[n:]
		s.add(w)
	}
}

// money reads an amount of a currency.
func (s *scanner) money(unit [2]string) {
	whole, cents := s.digits(), ""
	if s.follows('.', isDigit) {
		s.left = s.left[1:]
		cents = s.take(isDigit)
	}
	name := way(unit[0]+"s", unit[0])
	n := 0
	for n < len(s.left) && isLetter(s.left[n]) {
		n++
	}
	scale := units[strings.ToLower(string(s.left[:n]))]
	amount := readings(whole)
	if cents != "" {
		amount = decimal(whole, cents)
	}
	if n > 0 && scale != nil {
		s.left = s.left[n:]
		s.add(amount)
		s.add(append(scale, scale.then(name)...))
		return
	}
	out := append(amount, amount.then(name)...)
	if len(cents) == 2 && whole != "" {
		small := cardinals(cents)
		exact := cardinals(whole).then(name)
		out = append(out, exact.then(small)...)
		out = append(out, exact.then(way("", "and")).then(small).then(way(unit[1]+"s"))...)
	}
	if len(cents) == 2 && number(whole[max(0, len(whole)-9):]) == 0 {
		out = append(out, cardinals(cents).then(way(unit[1]+"s", unit[1]))...)
	}
	s.add(out.distinct())
}

// letters reads a run of letters, apostrophes and the dots between them.
func (s *scanner) letters() {
	run := s.take(func(c rune) bool { return isLetter(c) || c == '\'' })
	word := strings.ToLower(strings.TrimRight(run, "'"))
	switch {
	case s.dict.Has(strings.ToLower(run)):
		s.add(s.entry(run, strings.ToLower(run)))
	case len(word) == 1:
		s.add(way(word + "."))
	case s.dict.Has(word):
		s.add(s.entry(run, word))
	case run == strings.ToUpper(run) && isLetters(run) && (len(run) < 4 || !strings.ContainsAny(word, "aeiouy")):
		s.add(ways{spell(run)})
	case len(word) <= maxLetters && len(s.sounds(word)) > 0:
		s.add(way(word))
	default:
		s.out.foreign = true
	}
	if s.follows('.', isLetter) && len(word) > 1 && len(s.left) > 2 && isLetter(s.left[2]) {
		s.add(way("dot", "point"))
	}
}

// sign reads or skips one other character.
func (s *scanner) sign() {
	c := s.left[0]
	s.left = s.left[1:]
	switch w := said[string(c)]; {
	case w != nil:
		s.add(w)
	case c == '-' && len(s.out.parts) == 0 && len(s.left) > 0 && isDigit(s.left[0]):
		s.add(way("minus", "negative"))
	}
}
