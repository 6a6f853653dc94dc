package align

import (
	"slices"
	"strings"
)

// graph is what may be said: an acyclic graph of words of the dictionary, from state 0 to the final
// one.
type graph struct {
	states, final int
	arcs          []arc
}

type arc struct {
	from, to int
	word     string
}

// newGraph returns the graph of parts that follow each other, from any of those on whose numbers
// are in first.
func newGraph(parts []ways, first []int) *graph {
	g := &graph{states: 1}
	at := 0
	for i, w := range parts {
		next := g.state()
		for _, words := range w {
			g.add(at, next, words)
			if at > 0 && slices.Contains(first, i) {
				g.add(0, next, words)
			}
		}
		at = next
	}
	g.final = at
	return g
}

func (g *graph) state() int {
	g.states++
	return g.states - 1
}

// add adds a path of words.
func (g *graph) add(from, to int, words []string) {
	for i, w := range words {
		next := to
		if i < len(words)-1 {
			next = g.state()
		}
		g.arcs = append(g.arcs, arc{from, next, w})
		from = next
	}
}

// segment is a word of a path and its frames.
type segment struct {
	word       string
	start, end int
}

// spoken reports whether a segment is neither silence nor noise.
func (s segment) spoken() bool { return s.word[0] != '<' && s.word[0] != '[' && s.word[0] != '(' }

// base returns the word without the number of its pronunciation.
func (s segment) base() string {
	word, _, _ := strings.Cut(s.word, "(")
	return word
}

// match finds which segments belong to each part: it returns the number of segments before each
// part, and of all. ok is false if the segments are no path through the parts.
func match(parts []ways, path []segment) (ends []int, ok bool) {
	before := make([]map[int]int, len(parts)+1) // by part and segments after it: segments before it
	before[0] = map[int]int{0: 0}
	for i, w := range parts {
		before[i+1] = map[int]int{}
		for at := range before[i] {
			for _, words := range w {
				if begins(path[at:], words) {
					if old, found := before[i+1][at+len(words)]; !found || at < old {
						before[i+1][at+len(words)] = at
					}
				}
			}
		}
	}
	at := len(path)
	if _, ok := before[len(parts)][at]; !ok {
		return nil, false
	}
	ends = make([]int, len(parts)+1)
	for i := len(parts); i >= 0; i-- {
		ends[i] = at
		at = before[i][at]
	}
	return ends, true
}

// begins reports whether a path begins with words.
func begins(path []segment, words []string) bool {
	if len(path) < len(words) {
		return false
	}
	for i, w := range words {
		if path[i].base() != w {
			return false
		}
	}
	return true
}
