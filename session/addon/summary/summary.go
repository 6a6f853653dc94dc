// Package summary shortens what was said to its most telling sentences, without a model.
//
// Sentences are ranked by how much they have in common with all others (LexRank, Erkan and Radev 2004), weighed by place,
// length and what they announce; they are taken by their rank less what those already taken say (after MMR, Carbonell and
// Goldstein 1998). They are rid of fillers and false starts, and stand in the order they were said.
//
// All functions are pure. The same utterances always give the same summary; time and memory grow with the number of words.
package summary

import (
	"math"
	"strings"

	"steno/messages"
	"steno/session/addon/sentences"
	"steno/session/addon/summary/terms"
)

// The kinds of summary.
const (
	// General is three to eight sentences, the more the longer the talk was.
	General = "general"
	// Bullets are as many lines, each with "- " before it.
	Bullets = "bullet_points"
	// Concise is one sentence.
	Concise = "concise"
)

// Extract is a summary of the kind given; an unknown kind is read as [General]. A text no longer than its summary would be
// is its own. It reports false where nothing was said.
func Extract(us []messages.Utterance, kind string) (string, bool) {
	return Of(sentences.Split(us), kind)
}

// Of is [Extract] for sentences in the order they were said.
func Of(said []sentences.Sentence, kind string) (string, bool) {
	all := candidates(said)
	if len(all) == 0 {
		return "", false
	}
	chosen := choose(all, count(len(all), kind))
	lines := make([]string, len(chosen))
	for i, c := range chosen {
		lines[i] = c.text
	}
	if kind == Bullets {
		return "- " + strings.Join(lines, "\n- "), true
	}
	return strings.Join(lines, " "), true
}

// count is how many sentences summarize n: one more each time the talk is twice as long.
func count(n int, kind string) int {
	if kind == Concise {
		return 1
	}
	return min(max(3+int(math.Log2(float64(n)/8)), 3), 8)
}

// candidate is a sentence that may be chosen.
type candidate struct {
	text string // made tidy
	vec  vector
	// weight is what it is worth by itself, rank also by what the others say; both are positive.
	weight, rank float64
}

// candidates are the sentences that say anything, ranked, in their order.
func candidates(said []sentences.Sentence) []candidate {
	var all []candidate
	var stems [][]string
	var listed []bool
	reader := terms.New()
	for _, s := range said {
		words := tidy(strings.Fields(s.Text), s.Language)
		if len(words) == 0 {
			continue
		}
		text := finish(words, s.Language)
		all = append(all, candidate{text: text})
		stems = append(stems, reader.Stems(text, s.Language))
		listed = append(listed, reader.Listed(s.Language))
		all[len(all)-1].weight = weight(words, len(stems[len(stems)-1]), s.Language)
	}
	for i, v := range vectors(stems, listed) {
		all[i].vec = v
	}
	rank(all)
	return all
}
