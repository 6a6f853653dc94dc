package entities

import (
	"regexp"
	"strconv"
	"strings"
)

// run is a longest stretch of digits, spoken one by one, in groups, or written.
type run struct {
	from, to int // tokens
	digits   string
	pieces   []piece
	plus     bool
	partial  bool // it is a part of a longer one, see [text.parts]
}

// piece is what was said as one: "4", "double seven", "twenty three", "eight hundred", "415-555".
type piece struct {
	from, to int
	digits   string
	round    bool // said with "hundred" or "thousand"
}

// joints may stand between the pieces of a run.
var joints = map[string]bool{"dash": true, "hyphen": true, "minus": true, "space": true, "uh": true, "um": true,
	"er": true, "then": true, "-": true, "–": true}

var grouped = regexp.MustCompile(`^\+?\(?\d+(?:\)?[-–]?\(?\d+)*\)?$|^\+?(?:1[.-])?\(?\d{3}\)?[.]\d{3}[.]\d{4}$|^\d{2}(?:\.\d{2}){4}$`)

var thousands = regexp.MustCompile(`^\d{1,3}(?:,\d{3})+$`)

// findRuns lists the runs of a text, and parts of those said in several utterances. Each token is
// read a bounded number of times.
func findRuns(t *text) []run {
	var list []run
	for i := 0; i < len(t.tokens); {
		r, ok := readRun(t, i)
		if !ok {
			i++
			continue
		}
		list = append(list, runParts(t, r)...)
		i = r.to
	}
	return list
}

func readRun(t *text, i int) (r run, found bool) {
	r.from = i
	if low := t.low(i); low == "plus" || low == "+" {
		r.plus = true
		i++
	}
	p, ok := readPiece(t, i)
	if !ok {
		return r, false
	}
	r.plus = r.plus || strings.HasPrefix(t.at(i).raw, "+")
	var digits strings.Builder
	for ok {
		r.pieces = append(r.pieces, p)
		digits.WriteString(p.digits)
		r.to = p.to
		next := p.to
		if t.at(next-1).after == '.' && !isTolled(t, p) {
			break
		}
		if isAndThen(t, next) {
			next++
		}
		for n := 0; joints[t.low(next)] && n < 3; n++ {
			next++
		}
		p, ok = readPiece(t, next)
	}
	r.digits = digits.String()
	return r.cardinal(t), true
}

// isAndThen reports whether "and then" begins at i, with which a number or something spelt
// continues.
func isAndThen(t *text, i int) bool { return t.low(i) == "and" && t.low(i+1) == "then" }

// isTolled reports whether a digit is one of several of which a recognizer has made sentences, as
// of what is said slowly: "4. 1. 5."
func isTolled(t *text, p piece) bool {
	next, ok := readPiece(t, p.to)
	return ok && len(p.digits) == 1 && len(next.digits) == 1 && t.ends(next.to-1)
}

// isCode reports whether a number at i that is written with commas, "1,234,567", counts nothing:
// words before it announce a number of somebody or something, which a recognizer has written so.
func isCode(t *text, i int) bool {
	const names = "number account acct card visa mastercard pin passcode code policy social ssn passport license " +
		"licence routing id member phone"
	if !t.near(i, 12, names) || t.near(i, 5, "balance total amount cost costs price worth of has") {
		return false
	}
	return !t.joins(i+1) || !t.is(i+1, common) || oneOf(t.low(i+1), functional)
}

func readPiece(t *text, i int) (piece, bool) {
	low := t.low(i)
	switch low {
	case "":
		return piece{}, false
	case "double", "triple", "treble", "quadruple":
		return readRepeatedDigit(t, i)
	case "oh", "o", "nought":
		near := isDigit(t, i-1) || isDigit(t, i+1) || t.low(i-1) == low || t.low(i+1) == low
		return piece{i, i + 1, "0", false}, near
	case "to", "too", "for":
		return piece{i, i + 1, soundsLike[low], false}, isSingle(t, i-1) && isSingle(t, i+1)
	}
	if raw := t.at(i).raw; raw[0] == '+' || raw[0] == '(' || raw[0] >= '0' && raw[0] <= '9' {
		if thousands.MatchString(raw) && isCode(t, i) {
			return piece{i, i + 1, onlyDigits(raw), false}, true
		}
		if !grouped.MatchString(raw) || isDate(raw) {
			return piece{}, false
		}
		return piece{i, i + 1, onlyDigits(raw), false}, true
	}
	v, end, ok := readBelow100(t, i)
	if !ok {
		return piece{}, false
	}
	if p, ok := readRound(t, piece{from: i, to: end}, v); ok {
		return p, true
	}
	return piece{i, end, strconv.FormatInt(v, 10), false}, true
}

// readRound reads "hundred" or "thousand" after the number v in p. What follows "and" belongs to
// it, "seven hundred and twelve"; what follows directly may be digits of their own, see
// [run.cardinal].
func readRound(t *text, p piece, v int64) (piece, bool) {
	factor, below := int64(100), int64(20)
	switch t.low(p.to) {
	case "hundred":
	case "thousand":
		factor, below = 1000, 10
	default:
		return p, false
	}
	if v == 0 || v >= below {
		return p, false
	}
	v *= factor
	p.to++
	if t.low(p.to) == "and" && t.joins(p.to) && t.joins(p.to+1) {
		if rest, end, ok := readBelow100(t, p.to+1); ok && rest > 0 {
			v, p.to = v+rest, end
		}
	}
	p.digits, p.round = strconv.FormatInt(v, 10), true
	return p, true
}

// cardinal returns the run as one number where it is said as one with "hundred" or "thousand":
// "seven hundred twelve" is 712, not 70012.
func (r run) cardinal(t *text) run {
	if len(r.pieces) < 2 || !r.pieces[0].round {
		return r
	}
	if a, end, ok := readNumber(t, r.from); ok && end == r.to && a.frac == "" {
		r.digits = a.String()
		r.pieces = []piece{{r.from, r.to, r.digits, true}}
	}
	return r
}

// soundsLike has the digits for which recognizers write other words between digits.
var soundsLike = map[string]string{"to": "2", "too": "2", "for": "4"}

// isSingle reports whether the token at i is a single digit, spoken or written.
func isSingle(t *text, i int) bool {
	_, word := units[t.low(i)]
	return word || len(t.low(i)) == 1 && digitsOnly(t.low(i))
}

// isDigit reports whether the token at i is a digit, spoken or written.
func isDigit(t *text, i int) bool {
	_, word := units[t.low(i)]
	_, teen := teens[t.low(i)]
	_, ten := tens[t.low(i)]
	return word || teen || ten || digitsOnly(t.low(i))
}

func readRepeatedDigit(t *text, i int) (piece, bool) {
	count := map[string]int{"double": 2, "quadruple": 4}[t.low(i)]
	if count == 0 {
		count = 3
	}
	digit := t.low(i + 1)
	if v, ok := units[digit]; ok {
		digit = strconv.FormatInt(v, 10)
	} else if digit == "oh" || digit == "o" {
		digit = "0"
	}
	if len(digit) != 1 || !digitsOnly(digit) {
		return piece{}, false
	}
	return piece{i, i + 2, strings.Repeat(digit, count), false}, true
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// counts reports whether the pieces are a row such as one two three four, or five ten fifteen
// twenty.
func (r run) counts() bool {
	if len(r.pieces) < 4 {
		return false
	}
	step := 0
	for i := 1; i < len(r.pieces); i++ {
		a, err := strconv.Atoi(r.pieces[i-1].digits)
		b, wrong := strconv.Atoi(r.pieces[i].digits)
		if err != nil || wrong != nil || b == a || i > 1 && b-a != step {
			return false
		}
		step = b - a
	}
	return true
}

// spelt reports whether most of the run's digits came one by one, or in long written groups: then
// it is a code, no list of quantities.
func (r run) spelt() bool {
	single := 0
	for _, p := range r.pieces {
		if len(p.digits) != 2 && !p.round || p.to-p.from == 2 && p.digits[0] == p.digits[1] && len(p.digits) == 2 {
			single += len(p.digits)
		}
	}
	return 2*single >= len(r.digits)
}

// cut is the shortest beginning of the run with so many digits, if pieces end there.
func (r run) cut(digits int) (run, bool) {
	n := 0
	for i, p := range r.pieces {
		if n += len(p.digits); n > digits {
			break
		}
		if n == digits {
			return run{from: r.from, to: p.to, digits: r.digits[:n], pieces: r.pieces[:i+1], plus: r.plus}, true
		}
	}
	return run{}, false
}

func (r run) as(kind string, w weight) candidate {
	return candidate{kind: kind, from: r.from, to: r.to, weight: w, value: r.digits}
}
