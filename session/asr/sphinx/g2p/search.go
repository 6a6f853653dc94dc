package g2p

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Pronunciation is a possible pronunciation of a word.
type Pronunciation struct {
	Phones string  // of the dictionary, separated by blanks
	Score  float64 // natural logarithm of the probability of the word with these phones
}

// beam is how many hypotheses are kept for the letters so far.
const beam = 10

// beginning is a hypothesis for the first letters of a word.
type beginning struct {
	tokens []token
	score  float64
}

// Pronounce returns the most probable pronunciations of a word in lower case, at most that many,
// the best first. There are none for a word with other characters than the letters a to z, or
// longer than 64.
func (m *Model) Pronounce(word string, most int) []Pronunciation {
	if !plain(word) {
		return nil
	}
	ways := []beginning{{tokens: []token{start}}}
	for _, letter := range []byte(word) {
		var next []beginning
		for _, way := range ways {
			next = append(next, m.longer(way, m.of[letter-'a'])...)
		}
		ways = probable(next)
	}
	var whole []beginning
	for _, way := range ways {
		whole = append(whole, m.longer(way, []token{end})...)
	}
	return m.distinct(probable(whole), most)
}

// longer returns a hypothesis extended by each of some tokens.
func (m *Model) longer(way beginning, by []token) []beginning {
	contexts := m.ngrams.after(way.tokens[max(0, len(way.tokens)-order+1):])
	out := make([]beginning, len(by))
	for i, t := range by {
		out[i] = beginning{
			tokens: append(way.tokens[:len(way.tokens):len(way.tokens)], t),
			score:  way.score + math.Log(probability(contexts, t, len(m.pairs))),
		}
	}
	return out
}

func probable(ways []beginning) []beginning {
	slices.SortStableFunc(ways, func(a, b beginning) int { return cmp.Compare(b.score, a.score) })
	return ways[:min(len(ways), beam)]
}

// distinct returns the different pronunciations among some hypotheses.
func (m *Model) distinct(ways []beginning, most int) []Pronunciation {
	var out []Pronunciation
	for _, way := range ways {
		if len(out) >= most {
			break
		}
		phones := m.spoken(way.tokens)
		same := func(p Pronunciation) bool { return p.Phones == phones }
		if phones != "" && !slices.ContainsFunc(out, same) {
			out = append(out, Pronunciation{phones, way.score})
		}
	}
	return out
}

func (m *Model) spoken(tokens []token) string {
	var out []string
	for _, t := range tokens {
		if t >= firstPair {
			for c := m.pairs[t].chunk; c > 0; c >>= 7 {
				out = append(out, m.phones[c&maxPhones])
			}
		}
	}
	return strings.Join(out, " ")
}
