package vocabulary

// place is where a word of an entry was recognized: phones from..to, in the words first..last.
type place struct{ from, to, first, last int }

// places finds them in the best alignment of all; one without phones: nowhere. Other phones of the stretch belong to
// the word of the entry before them, or else to the one after.
func (l *likeness) places(h stretch, entry []entryWord) []place {
	var said []rune
	var ends []int
	for _, w := range entry {
		said = joined(said, w.phones)
		ends = append(ends, len(said))
	}
	in, bounds := h.borders()
	aligned := l.align(said, h.phones)
	out := make([]place, len(entry))
	begin := 0
	for i, end := range ends {
		out[i] = span(aligned[begin:end])
		begin = end
	}
	free := 0 // phones before it belong to some word
	for i := range out {
		p := &out[i]
		if p.from == p.to {
			continue
		}
		p.first, p.last = in[p.from], in[p.to-1]
		p.from = max(free, bounds[p.first])
		if i+1 == len(out) || out[i+1].from == out[i+1].to {
			p.to = bounds[p.last+1]
		} else {
			p.to = min(bounds[p.last+1], out[i+1].from)
		}
		free = p.to
	}
	return out
}

// span is from the first to the last of some places that there are.
func span(aligned []int) place {
	var p place
	for _, at := range aligned {
		if at >= 0 && p.to == 0 {
			p.from = at
		}
		p.to = max(p.to, at+1)
	}
	return p
}

// borders returns, for each phone of a stretch, the word that it is in, and the phones at which the words begin and the last one ends.
func (h stretch) borders() (in, bounds []int) {
	var phones []rune
	for i, w := range h.words {
		bounds = append(bounds, len(phones))
		phones = joined(phones, w.phones)
		for len(in) < len(phones) {
			in = append(in, i)
		}
	}
	return in, append(bounds, len(phones))
}
