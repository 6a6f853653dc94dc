package speaker

import "math"

const (
	// strangeDistance is the distance from which on an utterance with many frames is of a new
	// speaker, see distance. For few frames the threshold is higher, since different words were
	// said: contentDistance is divided by their harmonic mean.
	strangeDistance, contentDistance = 3.4, 130.0
	// minSpeakerFrames is the speech of an utterance that can make a new speaker, 1.2 s. An
	// utterance with less goes to the likeliest speaker, whose statistics do not change.
	minSpeakerFrames = 120
	// maxUtteranceFrames bounds the frames of an utterance that are analyzed: 60 s.
	maxUtteranceFrames = 6000
)

// Tracker numbers the speakers of a live session, utterance by utterance. The number of an
// utterance depends on it and those before. A Tracker keeps less than 2 kB for each speaker. It is
// not safe for concurrent use.
type Tracker struct {
	limit    int
	speakers []gaussian
	cepstra  *cepstra
}

// NewTracker returns a Tracker of at most most speakers, and at most [MaxTracked], which is also
// the limit if most is less than 1.
func NewTracker(most int) *Tracker {
	if most < 1 || most > MaxTracked {
		most = MaxTracked
	}
	return &Tracker{limit: most, cepstra: newCepstra()}
}

// MaxTracked bounds the speakers of a session, and so the size of a state.
const MaxTracked = 16

// Add returns the number of the speaker of an utterance, whose samples it does not keep. Numbers
// count from 0; a new speaker gets the next one. An utterance with less than 1.2 s of speech never
// makes a new speaker.
func (t *Tracker) Add(samples []int16) int {
	g := t.features(samples)
	if len(t.speakers) == 0 {
		t.speakers = append(t.speakers, g)
		return 0
	}
	who, away := t.nearest(&g)
	switch {
	case g.n < minSpeakerFrames:
	case away > newSpeakerThreshold(&g, &t.speakers[who]) && len(t.speakers) < t.limit && t.speakers[0].n >=
		minSpeakerFrames:
		t.speakers = append(t.speakers, g)
		return len(t.speakers) - 1
	default:
		t.speakers[who].merge(&g)
	}
	return who
}

// features returns the statistics of the loud frames of an utterance.
func (t *Tracker) features(samples []int16) gaussian {
	n := min(frames(len(samples)), maxUtteranceFrames)
	if n == 0 {
		return gaussian{}
	}
	v := &features{cepstra: make([]float32, n*dims), loud: make([]bool, n)}
	v.fill(t.cepstra, samples, Span{}, 0, n)
	return v.gaussian(0, n)
}

// nearest returns the speaker most similar to g, and their distance.
func (t *Tracker) nearest(g *gaussian) (who int, away float64) {
	all := *g
	for i := range t.speakers {
		all.merge(&t.speakers[i])
	}
	p := newPrior(&all, priorWeight)
	away = math.Inf(1)
	own := p.cost(g)
	for i := range t.speakers {
		s := &t.speakers[i]
		both := *g
		both.merge(s)
		if d := distance(p.cost(&both)-own-p.cost(s), g.n, s.n); d < away {
			who, away = i, d
		}
	}
	return who, away
}

// newSpeakerThreshold returns the least distance of two speakers with as many frames as a and b.
// The fewer frames there are, the more the distance depends on the words instead of the voice.
func newSpeakerThreshold(a, b *gaussian) float64 {
	return strangeDistance + contentDistance*(1/a.n+1/b.n)
}
