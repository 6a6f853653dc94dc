package session

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"sync/atomic"

	"steno/audio"
)

// hushTicks is how much silence a lane hears at a mark: enough for what the front holds back and for the detector to let
// go, and then the whole hangover, so that the utterance is what it would be if the silence had been sent.
const hushTicks = 60

// silences are the places of the journal at which silence is taken to come, and where that is in the lanes. Lanes hear
// hushTicks of silence there that are no part of the recording, so their positions run ahead of its times.
type silences struct {
	// The writer's.
	marks  []int64 // bytes of the journal, ascending
	passed int     // of these, those that have come

	ticks atomic.Pointer[[]int64] // of the recording, before each that has come; for whoever asks for a time
}

// add adds a mark that has not come.
func (m *silences) add(at int64) {
	if i, known := slices.BinarySearch(m.marks, at); !known {
		m.marks = slices.Insert(m.marks, i, at)
	}
}

// next is the next mark, if it lies at or before the position.
func (m *silences) next(upTo int64) (at int64, ok bool) {
	if m.passed == len(m.marks) || m.marks[m.passed] > upTo {
		return 0, false
	}
	return m.marks[m.passed], true
}

// last is where the last mark that has come is, 0 without one.
func (m *silences) last() int64 {
	if m.passed == 0 {
		return 0
	}
	return m.marks[m.passed-1]
}

// pass takes note that the next mark has come, after so many ticks of the recording.
func (m *silences) pass(ticks int64) {
	m.passed++
	var all []int64
	if before := m.ticks.Load(); before != nil {
		all = *before
	}
	all = append(all, ticks) // what others hold of it stays as it is
	m.ticks.Store(&all)
}

// heard is how many ticks of silence a lane has heard that stands behind all marks that have come.
func (m *silences) heard() int64 { return int64(m.passed) * hushTicks }

// recorded is the position in the recording of a position in a lane. One within a silence is at its mark.
func (m *silences) recorded(position int64) int64 {
	marks := m.ticks.Load()
	if marks == nil {
		return position
	}
	const length = hushTicks * audio.TickSamples
	begin := func(i int) int64 { return (*marks)[i]*audio.TickSamples + int64(i)*length }
	n := sort.Search(len(*marks), func(i int) bool { return begin(i) >= position })
	if n > 0 && position < begin(n-1)+length {
		return (*marks)[n-1] * audio.TickSamples
	}
	return position - int64(n)*length
}

// Silence says that no audio has come for so long that the client has paused: what is being said ends as if silence had
// come. The place is kept in the ledger, so whoever runs the journal again comes to the same. It is no part of the
// recording and takes none of its time. Where nothing was received since the last silence, nothing happens. Errors are
// those of Write.
func (s *Session) Silence(ctx context.Context) error {
	s.in.Lock()
	defer s.in.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.brokenBy(); err != nil {
		return s.giveIn(err)
	}
	if s.stopped {
		return ErrStopped
	}
	if s.received == s.silences.last() {
		return nil
	}
	if err := s.cfg.Ledger.MarkSilence(s.life, s.received); err != nil {
		return s.breakOff(ledgerFailure(fmt.Errorf("mark silence: %w", err)))
	}
	s.silences.add(s.received)
	return s.take(nil)
}

// hush has every lane hear the silence of the next mark, but for those that had heard it before a restart.
func (s *Session) hush() error {
	s.silences.pass(s.ticks)
	silence := silentTick(s.format)
	for _, l := range s.lanes {
		if l.ticks > s.ticks {
			continue
		}
		if err := l.hush(s, silence, s.silences.heard()); err != nil {
			return err
		}
	}
	return nil
}

// hush hears silence until the lane has heard so many ticks of it, and ends what is said. A lane that has heard more
// stands behind a later mark.
func (l *lane) hush(s *Session, silence []byte, upTo int64) error {
	if l.hushed > upTo {
		return nil
	}
	for l.hushed < upTo {
		l.hushed++
		if err := l.hear(s, silence); err != nil {
			return err
		}
	}
	return l.apply(s, l.endpointer.Finish())
}
