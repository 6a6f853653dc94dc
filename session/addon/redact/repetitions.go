package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/session/addon/entities"
)

const (
	// chunkLimit bounds how many chunks a value said again may have.
	chunkLimit = 40
	// piecesLeast is how many letters and digits a value must have to be hidden where it is said
	// again in several turns.
	piecesLeast = 5
)

// spokenChunk is a chunk of the words of a turn.
type spokenChunk struct {
	entities.Chunk
	turn  *turn
	fresh bool // no value continues from the chunk before
}

// again adds the known values in the turns of a row to the hits. From each place on it takes the
// longest.
func (v *values) again(r *row, hits map[*turn][]hit) {
	if len(v.plain) == 0 {
		return
	}
	var chunks []spokenChunk
	for i, t := range r.turns {
		for k, c := range entities.Chunks(t.words, t.Language) {
			chunks = append(chunks, spokenChunk{c, t, k == 0 && r.before(i) == separate})
		}
	}
	for i := 0; i < len(chunks); {
		h, end := v.match(chunks, i)
		for at := i; at < end; {
			from := at
			for at++; at < end && chunks[at].turn == chunks[from].turn; {
				at++
			}
			h.from, h.to = chunks[from].From, chunks[at-1].To
			hits[chunks[from].turn] = append(hits[chunks[from].turn], h)
		}
		i = max(end, i+1)
	}
}

// match is the longest known value that begins with the chunk at i; end is i where there is none.
func (v *values) match(chunks []spokenChunk, i int) (best hit, end int) {
	end = i
	if chunks[i].Text == "" {
		return best, end
	}
	text := ""
	for at := i; at < len(chunks) && at < i+chunkLimit && (at == i || !chunks[at].fresh); at++ {
		if chunks[at].Text == "" {
			continue
		}
		least := chunks[i].turn.least()
		if chunks[at].turn != chunks[i].turn {
			least = piecesLeast
		}
		text += chunks[at].Text
		if h, ok := v.plain[text]; ok && letters(text, h.kind) >= least {
			best, end = hit{kind: h.kind, marker: h.marker, size: at + 1 - i}, at+1
		}
	}
	return best, end
}

// letters is how many letters and digits a value of a kind has. Of names those signs count as two
// that are a whole syllable or more: most names have two or three of them.
func letters(text, kind string) int {
	n := utf8.RuneCountInString(text)
	if !strings.HasPrefix(kind, "NAME") {
		return n
	}
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hangul) {
			n++
		}
	}
	return n
}

// least is how many letters and digits a known value must have to be hidden in a turn.
func (t *turn) least() int {
	if len(t.Words) == 0 {
		return writtenLeast
	}
	return spokenLeast
}
