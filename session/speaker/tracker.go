package speaker

import "math"

const (
	// strange is how far from all speakers known so far an utterance is whose speaker is new, see apart, if there are many
	// frames of both; content is what few of them gain beside, since other words were said, times their harmonic count.
	strange, content = 3.4, 130.0
	// longEnough are the frames of speech that tell a new speaker: 1.2 s. With fewer the likeliest known one is taken,
	// and nothing learnt.
	longEnough = 120
	// longestLearnt are the frames of an utterance that are looked at: 60 s.
	longestLearnt = 6000
)

// Tracker numbers the speakers of a live session, utterance by utterance: what it says of one depends on that one and
// those before. It keeps under 2 kB for each speaker. It belongs to one goroutine.
type Tracker struct {
	most     int
	speakers []gaussian
	cepstra  *cepstra
}

// NewTracker returns a Tracker of so many speakers at most; less than 1 or more than MostTracked: so many.
func NewTracker(most int) *Tracker {
	if most < 1 || most > MostTracked {
		most = MostTracked
	}
	return &Tracker{most: most, cepstra: newCepstra()}
}

// MostTracked bounds the speakers of a session, and so the size of a state.
const MostTracked = 16

// Add tells who speaks in the samples of an utterance, which it does not keep: a number from 0, the least not yet used
// for a speaker who was not heard before. An utterance of which less than 1.2 s is speech makes no new speaker.
func (t *Tracker) Add(samples []int16) int {
	g := t.hear(samples)
	if len(t.speakers) == 0 {
		t.speakers = append(t.speakers, g)
		return 0
	}
	who, away := t.nearest(&g)
	switch {
	case g.n < longEnough:
	case away > unlike(&g, &t.speakers[who]) && len(t.speakers) < t.most && t.speakers[0].n >= longEnough:
		t.speakers = append(t.speakers, g)
		return len(t.speakers) - 1
	default:
		t.speakers[who].merge(&g)
	}
	return who
}

// hear takes up the loud frames of an utterance.
func (t *Tracker) hear(samples []int16) gaussian {
	n := min(frames(len(samples)), longestLearnt)
	if n == 0 {
		return gaussian{}
	}
	v := &voiced{x: make([]float32, n*dims), counts: make([]bool, n)}
	v.listen(t.cepstra, samples, Span{}, 0, n)
	return v.gather(0, n)
}

// nearest finds the speaker most like g, and how far they are apart.
func (t *Tracker) nearest(g *gaussian) (who int, away float64) {
	all := *g
	for i := range t.speakers {
		all.merge(&t.speakers[i])
	}
	p := newPrior(&all, priorFrames)
	away = math.Inf(1)
	own := p.cost(g)
	for i := range t.speakers {
		s := &t.speakers[i]
		both := *g
		both.merge(s)
		if d := apart(p.cost(&both)-own-p.cost(s), g.n, s.n); d < away {
			who, away = i, d
		}
	}
	return who, away
}

// unlike is how far apart two people are at least of whom so much was heard: the less, the more it is what they say that
// tells them apart.
func unlike(a, b *gaussian) float64 { return strange + content*(1/a.n+1/b.n) }
