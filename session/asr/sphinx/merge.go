package sphinx

import "math"

// merge returns the path of a plain decoder, except for stretches with an added word that was
// recognized clearly and that does not replace words of which the plain decoder is sure. A stretch
// lies between the nearest borders of words that both paths have. It is taken from the path with
// the vocabulary; an unclear added word in it is replaced by the plain words whose middle it
// contains.
func merge(plain, taught []segment) []segment {
	var out []segment
	for len(plain) > 0 || len(taught) > 0 {
		i, j := border(plain, taught)
		rejectUncertain(taught[:j], plain[:i])
		if anyClear(taught[:j]) {
			out = append(out, without(taught[:j], plain[:i])...)
		} else {
			out = append(out, plain[:i]...)
		}
		plain, taught = plain[i:], taught[j:]
	}
	return out
}

// border returns how many segments of each path are before the first border that both have, all if
// there is none.
func border(a, b []segment) (i, j int) {
	for i < len(a) && j < len(b) {
		switch {
		case a[i].end < b[j].end:
			i++
		case a[i].end > b[j].end:
			j++
		default:
			return i + 1, j + 1
		}
	}
	return len(a), len(b)
}

// surePosterior is the posterior of a word of which the plain decoder is sure.
const surePosterior = 0.9

// rejectUncertain makes added words unclear where the plain decoder is sure of all its words and
// they fit better: "surely" is no "Xiaomi".
func rejectUncertain(taught, plain []segment) {
	for i, s := range taught {
		if !s.clear {
			continue
		}
		least, fit, frames := 1.0, 0.0, 0
		for _, p := range plain {
			if p.within(s) && p.text() != "" {
				least = min(least, p.posterior)
				fit += p.acoustic * float64(p.end-p.start)
				frames += p.end - p.start
			}
		}
		if frames > 0 && least >= surePosterior && fit >= s.acoustic*float64(frames) {
			taught[i].clear = false
		}
	}
}

// within reports whether the middle of a segment lies in another.
func (s segment) within(other segment) bool {
	middle := (s.start + s.end) / 2
	return middle >= other.start && middle < other.end
}

func anyClear(path []segment) bool {
	for _, s := range path {
		if s.clear {
			return true
		}
	}
	return false
}

// without removes the unclear added words from a stretch.
func without(taught, plain []segment) []segment {
	var out []segment
	for _, s := range taught {
		if s.taught == nil || s.clear {
			out = append(out, s)
			continue
		}
		for _, p := range plain {
			if p.within(s) {
				p.start, p.end = max(p.start, s.start), min(p.end, s.end)
				out = append(out, p)
			}
		}
	}
	return out
}

// evidence returns the logarithm of the odds that an added word was spoken where a decoder
// recognized it: by the decoder's confidence in it, its length, and how well its sounds fit. The
// weights are those of a logistic regression over words recognized in read English with a
// vocabulary of 67 names that were not spoken and one or two words that were. How much likelier the
// word is than what a plain decoder recognizes there adds no information.
func (s segment) evidence() float64 {
	p := min(max(s.posterior, 0.02), 0.999) // beyond these the library's posteriors mean nothing more
	return 1.35 + 0.26*math.Log(p/(1-p)) + 0.087*float64(s.end-s.start) + 1.31*s.acoustic
}

// Evidence needed: for one of many words, no unspoken word had as much; for one of a few, hardly
// any had.
const (
	neededEvidence = 2
	neededOf       = 67
	leastEvidence  = 0.5
)

// needs returns the evidence that the word needs if it is one of that many, each of which may sound
// like something else by chance. A word of higher intensity is recognized more often as it is, and
// needs no less.
func (w addedWord) needs(of int) float64 {
	return max(neededEvidence+math.Log(float64(of)/neededOf), leastEvidence) * max(1.5-float64(w.tenths)/10, 1)
}
