package vad

import (
	"encoding/binary"
	"errors"
	"math"
)

// ErrState reports bytes that are not a state written by this version of the package.
var ErrState = errors.New("vad: not a state of this version")

// maxPosition bounds restored counts of frames: 35 000 years, far from overflow.
const maxPosition = 1 << 47

// state moves fields into bytes or out of them; one list of fields serves both ways.
// A reader that meets something impossible is marked bad and reads zeros from then on.
type state struct {
	b       []byte
	reading bool
	bad     bool
}

func (s *state) word(v uint64, size int) uint64 {
	if !s.reading {
		var w [8]byte
		binary.LittleEndian.PutUint64(w[:], v)
		s.b = append(s.b, w[:size]...)
		return v
	}
	if s.bad || len(s.b) < size {
		s.bad = true
		return 0
	}
	var w [8]byte
	copy(w[:], s.b[:size])
	s.b = s.b[size:]
	return binary.LittleEndian.Uint64(w[:])
}

// header writes or demands a kind and version.
func (s *state) header(kind uint32) {
	if uint32(s.word(uint64(kind), 4)) != kind {
		s.bad = true
	}
}

func (s *state) position(v *int64) {
	*v = int64(s.word(uint64(*v), 8))
	if *v < 0 || *v > maxPosition {
		s.bad, *v = true, 0
	}
}

// count is a number in 0..most.
func (s *state) count(v *int, most int) {
	*v = int(uint32(s.word(uint64(*v), 4)))
	if *v > most {
		s.bad, *v = true, 0
	}
}

func (s *state) flag(v *bool) {
	var n uint64
	if *v {
		n = 1
	}
	n = s.word(n, 1)
	*v = n == 1
	if n > 1 {
		s.bad = true
	}
}

func (s *state) float(v *float64) {
	*v = math.Float64frombits(s.word(math.Float64bits(*v), 8))
	if math.IsNaN(*v) || math.IsInf(*v, 0) {
		s.bad, *v = true, 0
	}
}

func (s *state) float32s(v []float32) {
	for i := range v {
		v[i] = math.Float32frombits(uint32(s.word(uint64(math.Float32bits(v[i])), 4)))
		if f := float64(v[i]); math.IsNaN(f) || math.IsInf(f, 0) {
			s.bad, v[i] = true, 0
		}
	}
}

func (s *state) samples(v []int16) {
	for i := range v {
		v[i] = int16(s.word(uint64(uint16(v[i])), 2))
	}
}
