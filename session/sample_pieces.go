package session

import "sync"

// pieceSamples is how many samples a piece has: a quarter of a second.
const pieceSamples = 4096

// freePieces are those that no utterance has at the moment.
var freePieces = sync.Pool{New: func() any { return new([pieceSamples]int16) }}

// samplePieces holds samples in pieces of one size. As they grow nothing is moved, and other utterances use the pieces again.
type samplePieces struct {
	pieces []*[pieceSamples]int16
	n      int // samples
}

func (s *samplePieces) append(samples []int16) {
	for len(samples) > 0 {
		at := s.n % pieceSamples
		if at == 0 {
			s.pieces = append(s.pieces, freePieces.Get().(*[pieceSamples]int16))
		}
		n := copy(s.pieces[len(s.pieces)-1][at:], samples)
		s.n += n
		samples = samples[n:]
	}
}

// cut gives back all but the first n samples.
func (s *samplePieces) cut(n int) {
	s.n = min(s.n, n)
	kept := (s.n + pieceSamples - 1) / pieceSamples
	for i, p := range s.pieces[kept:] {
		freePieces.Put(p)
		s.pieces[kept+i] = nil
	}
	s.pieces = s.pieces[:kept]
}

// piece is the i-th. It is valid until the next cut.
func (s *samplePieces) piece(i int) []int16 {
	return s.pieces[i][:min(pieceSamples, s.n-i*pieceSamples)]
}

// copyTo copies samples from the given one on, as many as there are and fit, and returns how many.
func (s *samplePieces) copyTo(to []int16, from int) (n int) {
	for n < len(to) && from+n < s.n {
		n += copy(to[n:], s.piece((from + n) / pieceSamples)[(from+n)%pieceSamples:])
	}
	return n
}

// copyOf returns a copy of the samples [from, to), as far as they are there.
func (s *samplePieces) copyOf(from, to int) []int16 {
	out := make([]int16, max(0, min(to, s.n)-from))
	s.copyTo(out, from)
	return out
}

// whole returns a copy of all samples.
func (s *samplePieces) whole() []int16 {
	all := make([]int16, s.n)
	s.copyTo(all, 0)
	return all
}
