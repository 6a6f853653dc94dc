package clean

import (
	"math"
	"sync"

	"steno/session/asr"
)

// stream cleans the results of an utterance.
type stream struct {
	asr.Stream
	counts *Counts

	mu    sync.Mutex // of level: the reader of results is another goroutine than the writer of samples
	level level
}

// Write implements [asr.Stream].
func (s *stream) Write(samples []int16) error {
	s.mu.Lock()
	s.level.add(samples)
	s.mu.Unlock()
	return s.Stream.Write(samples)
}

// Tentative implements [asr.Cutter].
func (s *stream) Tentative(n int) error { return asr.Tentative(s.Stream, n) }

// Cut implements [asr.Cutter].
func (s *stream) Cut(n int) error {
	err := asr.Cut(s.Stream, n)
	if err == nil {
		s.mu.Lock()
		s.level.samples = min(n, s.level.samples)
		s.mu.Unlock()
	}
	return err
}

// Follow implements [asr.Follower].
func (s *stream) Follow(samples []int16) error { return asr.Follow(s.Stream, samples) }

// Recv implements [asr.Stream].
func (s *stream) Recv() (asr.Result, error) {
	r, err := s.Stream.Recv()
	if err != nil || len(r.Words) == 0 {
		return r, err
	}
	s.mu.Lock()
	samples, faint := s.level.samples, s.level.loudest() < Faint
	s.mu.Unlock()
	dropped := Drops{}
	r.Words = Texts(r.Words, func(w *asr.Word) *string { return &w.Text }, faint || doubted(r.Words), dropped)
	if r.Timed && !tidy(r.Words, samples) {
		dropped[Times]++
	}
	for i := range r.Words {
		r.Words[i].Confidence = probability(r.Words[i].Confidence)
	}
	if r.Final {
		s.counts.Add(dropped)
		if len(r.Words) == 0 {
			r.Timed, r.Dropped = false, dropped.Reason()
		}
	}
	return r, nil
}

// leastTrust is the least confidence, on average, of words that a model has not made up.
const leastTrust = 0.5

// doubted reports whether the engine does not trust words, on average.
func doubted(words []asr.Word) bool {
	sum, n := 0.0, 0
	for _, w := range words {
		if w.Confidence > 0 {
			sum += w.Confidence
			n++
		}
	}
	return n > 0 && sum/float64(n) < leastTrust
}

// probability is a confidence within [0,1]; what is not a number is not known.
func probability(p float64) float64 {
	if math.IsNaN(p) {
		return 0
	}
	return min(max(p, 0), 1)
}
