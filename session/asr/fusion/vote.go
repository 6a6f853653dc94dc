package fusion

import (
	"cmp"
	"slices"
	"strings"

	"steno/session/asr"
)

// What voting goes by; the package comment tells how they were found.
const (
	alpha = 0.3
	null  = 0.6
	// untold stands for the confidences of an engine that tells none. Blanking one member's, 0.3 and 0.4 were alike, 0.5 made
	// 0.6 points more errors, and 0.6 (when such an engine has its way in everything) 1.8.
	untold = 0.4
)

// rover votes ("recognizer output voting error reduction", Fiscus 1997): in each slot wins the word with the
// highest score, alpha*N + (1-alpha)*C, where N is its share of the voices and C its highest confidence.
type rover struct {
	alpha float64 // in [0,1]: what voices count, against confidence
	null  float64 // in [0,1]: confidence of having heard no word
}

// candidate is a word, or none, that stands for election in a slot.
type candidate struct {
	arc        arc     // the most confident of its arcs
	confidence float64 // of that
	weight     float64 // of all its voices
}

// vote makes a final of the members' finals. Those in a language other than that of the surest member have no voice: which
// language it is cannot be settled word by word.
func (v rover) vote(heard []*memberStream) asr.Result {
	ballots := make([]*ballot, len(heard))
	surest := 0
	for i, h := range heard {
		ballots[i] = &ballot{words: h.result.Words, timed: h.result.Timed, weight: h.member.Weight}
		if ballots[i].certainty() > ballots[surest].certainty() {
			surest = i
		}
	}
	result := asr.Result{Final: true, Language: heard[surest].result.Language}
	var names []string
	var voting []*ballot
	for i, h := range heard {
		if h.result.Language == result.Language {
			names, voting = append(names, h.member.Name), append(voting, ballots[i])
		}
	}
	result.Engine = title(names)
	result.Words, result.Timed = v.fuse(voting)
	return result
}

// fuse makes one sequence of words out of the ballots. Their order matters only where two are the same in all else.
func (v rover) fuse(ballots []*ballot) (words []asr.Word, timed bool) {
	ordered := slices.Clone(ballots)
	slices.SortStableFunc(ordered, compare)
	for _, s := range network(ordered) {
		if winner := v.elect(s); winner.word != nil {
			heard := s.timed(winner)
			timed = timed || heard != nil
			words = appendWord(words, *winner.word, heard)
		}
	}
	return words, timed
}

// compare orders ballots for the alignment, the surest first: the first one gives the network its shape.
func compare(a, b *ballot) int {
	return cmp.Or(
		cmp.Compare(b.certainty(), a.certainty()),
		cmp.Compare(b.weight, a.weight),
		slices.CompareFunc(a.words, b.words, func(a, b asr.Word) int {
			return cmp.Or(cmp.Compare(a.Text, b.Text), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End),
				cmp.Compare(a.Confidence, b.Confidence))
		}))
}

// appendWord appends a word at the time of the one heard, which is nil where nobody tells: then it takes no time, after the
// word before. Times of different engines may be at odds; starts are kept in order.
func appendWord(words []asr.Word, w asr.Word, heard *asr.Word) []asr.Word {
	var before asr.Word
	if len(words) > 0 {
		before = words[len(words)-1]
	}
	if w.Start, w.End = before.End, before.End; heard != nil {
		w.Start = max(heard.Start, before.Start)
		w.End = max(heard.End, w.Start)
	}
	return append(words, w)
}

// timed is the word, of the same ballot if it has times, else of the surest with them that has the same word, or else any:
// it was heard at the same moment. Nil: nobody tells.
func (s slot) timed(winner arc) *asr.Word {
	if winner.ballot.timed {
		return winner.word
	}
	var best arc
	for _, a := range s {
		if a.word == nil || !a.ballot.timed {
			continue
		}
		if best.word == nil || winner.same(a) && !winner.same(best) {
			best = a
		}
	}
	return best.word
}

// elect returns the winning arc of a slot. Between equals a word wins over none, then that of the ballot aligned first.
func (v rover) elect(s slot) arc {
	total := 0.0
	for _, a := range s {
		total += a.ballot.weight
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
		c.weight += a.ballot.weight
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
	return a.ballot.confidence(*a.word)
}

// title names those that voted.
func title(names []string) string { return "fusion(" + strings.Join(names, "+") + ")" }
