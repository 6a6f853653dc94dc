// Package summary extracts the most informative sentences of a transcript, without a model.
//
// Sentences are ranked by how much they have in common with all others (LexRank, Erkan and Radev
// 2004), weighted by position, length and words that announce a decision; they are chosen by their
// rank less what they repeat of those chosen before (after MMR, Carbonell and Goldstein 1998).
// Fillers and false starts are removed, and the order is that of the transcript.
//
// All functions are pure. The same utterances always produce the same summary; time and memory grow
// with the number of words.
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
	// General is three to eight sentences, more for a longer talk.
	General = "general"
	// Bullets are as many lines, each beginning with "- ".
	Bullets = "bullet_points"
	// Concise is one sentence.
	Concise = "concise"
)

// Extract returns a summary of the kind; an unknown kind is taken as [General]. The summary of a
// text that is no longer than its summary would be is the text. Extract returns false if there are
// no words.
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

// count returns how many sentences summarize n: one more for each doubling of the length.
func count(n int, kind string) int {
	if kind == Concise {
		return 1
	}
	return min(max(3+int(math.Log2(float64(n)/8)), 3), 8)
}

// candidate is a sentence that may be chosen.
type candidate struct {
	text string // without fillers and false starts
	vec  vector
	// weight is the value of the sentence alone, rank its value among the others; both are
	// positive.
	weight, rank float64
}

// candidates returns the sentences that have any content, with their ranks, in their order.
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
