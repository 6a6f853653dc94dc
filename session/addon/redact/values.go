package redact

import (
	"strconv"
	"strings"

	"steno/messages"
	"steno/session/addon/entities"
)

// hit is a range of words [from,to) to be hidden, and the marker for it.
type hit struct {
	from, to     int
	kind, marker string
}

const (
	// valueLimit bounds the values a job remembers. Those beyond are hidden where they are found, under markers
	// without a number.
	valueLimit = 10_000
	// chunkLimit bounds how many chunks a value said again may have.
	chunkLimit = 40
	// spokenLeast and writtenLeast are how many letters and digits a value must have to be hidden where it stands alone:
	// "forty two" is an age here and a number of chairs there. A text without words is rather hidden too much.
	spokenLeast, writtenLeast = 3, 2
)

// values are what a job has hidden so far.
type values struct {
	markers map[string]string // by type and value
	plain   map[string]hit    // by the letters and digits of a value; the ranges mean nothing
	counts  map[string]int    // by type
}

func newValues() values {
	return values{map[string]string{}, map[string]hit{}, map[string]int{}}
}

// learn gives the hits among the first n of the words and remembers their values.
func (v *values) learn(words []messages.Word, found []entities.Found, language string, n int) []hit {
	var list []hit
	for _, f := range found {
		if f.From >= n {
			continue
		}
		said := ""
		for _, c := range entities.Chunks(words[f.From:f.To], language) {
			said += c.Text
		}
		h := hit{from: f.From, to: min(f.To, n), kind: f.Type, marker: v.marker(f, said)}
		v.remember(entities.Plain(f.Value), h)
		v.remember(said, h)
		if strings.HasPrefix(f.Type, "NAME") {
			for _, part := range strings.Fields(f.Value) {
				v.remember(entities.Plain(part), h)
			}
		}
		if f.Type == "PHONE_NUMBER" && len(f.Value) == 11 && f.Value[0] == '1' {
			v.remember(f.Value[1:], h)
		}
		list = append(list, h)
	}
	return list
}

// marker gives a value its marker, the one it has if it is known, or what was said is: a number repeated at once looks
// like more digits of it. A date of birth keeps its marker where it is said again as a date, and a name's part that of the
// name.
func (v *values) marker(f entities.Found, said string) string {
	key := f.Type + "\x00" + f.Value
	if m, ok := v.markers[key]; ok {
		return m
	}
	for _, plain := range []string{entities.Plain(f.Value), said} {
		if h, ok := v.plain[plain]; ok && (len(plain) > 4 || strings.HasPrefix(f.Type, "NAME") && strings.HasPrefix(h.kind, "NAME")) {
			return h.marker
		}
	}
	if len(v.markers) >= valueLimit {
		return "[" + f.Type + "]"
	}
	v.counts[f.Type]++
	m := "[" + f.Type + "_" + strconv.Itoa(v.counts[f.Type]) + "]"
	v.markers[key] = m
	return m
}

// remember keeps a value for later, unless it is too short or an ordinary word.
func (v *values) remember(plain string, h hit) {
	if len([]rune(plain)) < writtenLeast || entities.Common(plain) || len(v.plain) >= 4*valueLimit {
		return
	}
	if _, ok := v.plain[plain]; !ok {
		v.plain[plain] = h
	}
}

// again finds known values of at least so many letters and digits, the longest first from each place on.
func (v *values) again(words []messages.Word, language string, least int) []hit {
	if len(v.plain) == 0 {
		return nil
	}
	chunks := entities.Chunks(words, language)
	var list []hit
	for i := 0; i < len(chunks); {
		h, end := v.match(chunks, i, least)
		if end > i {
			list = append(list, h)
		}
		i = max(end, i+1)
	}
	return list
}

// match is the longest known value that begins with the chunk at i; end is i where there is none.
func (v *values) match(chunks []entities.Chunk, i, least int) (best hit, end int) {
	end = i
	if chunks[i].Text == "" {
		return best, end
	}
	text := ""
	for at := i; at < len(chunks) && at < i+chunkLimit; at++ {
		if chunks[at].Text == "" {
			continue
		}
		text += chunks[at].Text
		if h, ok := v.plain[text]; ok && len([]rune(text)) >= least {
			best = hit{chunks[i].From, chunks[at].To, h.kind, h.marker}
			end = at + 1
		}
	}
	return best, end
}

// merge joins two lists of hits over n words: where they overlap the range is that of both, under the marker of the
// longer.
func merge(n int, a, b []hit) []hit {
	owner := make([]int, n)
	all := append(append([]hit(nil), a...), b...)
	for i, h := range all {
		over := i + 1
		for k := h.from; k < h.to; k++ {
			if o := owner[k]; o != 0 && all[o-1].to-all[o-1].from >= h.to-h.from {
				over = o
			}
		}
		for k := h.from; k < h.to; k++ {
			if owner[k] == 0 || over == i+1 {
				owner[k] = over
			}
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
		list = append(list, hit{k, k + 1, all[o-1].kind, all[o-1].marker})
	}
	return list
}
