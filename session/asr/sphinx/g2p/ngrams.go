package g2p

import (
	"slices"
	"sort"
)

// token is the number of a pair, or an edge of a word.
type token uint16

const (
	start     token = 0
	end       token = 1
	firstPair token = 2
)

// order is the length of the longest n-grams; a token has so many bits in them.
const (
	order     = 5
	tokenBits = 12
)

// ngrams has the n-grams of each length.
type ngrams [order]level

// level has the n-grams of one length, sorted, each in one number with the last token lowest, so
// that those of one context are adjacent. before has the sum of the counts of all previous n-grams,
// and one element more than keys.
type level struct {
	keys   []uint64
	before []uint32
}

// count counts the pairs and their n-grams.
func (m *Model) count(examples []example, alignments [][]byte) {
	number := map[pair]token{}
	var raw [order][]uint64
	for i, x := range examples {
		if tokens, ok := m.tokens(x, alignments[i], number); ok {
			for n := range raw {
				raw[n] = collect(raw[n], tokens, n)
			}
		}
	}
	for n := range raw {
		m.ngrams[n] = newLevel(raw[n])
	}
}

// tokens returns the tokens of an example between the edges of a word. ok is false if the example
// is not aligned, or there are too many kinds of pairs.
func (m *Model) tokens(x example, lengths []byte, number map[pair]token) ([]token, bool) {
	out := []token{start}
	phones := x.phones
	for i, n := range lengths {
		p := pair{x.word[i] - 'a', chunkOf(phones[:n])}
		phones = phones[n:]
		t, known := number[p]
		if !known {
			if len(m.pairs) == 1<<tokenBits {
				return nil, false
			}
			t = token(len(m.pairs))
			number[p] = t
			m.pairs = append(m.pairs, p)
			m.of[p.letter] = append(m.of[p.letter], t)
		}
		out = append(out, t)
	}
	return append(out, end), lengths != nil
}

// collect appends the n-grams of a word that have a context of n tokens.
func collect(to []uint64, tokens []token, n int) []uint64 {
	for i := max(n, 1); i < len(tokens); i++ {
		to = append(to, packed(tokens[i-n:i])<<tokenBits|uint64(tokens[i]))
	}
	return to
}

func packed(tokens []token) uint64 {
	var key uint64
	for _, t := range tokens {
		key = key<<tokenBits | uint64(t)
	}
	return key
}

func newLevel(raw []uint64) level {
	slices.Sort(raw)
	l := level{before: []uint32{0}}
	for i, key := range raw {
		if i == 0 || key != raw[i-1] {
			l.keys = append(l.keys, key)
			l.before = append(l.before, uint32(i))
		}
		l.before[len(l.keys)] = uint32(i + 1)
	}
	return l
}

// context is the n-grams of one length that begin with the same tokens.
type context struct {
	level
	low, high int // in keys
}

// after returns the contexts of the last tokens, the longest last.
func (g *ngrams) after(tokens []token) []context {
	out := make([]context, 0, order)
	for n := range min(order, len(tokens)+1) {
		l := g[n]
		first := packed(tokens[len(tokens)-n:]) << tokenBits
		at := func(key uint64) int { return sort.Search(len(l.keys), func(i int) bool { return l.keys[i] >= key }) }
		low := at(first)
		high := at(first + 1<<tokenBits)
		if low == high {
			break
		}
		out = append(out, context{l, low, high})
	}
	return out
}

// probability returns the probability of the token that follows, each context interpolated with the
// shorter ones by the number of kinds of tokens that follow it.
func probability(contexts []context, t token, kinds int) float64 {
	p := 1 / float64(kinds)
	for _, c := range contexts {
		seen := float64(c.before[c.high] - c.before[c.low])
		different := float64(c.high - c.low)
		p = (c.times(t) + different*p) / (seen + different)
	}
	return p
}

// times returns how often the token follows the context.
func (c context) times(t token) float64 {
	key := c.keys[c.low]>>tokenBits<<tokenBits | uint64(t)
	i := c.low + sort.Search(c.high-c.low, func(i int) bool { return c.keys[c.low+i] >= key })
	if i == c.high || c.keys[i] != key {
		return 0
	}
	return float64(c.before[i+1] - c.before[i])
}
