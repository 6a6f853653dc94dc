package chapters

import "math"

const (
	// shortest is how much speech a chapter has, in seconds.
	shortest = 30
	// mostChapters follow from a longer shortest, where there is much speech.
	mostChapters = 64
	// prior is how many uses of each word are taken for seen before a chapter begins, seen that of all words together. They
	// do not grow with the text: a cut depends on what is said around it, not on how long the whole is.
	prior = 0.4
	seen  = 120
	// caution is the cost of one more chapter, as a logarithm of its probability.
	caution = 7
	// breath is what a second of silence before a chapter takes off its cost, for the first longestBreath seconds: it settles
	// on which side of a cut those sentences are that have no content.
	breath        = 0.5
	longestBreath = 3
)

// divide gives the sentence after the last of each chapter.
func divide(us []unit, distinct int) []int {
	d := newDivision(us, distinct)
	for from := range us {
		if from == 0 || d.before[from] >= 0 {
			d.extend(from)
		}
	}
	return d.cuts()
}

// division finds the cheapest way to cut units into chapters: the best[i] of the units before the i-th, for each i.
type division struct {
	units  []unit
	speech float64 // of the shortest chapter
	best   []float64
	before []int // where the last chapter of the best way begins; -1: there is no way
	counts []int // uses of each stem in the chapter looked at
}

func newDivision(us []unit, distinct int) *division {
	speech := 0.0
	for _, u := range us {
		speech += u.speech
	}
	d := &division{units: us, speech: max(shortest, speech/mostChapters), best: make([]float64, len(us)+1),
		before: make([]int, len(us)+1), counts: make([]int, distinct)}
	for i := range d.before {
		d.before[i] = -1
	}
	return d
}

// extend looks at all chapters that begin with a unit. The cost of one is the negative logarithm of the probability of its
// words, each foretold from those before it in the chapter.
func (d *division) extend(from int) {
	clear(d.counts)
	cost := d.best[from] + caution - breath*min(d.units[from].pause, longestBreath)
	words, speech := 0.0, 0.0
	for to := from + 1; to <= len(d.units); to++ {
		u := d.units[to-1]
		for _, stem := range u.stems {
			cost += math.Log((words + seen) / (float64(d.counts[stem]) + prior))
			d.counts[stem]++
			words++
		}
		speech += u.speech
		if whole := from == 0 && to == len(d.units); speech < d.speech && !whole {
			continue
		}
		if d.before[to] < 0 || cost < d.best[to] {
			d.best[to], d.before[to] = cost, from
		}
	}
}

// cuts follows the best way back from the end.
func (d *division) cuts() []int {
	var cuts []int
	for to := len(d.units); to > 0; to = d.before[to] {
		cuts = append([]int{d.units[to-1].to}, cuts...)
	}
	return cuts
}
