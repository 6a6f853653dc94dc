package main

import (
	"math"
	"slices"

	"steno/vad/training/corpus"
	"steno/vad/training/noise"
	"steno/vad/training/silero"
)

// label sets the wanted probability of each frame of a source, by the teacher's. It stays with the
// recording whatever is done to it later: so the detector learns to hear in noise what the teacher
// hears without.
func label(s *source, teacher *silero.Model) {
	n := len(s.samples) / corpus.Frame
	s.speech, s.weight = make([]float32, n), slices.Repeat([]float32{1}, n)
	switch s.kind {
	case word, phrase, conversation:
		teach(teacher, s.samples, s.speech)
	}
	switch s.kind {
	case word:
		s.labelWord()
	case conversation:
		s.labelConversation()
	}
}

// labelWord: a word is speech from its first sound to its last.
func (s *source) labelWord() {
	for i, on := range sounding(s.samples, 26, 9) {
		if !on {
			continue
		}
		if s.speech[i] < 0.3 {
			s.weight[i] = 0.7
		}
		s.speech[i] = max(s.speech[i], 0.95)
	}
}

// labelConversation weighs the teacher against those who annotated the turns.
func (s *source) labelConversation() {
	loud := sounding(s.samples, 28, 6)
	for i, p := range s.speech {
		inTurn := s.turns[i] == corpus.Speech
		switch {
		case inTurn && p < 0.5 && loud[i]: // the teacher misses it
			s.speech[i], s.weight[i] = 0.5, 0.3
		case inTurn && p < 0.5: // a pause within a turn
			s.weight[i] = 0.3
		case !inTurn && p > 0.5: // not in the annotation
			s.speech[i], s.weight[i] = 0.3*p, 0.5
		case !inTurn:
			s.speech[i], s.weight[i] = 0.6*p, 2.5
		}
	}
}

// teach sets p to the teacher's probability of each frame: at a level that suits it, after a
// second of near silence, the mean over three positions of its chunks.
func teach(teacher *silero.Model, x []float32, p []float32) {
	const lead, tail, early = corpus.Rate, corpus.Rate / 2, 256
	gain := comfortable(x)
	for _, phase := range []int{0, 170, 341} {
		r := noise.Seed(1)
		in := make([]float32, lead+phase+len(x)+tail)
		for i, v := range x {
			in[lead+phase+i] = gain * v
		}
		for i := range in {
			in[i] += float32(3e-4 * r.NormFloat64())
		}
		said := teacher.Probabilities(in)
		for i := range p {
			at := float64((i+1)*corpus.Frame+lead+phase+early)/silero.Chunk - 1
			k := int(at)
			share := float32(at - float64(k))
			p[i] += (said[k]*(1-share) + said[min(k+1, len(said)-1)]*share) / 3
		}
	}
}

// comfortable is the gain that brings what is loud in x to -24 dBFS without clipping.
func comfortable(x []float32) float32 {
	squares, peak := make([]float32, len(x)), float32(1e-9)
	for i, v := range x {
		squares[i] = v * v
		peak = max(peak, v, -v)
	}
	slices.Sort(squares)
	sum := 0.0
	loud := squares[len(squares)/3:]
	for _, v := range loud {
		sum += float64(v)
	}
	rms := math.Sqrt(sum/float64(max(len(loud), 1))) + 1e-9
	return min(float32(noise.Gain(-24)/rms), 0.9/peak)
}

// sounding returns which frames have sound: no more than `below` dB below the loudest, or
// `above` the softest. Gaps of 0.1 s are bridged.
func sounding(x []float32, below, above float64) []bool {
	level := make([]float64, len(x)/corpus.Frame)
	last := float32(0)
	for i := range level {
		sum := 0.0
		for _, v := range x[i*corpus.Frame : (i+1)*corpus.Frame] {
			sum += float64((v - last) * (v - last))
			last = v
		}
		level[i] = 10 * math.Log10(sum/corpus.Frame+1e-11)
	}
	sorted := slices.Sorted(slices.Values(level))
	if len(sorted) == 0 {
		return nil
	}
	loud, soft := sorted[len(sorted)*95/100], sorted[len(sorted)*5/100]
	threshold := min(max(loud-below, soft+above), loud-12)
	out := make([]bool, len(level))
	before := -1
	for i, l := range level {
		if l <= threshold {
			continue
		}
		if out[i] = true; before >= 0 && i-before <= 10 {
			for k := before; k < i; k++ {
				out[k] = true
			}
		}
		before = i
	}
	return out
}
