package samples

import "sync"

// PieceSamples is how many samples a piece has: a quarter of a second.
const PieceSamples = 4096

// free are the pieces that nobody holds at the moment.
var free = sync.Pool{New: func() any { return new([PieceSamples]int16) }}

// Pieces holds samples in pieces of one size. As they grow nothing is moved, and other utterances
// use the pieces again.
type Pieces struct {
	pieces []*[PieceSamples]int16
	n      int // samples
}

// Append appends a copy of samples.
func (s *Pieces) Append(samples []int16) {
	for len(samples) > 0 {
		at := s.n % PieceSamples
		if at == 0 {
			s.pieces = append(s.pieces, Borrow())
		}
		n := copy(s.pieces[len(s.pieces)-1][at:], samples)
		s.n += n
		samples = samples[n:]
	}
}

// Cut releases all but the first n samples.
func (s *Pieces) Cut(n int) {
	s.n = min(s.n, n)
	kept := (s.n + PieceSamples - 1) / PieceSamples
	for i, p := range s.pieces[kept:] {
		Return(p)
		s.pieces[kept+i] = nil
	}
	s.pieces = s.pieces[:kept]
}

// piece is the i-th. It is valid until the next Cut.
func (s *Pieces) piece(i int) []int16 {
	return s.pieces[i][:min(PieceSamples, s.n-i*PieceSamples)]
}

// CopyTo copies samples from the given one on, as many as there are and fit, and returns how many.
func (s *Pieces) CopyTo(to []int16, from int) (n int) {
	for n < len(to) && from+n < s.n {
		n += copy(to[n:], s.piece((from + n) / PieceSamples)[(from+n)%PieceSamples:])
	}
	return n
}

// CopyOf returns a copy of the samples [from, to), as far as they are there.
func (s *Pieces) CopyOf(from, to int) []int16 {
	out := make([]int16, max(0, min(to, s.n)-from))
	s.CopyTo(out, from)
	return out
}

// Whole returns a copy of all samples.
func (s *Pieces) Whole() []int16 {
	all := make([]int16, s.n)
	s.CopyTo(all, 0)
	return all
}

// Len is the number of samples.
func (s *Pieces) Len() int { return s.n }

// Borrow returns a piece for any use, until [Return].
func Borrow() *[PieceSamples]int16 { return free.Get().(*[PieceSamples]int16) }

// Return puts a piece back into the pool.
func Return(p *[PieceSamples]int16) { free.Put(p) }
