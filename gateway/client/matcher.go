package client

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// matchBudget bounds the bytes that are compared again when candidates fail. Audio made to fit many
// candidates for long exhausts it; the remaining candidates are then not tried.
const matchBudget = 64 << 20

// verdict is which bytes the journal already has and which are new.
type verdict struct {
	// start is the position in the journal of the client's first byte on this socket.
	start int64
	// from and to bound the part of the journal, [from,to), that equals bytes fed earlier which
	// have turned out to be new. It precedes the rest of what was fed last. It is mostly empty.
	from, to int64
	// skip is how many bytes at the beginning of what was fed last are not new, or are in
	// [from,to).
	skip int
	// fits is false if no candidate fitted, so that all bytes count as new.
	fits bool
	// unsure is true if the audio repeats itself so that several candidates fit, of which start is
	// the latest. No further audio can tell which is right.
	unsure bool
}

// matcher finds out where in the journal a client continues after it has lost its socket.
//
// Nothing is negotiated: on a new socket the client sends again every byte after the last ack that
// it has seen, and then continues. So it starts at one of a few boundaries, the candidates, and
// what it sends first equals the journal from there to the journal's end: the overlap. The matcher
// takes the bytes as they arrive and returns its verdict as soon as it is decided.
//
// Candidates are tried in ascending order, and the first whose whole overlap arrives is right: new
// audio does not equal so much of the journal by chance. If the end of the journal repeats itself
// (silence, a tone) a later one may be right as well, and the verdict is unsure, see
// [matcher.later]. Bytes that fit no candidate are searched for in the journal: the client's count
// differs from the journal's because it has dropped audio or because an unsure verdict was wrong.
// Bytes that are not found are new: a client that does not send again continues at the journal's
// end.
//
// The matcher holds no audio in memory: while a candidate fits, the bytes so far equal the journal
// from there on. It is not safe for concurrent use.
type matcher struct {
	journal    io.ReaderAt
	size       int64   // of the journal
	candidates []int64 // ascending; the first is the one that fits so far
	fed        int64   // bytes so far; they equal the journal from the first candidate on
	lowest     int64   // candidate
	searched   bool    // no candidate fitted, and search has found others
	spent      int64   // bytes of matchBudget
	have, also []byte  // buffers
}

// newMatcher returns a matcher for a journal of a size, which must not grow meanwhile. The
// candidates may be in any order; those outside [0,size] are ignored.
func newMatcher(journal io.ReaderAt, size int64, candidates []int64) *matcher {
	usable := slices.DeleteFunc(slices.Clone(candidates), func(c int64) bool { return c < 0 || c > size })
	slices.Sort(usable)
	m := &matcher{journal: journal, size: size, candidates: slices.Compact(usable), lowest: size}
	if len(usable) > 0 {
		m.lowest = usable[0]
	}
	return m
}

// open reports whether anything is to be decided: false if the client has nothing to send again.
func (m *matcher) open() bool { return len(m.candidates) > 0 && m.candidates[0] < m.size }

// sent returns how many bytes were fed.
func (m *matcher) sent() int64 { return m.fed }

// end returns the verdict if no bytes follow. Bytes that are fewer than the overlap of the earliest
// fitting candidate are all overlap, except for those beyond the overlap of a later one that fits
// as well. Its errors are those of feed.
func (m *matcher) end() (verdict, error) {
	if len(m.candidates) == 0 {
		return verdict{start: m.size}, nil
	}
	return m.complete(m.candidates[0], 0)
}

// feed takes the next bytes. Once it returns decided, the matcher must not be used again. Its
// errors are those of reading the journal.
func (m *matcher) feed(p []byte) (v verdict, decided bool, err error) {
	at := 0
	for {
		if len(m.candidates) == 0 {
			return verdict{start: m.size, from: 0, to: 0, skip: at}, true, nil
		}
		first := m.candidates[0]
		left := m.size - first - m.fed // of the overlap, before p[at:]
		want := min(left, int64(len(p)-at))
		same, err := m.common(p[at:at+int(want)], first+m.fed)
		if err != nil {
			return verdict{}, false, err
		}
		m.fed += int64(same)
		at += same
		switch {
		case int64(same) == left:
			v, err := m.complete(first, at)
			return v, true, err
		case int64(same) == want:
			return verdict{}, false, nil
		}
		v, decided, err = m.next(first, at, p[at:])
		if err != nil || decided {
			return v, decided, err
		}
	}
}

// next replaces the failed candidate by the earliest later one that agrees with all bytes received.
// rest are those of them that were not fed yet. It decides if they complete that candidate's
// overlap, or if no candidate is left.
func (m *matcher) next(failed int64, at int, rest []byte) (verdict, bool, error) {
	for m.candidates = m.candidates[1:]; ; m.candidates = m.candidates[1:] {
		if len(m.candidates) == 0 || m.candidates[0] == m.size { // any bytes fit
			if err := m.search(failed, rest); err != nil {
				return verdict{}, false, err
			}
		}
		if len(m.candidates) == 0 || m.spent > matchBudget {
			return verdict{start: m.size, from: failed, to: failed + m.fed, skip: at}, true, nil
		}
		c := m.candidates[0]
		overlap := min(m.size-c, m.fed)
		same, err := m.sameRange(failed, c, overlap)
		if err != nil {
			return verdict{}, false, err
		}
		if !same {
			continue
		}
		if overlap < m.fed || c+overlap == m.size {
			v, err := m.complete(failed, at)
			return v, true, err
		}
		return verdict{}, false, nil
	}
}

const (
	searchWithin = 256 << 10 // bytes at the journal's end that are searched
	probeSize    = 512       // bytes that are looked for, at most,
	leastProbe   = 64        // and at least
)

// search makes candidates of the places after the lowest candidate where the journal has the bytes
// so far, once: those fed, which it has from failed on, and rest. Bytes that repeat themselves
// identify no place.
func (m *matcher) search(failed int64, rest []byte) error {
	if m.searched {
		return nil
	}
	m.searched = true
	probe := make([]byte, min(m.fed, probeSize))
	if _, err := m.journal.ReadAt(probe, failed); err != nil && len(probe) > 0 {
		return fmt.Errorf("read journal at %d: %w", failed, err)
	}
	probe = append(probe, rest[:min(len(rest), probeSize-len(probe))]...)
	from := max(m.lowest, m.size-searchWithin)
	if len(probe) < leastProbe || m.size-from < leastProbe || int(periodsOf(probe)[len(probe)]) <= len(probe)/2 {
		return nil
	}
	tail := make([]byte, m.size-from)
	if n, err := m.journal.ReadAt(tail, from); n < len(tail) {
		return fmt.Errorf("read journal at %d: %w", from, err)
	}
	var found []int64
	for at := 0; at+leastProbe <= len(tail); at++ {
		next := bytes.Index(tail[at:], probe[:leastProbe])
		if next < 0 {
			break
		}
		if at += next; bytes.HasPrefix(probe, tail[at:]) || bytes.HasPrefix(tail[at:], probe) {
			found = append(found, from+int64(at))
		}
	}
	m.candidates = append(found, m.candidates...)
	return nil
}

// complete returns the verdict once the first candidate has its whole overlap, or no bytes follow.
// The bytes fed equal the journal from ref on; at is how many of those fed last are among them.
func (m *matcher) complete(ref int64, at int) (verdict, error) {
	start, unsure, err := m.later()
	if err != nil {
		return verdict{}, err
	}
	overlap := min(m.size-start, m.fed)
	return verdict{start: start, from: ref + overlap, to: ref + m.fed, skip: at, fits: true, unsure: unsure}, nil
}

// later returns the latest candidate that may be right although the first one fits, and whether it
// differs from the first. The first can be wrong only if the journal's end repeats the audio before
// it at the distance of the two candidates, and no bytes fed contradict the later one.
func (m *matcher) later() (start int64, another bool, err error) {
	first := m.candidates[0]
	repeats := repeats{journal: m.journal, size: m.size}
	for _, c := range slices.Backward(m.candidates[1:]) {
		if m.size-c > m.fed || m.spent > matchBudget {
			continue // it has no byte beyond its overlap, or nothing can decide
		}
		likely, err := repeats.at(c - first)
		if err != nil {
			return 0, false, err
		}
		if !likely {
			continue
		}
		same, err := m.sameRange(first, c, m.size-c)
		if err != nil {
			return 0, false, err
		}
		if same {
			return c, true, nil
		}
	}
	return first, false, nil
}

// matchBlock is how many bytes are read from the journal at a time.
const matchBlock = 16 << 10

// common counts the bytes at the beginning of p that equal the journal from off on.
func (m *matcher) common(p []byte, off int64) (int, error) {
	total := 0
	for len(p) > 0 {
		have, err := m.read(&m.have, off, min(matchBlock, len(p)))
		if err != nil {
			return total, err
		}
		if !bytes.Equal(have, p[:len(have)]) {
			return total + firstDifference(have, p), nil
		}
		total += len(have)
		off += int64(len(have))
		p = p[len(have):]
	}
	return total, nil
}

// sameRange reports whether the journal holds the same n bytes at a and at b.
func (m *matcher) sameRange(a, b, n int64) (bool, error) {
	for n > 0 {
		size := int(min(matchBlock, n))
		x, err := m.read(&m.have, a, size)
		if err != nil {
			return false, err
		}
		y, err := m.read(&m.also, b, size)
		if err != nil {
			return false, err
		}
		m.spent += int64(size)
		if !bytes.Equal(x, y) {
			return false, nil
		}
		a, b, n = a+int64(size), b+int64(size), n-int64(size)
	}
	return true, nil
}

func (m *matcher) read(buf *[]byte, off int64, n int) ([]byte, error) {
	if *buf == nil {
		*buf = make([]byte, matchBlock)
	}
	got, err := m.journal.ReadAt((*buf)[:n], off)
	if got < n {
		return nil, fmt.Errorf("read journal at %d: %w", off, err)
	}
	return (*buf)[:n], nil
}

func firstDifference(a, b []byte) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return len(a)
}
