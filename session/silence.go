package session

import (
	"slices"
	"sort"
	"sync/atomic"

	"steno/audio"
)

// silenceTicks is the length of the silence that a lane processes at a mark: enough for the front
// end's delay, for the detector to release and for the whole hangover, so that the utterance ends
// as if the client had sent silence.
const silenceTicks = 60

// silenceMarks are the places in the journal at which silence is inserted. Lanes process
// silenceTicks of silence there that are not part of the recording, so positions in a lane run
// ahead of positions in the recording.
type silenceMarks struct {
	// The writer's.
	marks  []int64 // bytes of the journal, ascending
	passed int     // of marks, those that the lanes have passed

	ticks atomic.Pointer[[]int64] // ticks of the recording before each passed mark; read by any goroutine
}

// add adds a mark that the lanes have not passed.
func (m *silenceMarks) add(at int64) {
	if i, known := slices.BinarySearch(m.marks, at); !known {
		m.marks = slices.Insert(m.marks, i, at)
	}
}

// next returns the next mark if it lies at or before the position.
func (m *silenceMarks) next(upTo int64) (at int64, ok bool) {
	if m.passed == len(m.marks) || m.marks[m.passed] > upTo {
		return 0, false
	}
	return m.marks[m.passed], true
}

// last returns the last mark that the lanes have passed, 0 if there is none.
func (m *silenceMarks) last() int64 {
	if m.passed == 0 {
		return 0
	}
	return m.marks[m.passed-1]
}

// pass records that the lanes reached the next mark after this many ticks of the recording.
func (m *silenceMarks) pass(ticks int64) {
	m.passed++
	var all []int64
	if before := m.ticks.Load(); before != nil {
		all = *before
	}
	all = append(all, ticks) // readers keep the shorter slice
	m.ticks.Store(&all)
}

// silentTicks returns how many ticks of silence a lane has processed once it has passed these
// marks.
func (m *silenceMarks) silentTicks() int64 { return int64(m.passed) * silenceTicks }

// recorded converts a position in a lane to the position in the recording. One within a silence is
// at its mark.
func (m *silenceMarks) recorded(position int64) int64 {
	marks := m.ticks.Load()
	if marks == nil {
		return position
	}
	const length = silenceTicks * audio.TickSamples
	begin := func(i int) int64 { return (*marks)[i]*audio.TickSamples + int64(i)*length }
	n := sort.Search(len(*marks), func(i int) bool { return begin(i) >= position })
	if n > 0 && position < begin(n-1)+length {
		return (*marks)[n-1] * audio.TickSamples
	}
	return position - int64(n)*length
}

// recordedTick returns the recording's tick for a tick of a lane. For an inserted tick it returns
// the tick that follows the silence.
func (m *silenceMarks) recordedTick(tick int64) (at int64, inserted bool) {
	marks := m.ticks.Load()
	if marks == nil {
		return tick, false
	}
	n := sort.Search(len(*marks), func(i int) bool { return (*marks)[i]+int64(i)*silenceTicks > tick })
	if n > 0 && tick < (*marks)[n-1]+int64(n)*silenceTicks {
		return (*marks)[n-1], true
	}
	return tick - int64(n)*silenceTicks, false
}

// insertSilence processes silence until the lane has had upTo ticks of it, and ends the running
// utterance. A lane that has had more is past this mark.
func (l *lane) insertSilence(silence []byte, upTo int64) error {
	if l.silentTicks > upTo {
		return nil
	}
	for l.silentTicks < upTo {
		if err := l.tick(silence, true); err != nil {
			return err
		}
	}
	return l.apply(l.endpointer.Finish())
}
