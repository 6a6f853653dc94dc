package chapters

import "math"

const (
	// shortest is the least speech of a chapter, in seconds.
	shortest = 30
	// mostChapters bounds the chapters: for much speech the least speech of a chapter grows.
	mostChapters = 64
	// prior is the number of uses of each word, and seen that of all words, that are assumed before a chapter begins. They do
	// not grow with the text, so that a cut depends on the words around it, not on the length of the transcript.
	prior = 0.4
	seen  = 120
	// caution is the cost of one more chapter, as a negative logarithm of its probability.
	caution = 7
	// breath is by how much each second of silence before a chapter reduces its cost, for the first longestBreath seconds. It
	// decides on which side of a cut sentences without content are.
	breath        = 0.5
	longestBreath = 3
)

// divide returns, for each chapter, the index of the sentence after its last.
func divide(us []unit, distinct int) []int {
	d := newDivision(us, distinct)
	for from := range us {
		if from == 0 || d.before[from] >= 0 {
			d.extend(from)
		}
	}
	return d.cuts()
}

// division finds the division of units into chapters with the least cost, by the least cost best[i] of the first i units.
type division struct {
	units  []unit
	speech float64 // least speech of a chapter
	best   []float64
	before []int // index at which the last chapter of the best division begins; -1: there is none
	counts []int // uses of each stem in the current chapter
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

// extend tries all chapters that begin with a unit. The cost of a chapter is the negative logarithm of the probability of its
// words, each given those before it in the chapter.
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

// cuts returns the best division, which it follows back from the end.
func (d *division) cuts() []int {
	var cuts []int
	for to := len(d.units); to > 0; to = d.before[to] {
		cuts = append([]int{d.units[to-1].to}, cuts...)
	}
	return cuts
}
