package speaker

import (
	"encoding/binary"
	"errors"
	"math"
)

// ErrState means that bytes are not a state written by this version of the package.
var ErrState = errors.New("speaker: not a state of this version")

const trackerState = 'S' | 'P'<<8 | 1<<16

const (
	stateNumbers = 1 + dims + crossed
	maxNumber    = 1e15 // greatest number in a state; bounds the arithmetic
)

// AppendState appends the state to b: less than 2 kB for each speaker, up to 27 kB. The limit of
// speakers is not part of it.
func (t *Tracker) AppendState(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, trackerState)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(t.speakers)))
	for i := range t.speakers {
		for _, v := range t.speakers[i].numbers() {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(*v))
		}
	}
	return b
}

// RestoreState takes a state from the front of b and returns the rest. After an error, which wraps
// ErrState, the Tracker is unchanged.
func (t *Tracker) RestoreState(b []byte) (rest []byte, err error) {
	if len(b) < 8 || binary.LittleEndian.Uint32(b) != trackerState {
		return b, ErrState
	}
	n, at := binary.LittleEndian.Uint32(b[4:]), b[8:]
	if n > MaxTracked || len(at) < int(n)*stateNumbers*8 {
		return b, ErrState
	}
	speakers := make([]gaussian, n)
	for i := range speakers {
		for _, v := range speakers[i].numbers() {
			*v = math.Float64frombits(binary.LittleEndian.Uint64(at))
			at = at[8:]
			if !(math.Abs(*v) <= maxNumber) {
				return b, ErrState
			}
		}
		if speakers[i].n < 0 {
			return b, ErrState
		}
	}
	t.speakers = speakers
	return at, nil
}

// numbers returns pointers to all numbers of a gaussian.
func (g *gaussian) numbers() []*float64 {
	out := make([]*float64, 0, stateNumbers)
	out = append(out, &g.n)
	for i := range g.sum {
		out = append(out, &g.sum[i])
	}
	for i := range g.cross {
		out = append(out, &g.cross[i])
	}
	return out
}
