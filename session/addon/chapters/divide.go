package chapters

import "math"

const (
	// shortest is the least speech of a chapter, in seconds.
	shortest = 12
	// mostChapters bounds the chapters: for much speech the least speech of a chapter grows.
	mostChapters = 64
	// ownPrior and generalPrior are the number of uses of a word that are assumed before a chapter
	// begins: of one that belongs to a subject, and of one that is used whatever the subject.
	ownPrior, generalPrior = 0.16, 1.0
	// caution is the cost of one more chapter, as a negative logarithm of its probability. A
	// chapter of less than usual seconds of speech costs up to haste more.
	caution = 2.5
	haste   = 0.4
	usual   = 40
	// breath is by how much each second of silence before a chapter reduces its cost, for the first
	// longestBreath seconds. It decides on which side of a cut sentences without content are.
	breath        = 1
	longestBreath = 3
)

// divide returns, for each chapter, the index of the sentence after its last.
func divide(us []unit, priors []float64) []int {
	d := newDivision(us, priors)
	for from := range us {
		if from == 0 || d.before[from] >= 0 {
			d.extend(from)
		}
	}
	return d.cuts()
}

// division finds the division of units into chapters with the least cost, by the least cost best[i]
// of the first i units.
type division struct {
	units  []unit
	speech float64 // least speech of a chapter
	best   []float64
	before []int     // index at which the last chapter of the best division begins; -1: there is none
	priors []float64 // by stem, its uses that are assumed before a chapter begins
	counts []int     // uses of each stem in the current chapter
	seen   float64   // uses of all words that are assumed before a chapter begins
}

func newDivision(us []unit, priors []float64) *division {
	speech := 0.0
	for _, u := range us {
		speech += u.speech
	}
	d := &division{seen: usesBefore(us), units: us, speech: max(shortest, speech/mostChapters),
		best:   make([]float64, len(us)+1),
		before: make([]int, len(us)+1), counts: make([]int, len(priors)), priors: priors}
	for i := range d.before {
		d.before[i] = -1
	}
	return d
}

// extend tries all chapters that begin with a unit. The cost of a chapter is the negative logarithm
// of the probability of its words, each given those before it in the chapter.
func (d *division) extend(from int) {
	clear(d.counts)
	cost := d.best[from] + caution - breath*min(d.units[from].pause, longestBreath) - d.units[from].opening()
	words, speech := 0.0, 0.0
	for to := from + 1; to <= len(d.units); to++ {
		u := d.units[to-1]
		for _, stem := range u.stems {
			cost += math.Log((words + d.seen) / (float64(d.counts[stem]) + d.priors[stem]))
			d.counts[stem]++
			words++
		}
		speech += u.speech
		if whole := from == 0 && to == len(d.units); speech < d.speech && !whole {
			continue
		}
		if all := cost + haste*max(0, 1-speech/usual); d.before[to] < 0 || all < d.best[to] {
			d.best[to], d.before[to] = all, from
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

const (
	// near is the number of preceding units whose words a unit tends to repeat.
	near = 5
	// nearWords is about how many content words these have; fewestUses and mostUses bound what is
	// estimated from them.
	nearWords            = 30
	fewestUses, mostUses = 60, 200
)

// usesBefore returns the number of uses of all words that are assumed before a chapter begins: the
// less, the more the units of the transcript repeat the words of those before, so that a unit which
// repeats none means more. It does not grow with the text, so that a cut depends on the words
// around it.
func usesBefore(us []unit) float64 {
	again, all := 1.0, 4.0
	for i, u := range us {
		known := map[int]bool{}
		for _, v := range us[max(0, i-near):i] {
			for _, stem := range v.stems {
				known[stem] = true
			}
		}
		for _, stem := range u.stems {
			all++
			if known[stem] {
				again++
			}
			known[stem] = true
		}
	}
	return min(max(nearWords*(all-again)/again, fewestUses), mostUses)
}
