package entities

import (
	"slices"
	"strings"

	"steno/messages"
)

// boundaryLimit is at how many boundaries within one number its parts are looked at: all rows of
// parts are, so it is squared.
const boundaryLimit = 8

// within are the first boundaries between the tokens from and to, both not counted.
func (t *text) within(from, to int) []int {
	at, _ := slices.BinarySearch(t.boundaries, from+1)
	end, _ := slices.BinarySearch(t.boundaries, to)
	return t.boundaries[at:max(at, min(end, at+boundaryLimit))]
}

// boundary reports whether a further utterance begins with the token at i.
func (t *text) boundary(i int) bool {
	_, ok := slices.BinarySearch(t.boundaries, i)
	return ok
}

// runParts are a run and its rows of pieces that begin and end with an utterance: digits of another
// thing may stand before or after it. Two whole numbers are not one.
func runParts(t *text, r run) []run {
	cuts := []int{0}
	for _, s := range t.within(r.from, r.to) {
		if i := slices.IndexFunc(r.pieces, func(p piece) bool { return p.from >= s }); i > cuts[len(cuts)-1] {
			cuts = append(cuts, i)
		}
	}
	cuts = append(cuts, len(r.pieces))
	if len(cuts) == 2 {
		return []run{r}
	}
	for _, c := range cuts[1 : len(cuts)-1] {
		if left, right := r.part(0, c), r.part(c, len(r.pieces)); areSeparate(left.digits, right.digits) {
			return append(runParts(t, left), runParts(t, right)...)
		}
	}
	list := []run{r}
	for i, from := range cuts {
		for _, to := range cuts[i+1:] {
			if to-from < len(r.pieces) {
				list = append(list, r.part(from, to))
			}
		}
	}
	return list
}

// part are the pieces [from,to) of a run.
func (r run) part(from, to int) run {
	p := run{from: r.pieces[from].from, to: r.pieces[to-1].to, pieces: r.pieces[from:to], partial: true}
	if from == 0 {
		p.from, p.plus = r.from, r.plus
	}
	var digits strings.Builder
	for _, piece := range p.pieces {
		digits.WriteString(piece.digits)
	}
	p.digits = digits.String()
	return p
}

// areSeparate reports whether digits said one after another are two numbers: the same one twice, or
// two that are whole.
func areSeparate(a, b string) bool {
	card := func(d string) bool { return len(d) >= 13 && len(d) <= 19 && d[0] >= '2' && d[0] <= '6' && luhn(d) }
	return !card(a+b) && (a == b && len(a) >= 7 || american(a) && american(b) || card(a) && card(b))
}

// Announces reports whether words name a kind of number, such as "security code", which is said
// next.
func Announces(words []messages.Word, language string) bool {
	t := newText(words, nil, language)
	for i := range t.tokens {
		if _, _, cued := readCue(t, i); cued || isExpiryWord(t, i) || securityCueEnd(t, i) > i {
			return true
		}
	}
	return false
}

// Continues reports whether a number, a date or something spelt may continue from the last word of
// an utterance to the first of the next, so that the punctuation between them means nothing.
func Continues(last, next messages.Word, language string) bool {
	t := newText([]messages.Word{last, next}, []int{1}, language)
	if len(t.boundaries) == 0 || t.boundaries[0] == 0 || t.boundaries[0] == len(t.tokens) {
		return false
	}
	a, b := t.boundaries[0]-1, t.boundaries[0]
	sign := dotted(t.low(a)) || dotted(t.low(b)) || oneOf(t.low(a), "at is was") || possessive(t.at(a).raw) ||
		oneOf(t.low(b), "at of and then")
	return isSpelling(t, a) && (isSpelling(t, b) || t.english && soundsLike[t.low(b)] != "") || t.english && sign
}

// isSpelling reports whether the token at i may be a piece of a number, a date or something spelt.
func isSpelling(t *text, i int) bool {
	low := t.low(i)
	if len(low) == 1 || strings.ContainsAny(low, "0123456789") || spelling[low] != "" && t.english {
		return true
	}
	if !t.english {
		return isDigit(t, i)
	}
	_, rank := ordinals[low]
	return isDigit(t, i) || rank || months[low] > 0 || oneOf(low, "oh double triple treble hundred thousand nought")
}

// dotted reports whether a word is a spoken sign that stands between the pieces of something spelt.
func dotted(low string) bool { return oneOf(low, "dot underscore dash hyphen slash @") }
