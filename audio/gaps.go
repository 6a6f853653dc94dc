package audio

import (
	"errors"
	"slices"
	"sort"
)

// maxGaps bounds the gaps that are kept of a stream: those of three hours in messages of 20 ms,
// each with a header.
const maxGaps = 1 << 20

// ErrGaps reports a stream with more headers than are kept track of.
var ErrGaps = errors.New("too many WAV headers in the stream")

// Gaps are the parts of a stream that are no audio: headers and chunks of WAV files. It converts
// positions in the stream to positions in its audio, both in bytes. The zero value has none. It is
// not safe for concurrent use.
type Gaps struct{ list []gap }

// gap is a part without audio.
type gap struct {
	audio int64 // bytes of audio before it
	left  int64 // bytes without audio up to its end, those of earlier gaps included
}

// Add adds the part [from,to) of the stream, which must lie after all that were added before. Parts
// that follow directly upon each other are one.
func (g *Gaps) Add(from, to int64) error {
	if from >= to {
		return nil
	}
	left := g.Total()
	at := from - left
	left += to - from
	if n := len(g.list); n > 0 && g.list[n-1].audio == at {
		g.list[n-1].left = left
		return nil
	}
	if len(g.list) == maxGaps {
		return ErrGaps
	}
	g.list = append(g.list, gap{at, left})
	return nil
}

// Clone returns a copy.
func (g *Gaps) Clone() Gaps { return Gaps{slices.Clone(g.list)} }

// Size is how many bytes of memory they take.
func (g *Gaps) Size() int64 { return int64(len(g.list)) * 16 }

// Total is how many bytes of the stream are no audio.
func (g *Gaps) Total() int64 {
	if len(g.list) == 0 {
		return 0
	}
	return g.list[len(g.list)-1].left
}

// before is Total of the first n gaps.
func (g *Gaps) before(n int) int64 {
	if n == 0 {
		return 0
	}
	return g.list[n-1].left
}

// Audio converts a position in the stream to the one in its audio. Within a gap that is where the
// gap is.
func (g *Gaps) Audio(at int64) int64 {
	n := sort.Search(len(g.list), func(i int) bool { return g.list[i].audio+g.before(i) >= at })
	if n == 0 {
		return at
	}
	return max(at-g.list[n-1].left, g.list[n-1].audio)
}

// Stream converts a position in the audio to that of the same byte in the stream.
func (g *Gaps) Stream(at int64) int64 {
	n := sort.Search(len(g.list), func(i int) bool { return g.list[i].audio > at })
	return at + g.before(n)
}

// Run is how many bytes of audio follow upon a position in the audio before the next gap, of at
// most n.
func (g *Gaps) Run(at, n int64) int64 {
	i := sort.Search(len(g.list), func(i int) bool { return g.list[i].audio > at })
	if i < len(g.list) {
		n = min(n, g.list[i].audio-at)
	}
	return n
}
