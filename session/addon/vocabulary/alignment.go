package vocabulary

// place is where a word of an entry was recognized: the phones [from,to), which are in the words
// first to last.
type place struct{ from, to, first, last int }

// places returns the place of each word of an entry in the best alignment of the whole stretch. A
// word that was not recognized has a place without phones. Phones of the stretch that are aligned
// with no word belong to the word of the entry before them, or else to the one after.
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
	free := 0 // the first phone that belongs to no word yet
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

// span returns the place from the first to the last aligned phone; -1 in aligned is a phone that
// was not recognized.
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

// borders returns, for each phone of a stretch, the index of its word, and the phones at which the
// words begin and the last one ends.
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
