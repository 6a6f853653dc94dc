// Package resume finds out where a client goes on after its socket was lost.
//
// Nothing is negotiated: on a new socket the client sends every byte after the last ack it has seen, then goes on. So
// it starts at one of a few boundaries, and what it sends is byte-identical to the journal from there to the
// journal's end: the overlap. A [Matcher] takes the bytes as they come and tells, as soon as that is decided, how much
// of them the journal has already.
//
// Candidates are tried earliest first: the earliest whose whole overlap came is the one. In self-similar audio
// (silence, a tone) several may fit; then the earliest wins, which is the boundary the client is known to have seen.
//
// Bytes that fit no candidate are new: a client that does not resend goes on at the journal's end.
//
// Nothing is held in memory: as long as a candidate fits, what came is what the journal has from there on.
package resume

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// budget bounds, in bytes, what is compared again when a candidate fails and the next one is tried. Audio made to fit
// many candidates for long reaches it; the candidates left are then not tried.
const budget = 64 << 20

// Verdict says what is overlap and what is new.
type Verdict struct {
	// Start is the client's position, in the journal, of its first byte on this socket.
	Start int64
	// From and To bound a part of the journal, [From,To), that equals bytes fed before which have turned out to be
	// new. It comes before the rest of what was fed last; mostly it is empty.
	From, To int64
	// Skip is how many bytes at the beginning of what was fed last are not new, or are in [From,To).
	Skip int
	// Fits is false where no candidate fitted and everything counts as new.
	Fits bool
}

// Matcher compares what a client sends with the journal. It is used by one goroutine.
type Matcher struct {
	journal    io.ReaderAt
	size       int64   // of the journal
	candidates []int64 // ascending; the first is the one that fits so far
	fed        int64   // bytes; they equal the journal from the first candidate on
	spent      int64   // of the budget
	have, also []byte  // buffers
}

// New returns a matcher for a journal of that size, which must not grow meanwhile. Candidates may be in any order;
// those outside of [0,size] are not looked at.
func New(journal io.ReaderAt, size int64, candidates []int64) *Matcher {
	usable := slices.DeleteFunc(slices.Clone(candidates), func(c int64) bool { return c < 0 || c > size })
	slices.Sort(usable)
	return &Matcher{journal: journal, size: size, candidates: slices.Compact(usable)}
}

// Open tells whether anything is to be decided: false where the client has nothing to send again.
func (m *Matcher) Open() bool { return len(m.candidates) > 0 && m.candidates[0] < m.size }

// Fed is how many bytes came so far.
func (m *Matcher) Fed() int64 { return m.fed }

// End is called when no bytes follow: fewer than an overlap are all overlap. The start is that of the earliest
// candidate that fits.
func (m *Matcher) End() Verdict {
	if len(m.candidates) == 0 {
		return Verdict{Start: m.size}
	}
	return Verdict{Start: m.candidates[0], Fits: true}
}

// Feed takes the next bytes. Once decided is true the matcher must not be used any more. An error is one of reading
// the journal.
func (m *Matcher) Feed(p []byte) (v Verdict, decided bool, err error) {
	at := 0
	for {
		if len(m.candidates) == 0 {
			return Verdict{Start: m.size, From: 0, To: 0, Skip: at}, true, nil
		}
		first := m.candidates[0]
		left := m.size - first - m.fed // of the overlap, before p[at:]
		want := min(left, int64(len(p)-at))
		same, err := m.common(p[at:at+int(want)], first+m.fed)
		if err != nil {
			return Verdict{}, false, err
		}
		m.fed += int64(same)
		at += same
		switch {
		case int64(same) == left:
			return Verdict{Start: first, Skip: at, Fits: true}, true, nil
		case int64(same) == want:
			return Verdict{}, false, nil
		}
		v, decided, err = m.next(first, at)
		if err != nil || decided {
			return v, decided, err
		}
	}
}

// next passes on to the earliest candidate after the one that has just failed that agrees with what came until then.
// It decides where that candidate's overlap is complete with it, or where there is none.
func (m *Matcher) next(failed int64, at int) (Verdict, bool, error) {
	for m.candidates = m.candidates[1:]; len(m.candidates) > 0; m.candidates = m.candidates[1:] {
		c := m.candidates[0]
		overlap := min(m.size-c, m.fed)
		if m.spent > budget {
			break
		}
		same, err := m.sameRange(failed, c, overlap)
		if err != nil {
			return Verdict{}, false, err
		}
		if !same {
			continue
		}
		if overlap < m.fed || c+overlap == m.size {
			return Verdict{Start: c, From: failed + overlap, To: failed + m.fed, Skip: at, Fits: true}, true, nil
		}
		return Verdict{}, false, nil
	}
	return Verdict{Start: m.size, From: failed, To: failed + m.fed, Skip: at}, true, nil
}

const block = 16 << 10

// common counts the bytes at the beginning of p that equal the journal from off on.
func (m *Matcher) common(p []byte, off int64) (int, error) {
	total := 0
	for len(p) > 0 {
		have, err := m.read(&m.have, off, min(block, len(p)))
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
func (m *Matcher) sameRange(a, b, n int64) (bool, error) {
	for n > 0 {
		size := int(min(block, n))
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

func (m *Matcher) read(buf *[]byte, off int64, n int) ([]byte, error) {
	if *buf == nil {
		*buf = make([]byte, block)
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
