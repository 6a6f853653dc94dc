package chapters

import "math"

const (
	// shortest is how much speech a chapter has, in seconds.
	shortest = 30
	// mostChapters follow from a longer shortest, where there is much speech.
	mostChapters = 64
	// caution is how many times the cost that Utiyama and Isahara give a chapter, the logarithm of the number of words, one
	// costs here: speech strays from its subject more than writing does.
	caution = 1.0
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
	units    []unit
	distinct int
	speech   float64 // of the shortest chapter
	chapter  float64 // cost of one
	best     []float64
	before   []int // where the last chapter of the best way begins; -1: there is no way
	counts   []int // uses of each stem in the chapter looked at
}

func newDivision(us []unit, distinct int) *division {
	words, speech := 0, 0.0
	for _, u := range us {
		words += len(u.stems)
		speech += u.speech
	}
	d := &division{units: us, distinct: distinct, speech: max(shortest, speech/mostChapters), chapter: caution * math.Log(float64(words)+1),
		best: make([]float64, len(us)+1), before: make([]int, len(us)+1), counts: make([]int, distinct)}
	for i := range d.before {
		d.before[i] = -1
	}
	return d
}

// extend looks at all chapters that begin with a unit. The cost of one is the negative logarithm of the probability of its
// words, each as probable as it is frequent in the chapter, with one use added to all (Laplace).
func (d *division) extend(from int) {
	clear(d.counts)
	var words, used, speech float64 // used: the sum of uses times the logarithm of uses and one
	for to := from + 1; to <= len(d.units); to++ {
		u := d.units[to-1]
		for _, stem := range u.stems {
			n := float64(d.counts[stem])
			used += (n+1)*math.Log(n+2) - n*math.Log(n+1)
			d.counts[stem]++
		}
		words += float64(len(u.stems))
		speech += u.speech
		whole := from == 0 && to == len(d.units)
		if speech < d.speech && !whole {
			continue
		}
		cost := d.best[from] + d.chapter + words*math.Log(words+float64(d.distinct)) - used
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
