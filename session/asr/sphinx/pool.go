package sphinx

import (
	"cmp"
	"slices"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// pooledDecoder is one decoder for finals, and the search that it is used for.
type pooledDecoder struct {
	// nil: not loaded. Its holder on a slot uses and loads it, without the lock but for the
	// pointer.
	decoder finalDecoder
	holder  *search // nil: idle
	loading bool    // apart from the slots
}

// pool has decoders for finals that are all alike, and their queues. The recognizer's lock guards
// all fields.
type pool struct {
	decoders []*pooledDecoder
	parked   []*search       // ended, and without a decoder; in order
	finals   *schedule.Queue // of *search
	lagged   *schedule.Queue // of *search
	more     func()          // loads another decoder in the background; nil: whoever needs one loads it
}

// idle returns a decoder that no search has, nil if there is none: one that is not loaded only if
// there is no other.
func (p *pool) idle() *pooledDecoder {
	var found *pooledDecoder
	for _, d := range p.decoders {
		if d.holder == nil && !d.loading && (found == nil || found.decoder == nil) {
			found = d
		}
	}
	return found
}

// idles counts the decoders that no search has.
func (p *pool) idles() int {
	n := 0
	for _, d := range p.decoders {
		if d.holder == nil {
			n++
		}
	}
	return n
}

// open reports whether the search of an utterance in progress may begin. It does not load a
// decoder, which takes as long as decoding two seconds of speech.
func (p *pool) open() bool {
	p.keepSpare()
	free := p.idle()
	return len(p.parked) == 0 && free != nil && p.ready(free)
}

// ready reports whether an utterance in progress may use the decoder.
func (p *pool) ready(d *pooledDecoder) bool { return d.decoder != nil || p.more == nil }

// keepSpare has another decoder loaded where none is idle.
func (p *pool) keepSpare() {
	if free := p.idle(); p.more != nil && free != nil && free.decoder == nil {
		p.more()
	}
}

// waiting counts the parked searches of a priority.
func (p *pool) waiting(priority asr.Priority) int {
	n := 0
	for _, s := range p.parked {
		if s.u.replay == (priority == asr.Replay) {
			n++
		}
	}
	return n
}

// assign assigns a decoder to a search that is about to run, if it has none, and reports whether it
// has one. A finished utterance takes the decoder of one in progress, even if it is a recording:
// the turn of a recording comes when nothing else is to be done. Where no decoder is available the
// search waits.
func (p *pool) assign(s *search) bool {
	if s.held != nil {
		return true
	}
	free := p.idle()
	if free != nil && !s.u.ended && !p.ready(free) {
		p.keepSpare()
		return false
	}
	if free == nil && s.u.ended {
		free = p.takeBack()
	}
	if free != nil {
		s.held, free.holder = free, s
		p.keepSpare()
		return true
	}
	if s.u.ended {
		p.parked = append(p.parked, s)
		s.parked = true
	}
	return false
}

// takeBack frees the decoder of the search that has decoded least, of the utterances in progress,
// and returns it; nil if there is none.
func (p *pool) takeBack() *pooledDecoder {
	var least *search
	for _, d := range p.decoders {
		h := d.holder
		if h == nil || h.running || h.u.ended {
			continue
		}
		if least == nil || h.fed < least.fed {
			least = h
		}
	}
	if least == nil {
		return nil
	}
	free := least.held
	least.unassign()
	return free
}

// next lets a parked search try again: live speech before recordings, and of those one of the party
// that has the fewest decoders.
func (p *pool) next() {
	if len(p.parked) == 0 {
		return
	}
	has := map[string]int{}
	for _, d := range p.decoders {
		if d.holder != nil {
			has[d.holder.u.party]++
		}
	}
	s := slices.MinFunc(p.parked, func(a, b *search) int {
		if a.u.replay != b.u.replay {
			return cmp.Compare(a.wholeClass(), b.wholeClass())
		}
		return cmp.Compare(has[a.u.party], has[b.u.party])
	})
	p.leave(s)
	s.putWhole()
}

// leave takes a search out of those parked.
func (p *pool) leave(s *search) {
	if s.parked {
		s.parked = false
		p.parked = slices.DeleteFunc(p.parked, func(other *search) bool { return other == s })
	}
}
