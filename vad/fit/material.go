package main

import (
	"math/rand/v2"
	"strings"

	"steno/vad/corpus"
	"steno/vad/noise"
)

// recordings are what the corpus has to learn from; unheard is left for measuring.
type recordings struct {
	conversations, read, several, noises, unheard []corpus.Clip
}

func load(c *corpus.Corpus) (*recordings, error) {
	rec := new(recordings)
	for _, want := range []struct {
		into     *[]corpus.Clip
		prefixes string
	}{
		{&rec.conversations, "ami-pyannote/dev00 ami-pyannote/trn04 ami-pyannote/trn07"},
		{&rec.read, "librispeech-test-other/1 librispeech-test-other/2"},
		{&rec.several, "azure/ mfa/"},
		{&rec.noises, "speechbrain/noise"},
		{&rec.unheard, "librispeech-test-other/3"},
	} {
		for prefix := range strings.FieldsSeq(want.prefixes) {
			clips, err := c.Clips(prefix)
			if err != nil {
				return nil, err
			}
			*want.into = append(*want.into, clips...)
		}
	}
	return rec, nil
}

type kind string

const (
	conversation kind = "conversation"
	read         kind = "read"
	negative     kind = "negative"
)

type example struct {
	kind kind
	corpus.Clip
}

// maker gathers examples, all made from one source of randomness.
type maker struct {
	r      *rand.Rand
	noises []corpus.Clip
	out    []example
}

// material makes everything there is to learn from, but what is named without.
func material(rec *recordings, without string, r *rand.Rand) []example {
	m := &maker{r: r}
	for _, n := range rec.noises {
		if n.Name != without {
			m.noises = append(m.noises, n)
		}
	}
	for _, c := range rec.conversations {
		if c.Name != without {
			m.conversation(c)
		}
	}
	half := len(rec.read) / 2
	m.stream(corpus.Stream("read", rec.read[:half], r), m.hard())
	m.stream(corpus.Stream("read more", rec.read[half:], r), m.mixed())
	m.stream(corpus.Stream("several", rec.several, r), m.easy())
	words := corpus.Words(append(rec.read[half:], rec.several...), 4, r)
	m.stream(corpus.Stream("words", words, r), m.easy())
	m.negatives()
	return m.out
}

func (m *maker) add(k kind, c corpus.Clip) { m.out = append(m.out, example{k, c}) }

func (m *maker) conversation(c corpus.Clip) {
	n := len(c.Samples)
	c.Labels = corpus.ForFit(c.Samples, c.Labels)
	put := func(c corpus.Clip) { m.add(conversation, c) }
	put(c)
	put(c.At(-28))
	put(c.At(-50))
	put(c.With(noise.White(n, m.r), 20))
	put(c.With(noise.White(n, m.r), 12))
	put(c.With(noise.White(n, m.r), 7))
	put(c.With(noise.Pink(n, m.r), 10))
	for range 3 {
		put(c.With(noise.Events(n, m.r), 8+8*m.r.Float64()))
	}
	for _, s := range m.noises {
		put(c.With(s.Samples, 12))
	}
	over := func(x []float64) { put(corpus.Clip{Name: c.Name, Samples: x, Labels: c.Labels}) }
	over(noise.Telephone(c.At(-24).Samples))
	over(noise.Telephone(c.With(noise.White(n, m.r), 25).At(-30).Samples))
	over(noise.Coloured(c.Samples, 0.5))
	over(noise.Coloured(c.Samples, -0.5))
}

// condition is a noise at so many dB below the speech.
type condition struct {
	noise []float64
	snr   float64
}

func (m *maker) recorded(snr float64) (out []condition) {
	for _, n := range m.noises {
		out = append(out, condition{n.Samples, snr + 4*m.r.Float64() - 2})
	}
	return out
}

func (m *maker) hard() []condition {
	n := noise.Seconds(60)
	return append(m.recorded(11),
		condition{noise.White(n, m.r), 45}, condition{noise.White(n, m.r), 20}, condition{noise.White(n, m.r), 8},
		condition{noise.Pink(n, m.r), 12}, condition{noise.Brown(n, m.r), 5}, condition{noise.Clicks(n, m.r), 12})
}

func (m *maker) mixed() []condition {
	n := noise.Seconds(60)
	return []condition{
		{noise.White(n, m.r), 55}, {noise.White(n, m.r), 12},
		{noise.Events(n, m.r), 10}, {noise.Events(n, m.r), 15}, {noise.Events(n, m.r), 20},
	}
}

func (m *maker) easy() []condition {
	n := noise.Seconds(60)
	return []condition{{noise.White(n, m.r), 30}, {noise.Pink(n, m.r), 15}, {noise.Hum(n), 15}}
}

// stream adds a stream of read speech under all conditions, every second one over the
// telephone too and every third one across a room.
func (m *maker) stream(c corpus.Clip, conditions []condition) {
	for i, k := range conditions {
		mixed := c.With(k.noise, k.snr)
		m.add(read, mixed)
		if i%2 == 0 {
			m.add(read, corpus.Clip{Name: c.Name, Samples: noise.Telephone(mixed.Samples), Labels: c.Labels})
		}
		if i%3 == 0 {
			x := noise.Room(c.Samples, 0.2+0.5*m.r.Float64(), 0.3, m.r)
			far := corpus.Clip{Name: c.Name, Samples: x, Labels: blurred(c.Labels, 15)}
			m.add(read, far.With(k.noise, k.snr))
		}
	}
}

// blurred makes the frames after speech unclear: there a room still sounds.
func blurred(labels []corpus.Label, frames int) []corpus.Label {
	out := append([]corpus.Label(nil), labels...)
	since := frames
	for i, l := range labels {
		if l == corpus.Speech {
			since = 0
		} else if since++; l == corpus.Silence && since <= frames {
			out[i] = corpus.Unclear
		}
	}
	return out
}

func (m *maker) negatives() {
	put := func(x []float64) {
		x = x[:len(x)/corpus.Frame*corpus.Frame]
		m.add(negative, corpus.Clip{Samples: x, Labels: make([]corpus.Label, len(x)/corpus.Frame)})
	}
	s := noise.Seconds
	for _, n := range m.noises {
		put(n.Samples)
		put(noise.Telephone(n.Samples))
	}
	put(noise.At(-30, noise.White(s(15), m.r)))
	put(noise.At(-55, noise.White(s(15), m.r)))
	put(noise.At(-35, noise.Pink(s(15), m.r)))
	put(noise.At(-35, noise.Brown(s(15), m.r)))
	put(noise.Step(s(20), 8, 15, 16, m.r))
	put(noise.Step(s(20), 8, 15, 24, m.r))
	put(noise.At(-30, noise.Clicks(s(20), m.r)))
	put(noise.Join(noise.Scale(noise.Tones(s(5), 400, 450), 0.1),
		noise.Gate(noise.Scale(noise.Tones(s(6), 700), 0.1), 0.5, 0.5), noise.Gate(noise.Scale(noise.Tones(s(6), 1200), 0.1), 0.2, 0.333)))
	put(noise.DTMF("4680912357", 0.2, 0.3))
	for range 4 {
		beeps := noise.Beeps(s(15), m.r)
		put(beeps)
		put(noise.Add(beeps, noise.Pink(s(15), m.r), 0.003))
	}
	put(noise.Scale(noise.Siren(s(8)), 0.2))
	for range 8 {
		put(noise.At(-35+15*m.r.Float64(), noise.Music(s(15), m.r)))
	}
	for range 14 {
		put(noise.Events(s(20), m.r))
	}
}
