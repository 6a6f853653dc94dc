// Package tracks makes one stream of several channels of tracks that come on their own, each in
// pieces with a time, as media servers send the two sides of a call.
package tracks

import "bytes"

// Mixer interleaves the tracks of a stream. What a track does not bring in time is silence. It
// belongs to one goroutine.
type Mixer struct {
	width   int    // bytes of a sample
	silence byte   // of which a sample of silence consists
	ahead   int    // bytes that one track may be ahead of another
	tracks  []line // by channel
	at      int64  // bytes of each track that were interleaved
	out     []byte
}

// line is what a track has brought that was not interleaved yet.
type line struct{ held []byte }

// New returns a mixer of so many tracks of samples of a width in bytes. Silence is samples of that
// byte. A track that lags more than ahead bytes is filled with silence.
func New(tracks, width int, silence byte, ahead int) *Mixer {
	return &Mixer{width: width, silence: silence, ahead: max(ahead, width), tracks: make([]line, tracks)}
}

// Add takes a piece of a track that begins at a byte of it, or, where that is negative, where the
// piece before has ended. A gap becomes silence, and what lies before the end of the piece before
// is dropped: it came late, or twice. It returns what can be interleaved, which is valid until the
// next call. A gap of more than ahead bytes is cut to that: no stream is longer than it was sent.
func (m *Mixer) Add(track int, at int64, p []byte) []byte {
	if track < 0 || track >= len(m.tracks) {
		return nil
	}
	l := &m.tracks[track]
	end := m.at + int64(len(l.held))
	switch gap := at - end; {
	case at < 0 || gap == 0:
	case gap > 0:
		l.held = m.hush(l.held, int(min(gap-gap%int64(m.width), int64(m.ahead-m.ahead%m.width))))
	default:
		late := min(-gap, int64(len(p)))
		late += (int64(m.width) - late%int64(m.width)) % int64(m.width)
		p = p[min(late, int64(len(p))):]
	}
	l.held = append(l.held, p...)
	m.out = m.out[:0]
	most, least := m.spread()
	if most-least > m.ahead {
		least = most - m.ahead
	}
	return m.take(least)
}

// Flush returns what is left, with silence where a track has ended before another.
func (m *Mixer) Flush() []byte {
	m.out = m.out[:0]
	most, _ := m.spread()
	return m.take(most)
}

// spread returns how many bytes the tracks hold, at most and at least.
func (m *Mixer) spread() (most, least int) {
	least = len(m.tracks[0].held)
	for i := range m.tracks {
		n := len(m.tracks[i].held)
		most, least = max(most, n), min(least, n)
	}
	return most, least
}

// take interleaves so many bytes of each track, rounded down to samples.
func (m *Mixer) take(n int) []byte {
	n -= n % m.width
	if n <= 0 {
		return nil
	}
	for i := range m.tracks {
		if l := &m.tracks[i]; len(l.held) < n {
			l.held = m.hush(l.held[:len(l.held)-len(l.held)%m.width], n-len(l.held)+len(l.held)%m.width)
		}
	}
	if len(m.tracks) == 1 {
		m.out = append(m.out, m.tracks[0].held[:n]...)
	}
	for at := 0; at < n && len(m.tracks) > 1; at += m.width {
		for i := range m.tracks {
			m.out = append(m.out, m.tracks[i].held[at:at+m.width]...)
		}
	}
	for i := range m.tracks {
		l := &m.tracks[i]
		l.held = append(l.held[:0], l.held[n:]...)
	}
	m.at += int64(n)
	return m.out
}

// hush appends silence.
func (m *Mixer) hush(b []byte, n int) []byte {
	return append(b, bytes.Repeat([]byte{m.silence}, max(n, 0))...)
}
