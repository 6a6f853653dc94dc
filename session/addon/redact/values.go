package redact

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"steno/messages"
	"steno/session/addon/entities"
)

// hit is a range of words [from,to) to be hidden, and the marker for it.
type hit struct {
	from, to     int
	kind, marker string
	// size is how many words the entity has, in other utterances too; value and said are it as
	// found and as it was said, whole; piece is what was said of it in the range.
	size               int
	value, said, piece string
	// short is true if the words after the turn were not searched.
	short bool
}

// ofCards are the types of what is said of a card.
var ofCards = []string{"CREDIT_CARD", "CREDIT_CARD_EXPIRATION", "CVV"}

// hitsOf are what was found in a view, as it touches the turn.
func hitsOf(v view, t *turn, found []entities.Found) []hit {
	var list []hit
	for _, f := range found {
		from, to := max(f.From-v.at, 0), min(f.To-v.at, len(t.words))
		if from >= to || v.cards && !slices.Contains(ofCards, f.Type) {
			continue
		}
		h := hit{from: from, to: to, kind: f.Type, size: f.To - f.From, value: f.Value,
			said: said(v.words[f.From:f.To], t.Language), short: v.short}
		if h.piece = h.said; to-from < h.size {
			h.piece = said(t.words[from:to], t.Language)
		}
		list = append(list, h)
	}
	return list
}

// said is the letters and digits of words.
func said(words []messages.Word, language string) string {
	text := ""
	for _, c := range entities.Chunks(words, language) {
		text += c.Text
	}
	return text
}

// stronger reports whether a hit is better evidence than another: it is more than just a number, it
// was found with the words after the turn, or it is longer.
func (h hit) stronger(o hit) bool {
	if plain := o.kind == "NUMERICAL_PII"; plain != (h.kind == "NUMERICAL_PII") {
		return plain
	}
	if h.short != o.short {
		return o.short
	}
	return h.size > o.size
}

const (
	// valueLimit bounds the values a job remembers. Those beyond are hidden where they are found,
	// under markers without a number.
	valueLimit = 10_000
	// spokenLeast and writtenLeast are how many letters and digits a value must have to be hidden
	// where it stands alone: "forty two" is an age here and a number of chairs there. A text
	// without words is rather hidden too much.
	spokenLeast, writtenLeast = 3, 2
)

// values are what a job has hidden so far.
type values struct {
	markers map[string]string // by type and value
	plain   map[string]hit    // by the letters and digits of a value; the ranges mean nothing
	counts  map[string]int    // by type
	limit   int               // of markers
}

func newValues() values {
	return values{map[string]string{}, map[string]hit{}, map[string]int{}, valueLimit}
}

func (v *values) clone() values {
	return values{maps.Clone(v.markers), maps.Clone(v.plain), maps.Clone(v.counts), v.limit}
}

// learn sets the markers of hits in a turn and remembers their values.
func (v *values) learn(hits []hit) []hit {
	for i, h := range hits {
		h.marker = v.marker(h)
		hits[i] = h
		v.remember(entities.Plain(h.value), h)
		v.remember(h.said, h)
		if strings.HasPrefix(h.kind, "NAME") {
			for _, part := range strings.Fields(h.value) {
				v.remember(entities.Plain(part), h)
			}
		}
		if h.kind == "PHONE_NUMBER" && len(h.value) == 11 && h.value[0] == '1' {
			v.remember(h.value[1:], h)
		}
	}
	return hits
}

// also remembers what else was found in the place of a hit: a number, where digits after it looked
// like the rest of it.
func (v *values) also(all, hits []hit) {
	for _, o := range all {
		for _, h := range hits {
			if o.kind == h.kind && o.size == o.to-o.from && o.from < h.to && h.from < o.to && len(o.value) > 4 {
				v.remember(entities.Plain(o.value), h)
			}
		}
	}
}

// marker returns the marker of a value. It is an existing one if the value is known, or if the
// words spoken here are: a number that is repeated directly looks like more digits of it. A date of
// birth keeps its marker where it is said again as a date, and a name's part that of the name.
func (v *values) marker(h hit) string {
	key := h.kind + "\x00" + h.value
	if m, ok := v.markers[key]; ok {
		return m
	}
	for _, plain := range []string{entities.Plain(h.value), h.piece} {
		if o, ok := v.plain[plain]; ok && (len(plain) > 4 || strings.HasPrefix(h.kind, "NAME") &&
			strings.HasPrefix(o.kind, "NAME")) {
			return o.marker
		}
	}
	if len(v.markers) >= v.limit {
		return "[" + h.kind + "]"
	}
	v.counts[h.kind]++
	m := "[" + h.kind + "_" + strconv.Itoa(v.counts[h.kind]) + "]"
	v.markers[key] = m
	return m
}

// remember keeps a value for later, unless it is too short or an ordinary word.
func (v *values) remember(plain string, h hit) {
	if len([]rune(plain)) < writtenLeast || entities.Common(plain) || len(v.plain) >= 4*v.limit {
		return
	}
	if _, ok := v.plain[plain]; !ok {
		v.plain[plain] = h
	}
}

// merge joins lists of hits over n words: where they overlap the range is that of both, under the
// marker of the stronger.
func merge(n int, lists ...[]hit) []hit {
	owner := make([]int, n)
	all := slices.Concat(lists...)
	for i, h := range all {
		over := i + 1
		for k := h.from; k < h.to; k++ {
			if o := owner[k]; o != 0 && !h.stronger(all[o-1]) {
				over = o
			}
		}
		left, right := owner[h.from], owner[h.to-1]
		for k := h.from; k < h.to; k++ {
			if owner[k] == 0 || over == i+1 {
				owner[k] = over
			}
		}
		for k := h.from - 1; over == i+1 && left > 0 && k >= 0 && owner[k] == left; k-- {
			owner[k] = over
		}
		for k := h.to; over == i+1 && right > 0 && k < n && owner[k] == right; k++ {
			owner[k] = over
		}
	}
	var list []hit
	for k, o := range owner {
		if o == 0 {
			continue
		}
		if last := len(list) - 1; last >= 0 && list[last].to == k && owner[k-1] == o {
			list[last].to = k + 1
			continue
		}
		h := all[o-1]
		h.from, h.to = k, k+1
		list = append(list, h)
	}
	return list
}
