package fusion

import (
	"cmp"
	"slices"
	"strings"

	"steno/session/asr"
)

// The parameters of voting. The package comment explains how they were found.
const (
	alpha = 0.3
	null  = 0.6
	// unknownConfidence stands for the confidences of an engine that has none. With one member's
	// confidences removed, 0.3 and 0.4 were alike, 0.5 made 0.6 points more errors, and 0.6 (when
	// such an engine always wins) 1.8.
	unknownConfidence = 0.4
)

// rover votes ("recognizer output voting error reduction", Fiscus 1997): in each slot the word with
// the highest score wins, alpha*N + (1-alpha)*C, where N is its share of the votes and C its
// highest confidence.
type rover struct {
	alpha float64 // in [0,1]: the weight of votes against confidence
	null  float64 // in [0,1]: the confidence of no word
}

// candidate is a word, or none, in a slot.
type candidate struct {
	arc        arc     // the most confident of its arcs
	confidence float64 // of that
	weight     float64 // of all its votes
}

// vote makes one final of the members' finals. Those in another language than that of the most
// confident member do not vote: the language cannot be decided word by word.
func (v rover) vote(voters []*memberStream) asr.Result {
	hypotheses := make([]*hypothesis, len(voters))
	surest := 0
	for i, h := range voters {
		hypotheses[i] = &hypothesis{words: h.result.Words, timed: h.result.Timed, weight: h.member.Weight}
		if hypotheses[i].certainty() > hypotheses[surest].certainty() {
			surest = i
		}
	}
	result := asr.Result{Final: true, Language: voters[surest].result.Language}
	var names []string
	var voting []*hypothesis
	for i, h := range voters {
		if h.result.Language == result.Language {
			names, voting = append(names, h.member.Name), append(voting, hypotheses[i])
		}
	}
	result.Engine = title(names)
	result.Words, result.Timed = v.fuse(voting)
	return result
}

// fuse makes one sequence of words of the hypotheses. Their order matters only where two are equal
// in everything else.
func (v rover) fuse(hypotheses []*hypothesis) (words []asr.Word, timed bool) {
	ordered := slices.Clone(hypotheses)
	slices.SortStableFunc(ordered, compare)
	for _, s := range network(ordered) {
		if winner := v.elect(s); winner.word != nil {
			source := s.timed(winner)
			timed = timed || source != nil
			words = appendWord(words, *winner.word, source)
		}
	}
	return words, timed
}

// compare orders hypotheses for the alignment, the most confident first: the first one shapes the
// network.
func compare(a, b *hypothesis) int {
	return cmp.Or(
		cmp.Compare(b.certainty(), a.certainty()),
		cmp.Compare(b.weight, a.weight),
		slices.CompareFunc(a.words, b.words, func(a, b asr.Word) int {
			return cmp.Or(cmp.Compare(a.Text, b.Text), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End),
				cmp.Compare(a.Confidence, b.Confidence))
		}))
}

// appendWord appends a word with the times of another, which is nil if no member has times: then it
// takes no time, after the word before. Times of different engines may disagree; starts are kept in
// order.
func appendWord(words []asr.Word, w asr.Word, source *asr.Word) []asr.Word {
	var before asr.Word
	if len(words) > 0 {
		before = words[len(words)-1]
	}
	if w.Start, w.End = before.End, before.End; source != nil {
		w.Start = max(source.Start, before.Start)
		w.End = max(source.End, w.Start)
	}
	return append(words, w)
}

// timed returns the word whose times the winner takes: its own if it has times, else those of the
// most confident same word, or else of any word in the slot, which was spoken at the same moment.
// It is nil if none has times.
func (s slot) timed(winner arc) *asr.Word {
	if winner.hypothesis.timed {
		return winner.word
	}
	var best arc
	for _, a := range s {
		if a.word == nil || !a.hypothesis.timed {
			continue
		}
		if best.word == nil || winner.same(a) && !winner.same(best) {
			best = a
		}
	}
	return best.word
}

// elect returns the winning arc of a slot. Between equals a word wins over none, then the
// hypothesis aligned first.
func (v rover) elect(s slot) arc {
	total := 0.0
	for _, a := range s {
		total += a.hypothesis.weight
	}
	var winner arc
	best := -1.0
	for _, c := range v.candidates(s) {
		score := v.alpha*c.weight/total + (1-v.alpha)*c.confidence
		if score > best || score == best && winner.word == nil {
			winner, best = c.arc, score
		}
	}
	return winner
}

func (v rover) candidates(s slot) []candidate {
	var out []candidate
	for _, a := range s {
		confidence := v.confidence(a)
		i := slices.IndexFunc(out, func(c candidate) bool { return c.arc.same(a) })
		if i < 0 {
			i = len(out)
			out = append(out, candidate{arc: a, confidence: confidence})
		}
		c := &out[i]
		c.weight += a.hypothesis.weight
		if confidence > c.confidence {
			c.arc, c.confidence = a, confidence
		}
	}
	return out
}

func (v rover) confidence(a arc) float64 {
	if a.word == nil {
		return v.null
	}
	return a.hypothesis.confidence(*a.word)
}

// title names the members that voted.
func title(names []string) string { return "fusion(" + strings.Join(names, "+") + ")" }
