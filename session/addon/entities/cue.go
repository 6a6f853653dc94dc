package entities

import (
	"strconv"
	"strings"
)

// cue is what the words before a code say about it.
type cue struct {
	kind     string
	min, max int  // signs
	letters  bool // the code may have letters
}

// readCues reads lines "KIND min max d|a: phrase, phrase".
func (l *lexicon) readCues(text string) {
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

// cue is the longest cue that begins at i, and where it ends.
func (t *text) cue(i int) (cue, int, bool) {
	l := theLexicon()
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
const fillers = "number numbers no num # is was are it its it's that that's the my your his her our their uh um er ah " +
	"well so okay ok yes yeah yep sure please would be which reads as follows of on file here here's sir ma'am i think " +
	"believe and new for me you one's will equals colon says shows code"

// skip passes over fillers, at most ten.
func (t *text) skip(i int) int {
	for n := 0; n < 10 && one(t.low(i), fillers); n++ {
		i++
	}
	return i
}

// codes finds what a cue announces: "my passport number is a b one two three four five six", or "… is my passport
// number" behind it.
func codes(t *text) []candidate {
	var list []candidate
	for i := 0; i < len(t.tokens); {
		c, end, ok := t.cue(i)
		if !ok {
			i++
			continue
		}
		if found, ok := t.announced(c, end); ok {
			list = append(list, found)
		} else if found, ok := t.confirmed(c, i); ok {
			list = append(list, found)
		}
		i = end
	}
	return list
}

// announced is the code behind a cue that ends at i.
func (t *text) announced(c cue, i int) (candidate, bool) {
	from := t.skip(i)
	if from > i && one(t.low(from-1), "a i o oh") {
		from--
	}
	value, to := t.code(from, c)
	seams := t.within(from, to)
	for n := len(seams) - 1; n >= 0 && (!c.fits(value) || t.again(from, seams[n], value, c)); n-- {
		value, to = t.codeUntil(from, seams[n], c)
	}
	return candidate{kind: c.kind, from: from, to: to, weight: cued, value: value}, c.fits(value)
}

// again says whether a code that begins at i is another twice, of which the first ends at the seam.
func (t *text) again(i, seam int, code string, c cue) bool {
	half, _ := t.codeUntil(i, seam, c)
	return len(half) >= 5 && half+half == code
}

// fits says whether a code may be what the cue says.
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

// confirmed is the code before "is my" and a cue that begins at i.
func (t *text) confirmed(c cue, i int) (candidate, bool) {
	if !one(t.low(i-1), "my the your his her our their") || !one(t.low(i-2), "is was that's as for") && t.low(i-1) != "that" {
		return candidate{}, false
	}
	end := i - 2
	if one(t.low(end-1), "that this which") {
		end--
	}
	for n := 0; n < 30; n++ {
		from := end - 30 + n
		if from < 0 || t.codeSign(from-1, c) && !t.seam(from) {
			continue
		}
		if value, to := t.code(from, c); to == end && c.fits(value) {
			return candidate{kind: c.kind, from: from, to: to, weight: cued, value: value}, true
		}
	}
	return candidate{}, false
}

// codeSign says whether a code might go on at i.
func (t *text) codeSign(i int, c cue) bool {
	_, end := t.code(i, c)
	return i >= 0 && end > i
}
