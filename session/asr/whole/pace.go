package whole

import (
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"steno/session/asr"
)

const (
	// shortestStep is the least audio between two partials, unless a model has its own: 0.3 s,
	// about a word.
	shortestStep = asr.Rate * 3 / 10
	// longestStep bounds the audio between two partials on a busy machine: 3 s. A model that takes
	// more than half of that for a partial gets twice the time.
	longestStep = 3 * asr.Rate
	// partialPatience is how long a partial may wait for a slot. Later it would show what the final
	// soon shows.
	partialPatience = 2 * time.Second
	// usable is the part of the slots' time that finals and partials should take together: what is
	// left is for peaks, and for other programs. Partials get what finals leave of it, mostShare at
	// most and leastShare at least.
	usable, mostShare, leastShare = 0.75, 0.5, 0.05
	// easy is how many people for each slot may speak while there is time to spare.
	easy = 2
	// memory is the time in which the finals' load is forgotten.
	memory = 10 * time.Second
)

// pace decides how far the partials of an utterance lie apart. Its methods may be called by any
// goroutine.
type pace struct {
	every int // samples
	slots int

	mu       sync.Mutex
	cost     time.Duration  // of a partial: a moving average
	speaking map[string]int // utterances that want partials and have not ended, by party
	finals   time.Duration  // what the finals of the last memory have cost, older ones counted less
	counted  time.Time      // when that was so
}

// finished records what a piece of a final has cost.
func (p *pace) finished(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fade()
	p.finals += d
}

// fade forgets a part of the finals' cost. The caller holds the lock.
func (p *pace) fade() {
	now := time.Now()
	if !p.counted.IsZero() {
		p.finals = time.Duration(float64(p.finals) * math.Exp(-now.Sub(p.counted).Seconds()/memory.Seconds()))
	}
	p.counted = now
}

// share returns the part of the slots' time that partials may take. The caller holds the lock.
func (p *pace) share() float64 {
	p.fade()
	load := p.finals.Seconds() / (memory.Seconds() * float64(p.slots))
	return min(max(usable-load, leastShare), mostShare)
}

// speaks counts utterances of a party that begin, or end, to want partials.
func (p *pace) speaks(party string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.speaking[party] += n; p.speaking[party] == 0 {
		delete(p.speaking, party)
	}
}

// spare reports whether few enough people speak for partials to take longer.
func (p *pace) spare() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := 0
	for _, n := range p.speaking {
		all += n
	}
	return all <= easy*p.slots
}

// took records what a partial has cost.
func (p *pace) took(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cost == 0 {
		p.cost = d
	}
	p.cost += (d - p.cost) / 8
}

// step returns how many samples should lie between two partials of an utterance of a party. Parties
// have equally many partials, unless they need fewer.
func (p *pace) step(party string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	seconds := p.cost.Seconds() * p.crowd(party) / (p.share() * float64(p.slots))
	longest := max(p.every, longestStep, int(2*p.cost.Seconds()*asr.Rate))
	return min(max(p.every, int(seconds*asr.Rate)), longest)
}

// crowd returns by how many times the partials of a party lie further apart than those of a single
// utterance that has all that partials may take: where there is one party, how many utterances it
// has. The caller holds the lock.
func (p *pace) crowd(party string) float64 {
	own := float64(p.speaking[party])
	one := p.cost.Seconds() * asr.Rate / float64(p.every) / (p.share() * float64(p.slots)) // what an utterance needs
	var needs []float64
	for _, n := range slices.Sorted(maps.Values(p.speaking)) {
		needs = append(needs, float64(n)*one)
	}
	return own / asr.EvenShare(1, needs, own*one)
}
