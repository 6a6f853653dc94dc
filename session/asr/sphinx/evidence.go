package sphinx

import "math"

// evidence is the logarithm of the odds that a taught word was said where a decoder heard it: how sure the decoder is of it
// against all else, how long it is, and how well its sounds fit. The weights are those of a logistic regression over words
// heard in recordings of read English with a vocabulary of 67 names that nobody says and one or two words that are said.
// How much likelier it finds that than a plain decoder what it hears there tells nothing more.
func (s segment) evidence() float64 {
	p := min(max(s.posterior, 0.02), 0.999) // beyond these the library's posteriors tell no more
	return 1.51 + 0.26*math.Log(p/(1-p)) + 0.087*float64(s.end-s.start) + 1.31*s.acoustic
}

// Evidence needed: for one of so many words, of which none that nobody said had as much; and for one of a few, of which
// hardly any had.
const (
	neededEvidence = 2
	neededOf       = 67
	leastEvidence  = 0.5
)

// needs is the evidence for a word to be taken, one of so many that may sound like something else by chance. A word of more
// intensity is heard more often as it is, and needs no less.
func (w taughtWord) needs(of int) float64 {
	return max(neededEvidence+math.Log(float64(of)/neededOf), leastEvidence) * max(1.5-float64(w.tenths)/10, 1)
}
