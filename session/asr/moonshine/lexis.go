package moonshine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"steno/session/asr"
)

// A phrase of intensity i gets so much added to the logits of its tokens, and must be so probable
// without that in the end. They were chosen on recordings with five names: 3 found, none where
// there was none.
const (
	startBonus, startSlope = 2, 12 // of the token that begins it: 8 for an intensity of 0.5
	moreBonus              = 4     // more for those that continue it
	floorBase, floorSlope  = -2, -8
)

// lexis is a vocabulary as a search uses it: a trie of its phrases' bytes, each node with the
// tokens that lead on from it, so that every way to spell a phrase in tokens counts. It is not
// changed once made.
type lexis struct {
	nodes []node // the first is the root
	inner []bool // tokens that continue a word
}

type node struct {
	edges []edge
	whole bool    // a phrase ends here
	level float64 // the greatest intensity of the phrases that pass
}

type edge struct{ token, to int }

// newLexis makes the lexis of terms; nil if none is of use.
func newLexis(t *pieces, terms []asr.Term) *lexis {
	b := trieBuilder{kids: []map[byte]int{{}}, nodes: []node{{}}}
	for _, term := range terms {
		if phrase := strings.Join(strings.Fields(term.Text), " "); phrase != "" {
			b.add(" "+phrase, term.Intensity)
		}
	}
	if len(b.nodes) == 1 {
		return nil
	}
	for from := range b.nodes {
		b.link(t, from)
	}
	return &lexis{b.nodes, t.inner}
}

type trieBuilder struct {
	kids  []map[byte]int
	nodes []node
}

func (b *trieBuilder) add(phrase string, level float64) {
	at := 0
	for _, c := range []byte(phrase) {
		to, ok := b.kids[at][c]
		if !ok {
			to = len(b.nodes)
			b.kids[at][c] = to
			b.kids, b.nodes = append(b.kids, map[byte]int{}), append(b.nodes, node{})
		}
		b.nodes[at].level = max(b.nodes[at].level, level)
		at = to
	}
	b.nodes[at].level = max(b.nodes[at].level, level)
	b.nodes[at].whole = true
}

// link finds the tokens that lead on from a node, by walking through both tries together.
func (b *trieBuilder) link(t *pieces, from int) {
	type place struct{ piece, node int }
	for todo := []place{{0, from}}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for c, to := range b.kids[at.node] {
			piece, ok := t.kids[at.piece][c]
			if !ok {
				continue
			}
			if token := t.token[piece]; token >= 0 {
				b.nodes[from].edges = append(b.nodes[from].edges, edge{token, to})
			}
			todo = append(todo, place{piece, to})
		}
	}
}

// pieces is the trie of a model's tokens, but for those that are a single byte or a space.
type pieces struct {
	kids  []map[byte]int
	token []int  // that ends at a node; -1: none
	inner []bool // by token: it continues a word
}

func newPieces(all tokens) *pieces {
	p := &pieces{kids: []map[byte]int{nil}, token: []int{-1}, inner: make([]bool, len(all))}
	for id, piece := range all {
		r, _ := utf8.DecodeRune(piece)
		p.inner[id] = unicode.IsLetter(r) || unicode.IsDigit(r)
		if len(piece) == 0 || isByte(id) || string(piece) == " " {
			continue
		}
		at := 0
		for _, c := range piece {
			to, ok := p.kids[at][c]
			if !ok {
				to = len(p.kids)
				if p.kids[at] == nil {
					p.kids[at] = map[byte]int{}
				}
				p.kids[at][c] = to
				p.kids, p.token = append(p.kids, nil), append(p.token, -1)
			}
			at = to
		}
		p.token[at] = id
	}
	return p
}

// phrase is where a search is: within a phrase, or in none where node is 0.
type phrase struct {
	node, from int     // from: the phrase's first token
	sum        float64 // of the logarithms of its tokens' probabilities
	banned     int     // where no phrase may begin, since one that began there failed; -1: nowhere
}

// choice is what a search does next: it takes a token, or goes back to the token undo.
type choice struct {
	id   int
	log  float64
	undo int // -1: do not
}

// choose picks the next token from a row of logits. want is the draft's, -1 if it has none.
func (s *search) choose(row []float32, want int) choice {
	id, norm := best(row)
	if s.follow && want >= 0 {
		id = want
	}
	plain := choice{id, float64(row[id]) - norm, -1}
	position, at := len(s.found.ids), s.phrase
	if s.lexis == nil || at.node == 0 && at.banned == position {
		s.phrase = phrase{banned: -1}
		return plain
	}
	token, to := s.lexis.lead(at.node, row, id)
	switch {
	case to == 0 && at.node == 0:
		s.phrase = phrase{banned: -1}
		return plain
	case to == 0 && s.lexis.nodes[at.node].whole && !(id < len(s.lexis.inner) && s.lexis.inner[id]): // it ends here
		s.phrase = phrase{banned: -1}
		return plain
	case to == 0: // no phrase continues like this
		s.phrase = phrase{banned: at.from}
		return choice{undo: at.from}
	case at.node == 0:
		at.from = position
	}
	taken := choice{token, float64(row[token]) - norm, -1}
	at.node, at.sum, at.banned = to, at.sum+taken.log, -1
	if n := &s.lexis.nodes[to]; n.whole && at.sum/float64(position-at.from+1) < floorBase+floorSlope*n.level {
		s.phrase = phrase{banned: at.from}
		return choice{undo: at.from}
	}
	s.phrase = at
	return taken
}

// lead returns the token that leads on from a node, or to 0 if the likeliest token of the row wins
// without.
func (l *lexis) lead(from int, row []float32, likeliest int) (token, to int) {
	top := row[likeliest]
	for _, e := range l.nodes[from].edges {
		if e.token >= len(row) {
			continue
		}
		bonus := startBonus + startSlope*l.nodes[e.to].level
		if from != 0 {
			bonus += moreBonus
		}
		if v := row[e.token] + float32(bonus); v > top || to == 0 && e.token == likeliest {
			token, to, top = e.token, e.to, v
		}
	}
	return token, to
}
