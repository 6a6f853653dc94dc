package live

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// matchBudget bounds the bytes that are compared again when candidates fail. Audio that is made to fit many candidates for
// long reaches it; the remaining candidates are then not tried.
const matchBudget = 64 << 20

// verdict says which bytes the journal already has and which are new.
type verdict struct {
	// start is the position in the journal of the client's first byte on this socket.
	start int64
	// from and to bound the part of the journal, [from,to), that equals bytes fed earlier which have turned out to be new.
	// It precedes the rest of what was fed last. It is mostly empty.
	from, to int64
	// skip is how many bytes at the beginning of what was fed last are not new, or are in [from,to).
	skip int
	// fits is false if no candidate fitted, so that all bytes count as new.
	fits bool
}

// matcher finds out where in the journal a client goes on after it has lost its socket.
//
// Nothing is negotiated: on a new socket the client sends again every byte after the last ack that it has seen, and then goes
// on. So it starts at one of a few boundaries, the candidates, and what it sends first equals the journal from there to the
// journal's end: the overlap. The matcher takes the bytes as they arrive and returns its verdict as soon as it is decided.
//
// Candidates are tried in ascending order; the first whose whole overlap arrives wins. In self-similar audio (silence, a
// tone) several may fit: then the earliest is the boundary that the client is known to have seen. Bytes that fit no candidate
// are new: a client that does not send again goes on at the journal's end.
//
// The matcher holds no audio in memory: while a candidate fits, the bytes so far equal the journal from there on. It is not
// safe for concurrent use.
type matcher struct {
	journal    io.ReaderAt
	size       int64   // of the journal
	candidates []int64 // ascending; the first is the one that fits so far
	fed        int64   // bytes so far; they equal the journal from the first candidate on
	spent      int64   // bytes of matchBudget
	have, also []byte  // buffers
}

// newMatcher returns a matcher for a journal of a size, which must not grow meanwhile. The candidates may be in any order;
// those outside [0,size] are ignored.
func newMatcher(journal io.ReaderAt, size int64, candidates []int64) *matcher {
	usable := slices.DeleteFunc(slices.Clone(candidates), func(c int64) bool { return c < 0 || c > size })
	slices.Sort(usable)
	return &matcher{journal: journal, size: size, candidates: slices.Compact(usable)}
}

// open reports whether anything is to be decided: false if the client has nothing to send again.
func (m *matcher) open() bool { return len(m.candidates) > 0 && m.candidates[0] < m.size }

// sent returns how many bytes were fed.
func (m *matcher) sent() int64 { return m.fed }

// end returns the verdict if no bytes follow: all bytes are overlap, and start is the earliest candidate that fits.
func (m *matcher) end() verdict {
	if len(m.candidates) == 0 {
		return verdict{start: m.size}
	}
	return verdict{start: m.candidates[0], fits: true}
}

// feed takes the next bytes. Once it returns decided, the matcher must not be used again. Its errors are those of reading the
// journal.
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
			return verdict{start: first, skip: at, fits: true}, true, nil
		case int64(same) == want:
			return verdict{}, false, nil
		}
		v, decided, err = m.next(first, at)
		if err != nil || decided {
			return v, decided, err
		}
	}
}

// next goes on to the earliest candidate after the failed one that agrees with the bytes so far. It decides if they complete
// that candidate's overlap, or if there is none.
func (m *matcher) next(failed int64, at int) (verdict, bool, error) {
	for m.candidates = m.candidates[1:]; len(m.candidates) > 0; m.candidates = m.candidates[1:] {
		c := m.candidates[0]
		overlap := min(m.size-c, m.fed)
		if m.spent > matchBudget {
			break
		}
		same, err := m.sameRange(failed, c, overlap)
		if err != nil {
			return verdict{}, false, err
		}
		if !same {
			continue
		}
		if overlap < m.fed || c+overlap == m.size {
			return verdict{start: c, from: failed + overlap, to: failed + m.fed, skip: at, fits: true}, true, nil
		}
		return verdict{}, false, nil
	}
	return verdict{start: m.size, from: failed, to: failed + m.fed, skip: at}, true, nil
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

// sameRange tells whether the journal holds the same n bytes at a and at b.
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
