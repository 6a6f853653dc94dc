package client

import (
	"iter"
	"strconv"
	"time"

	"steno/gateway/dialect"
	"steno/session/store"
)

const (
	// mostTold is how often in a row the client of a session is asked to resume on another socket.
	// If it does not confirm what is kept, it is not asked again.
	mostTold = 2
	// stopQuiet is how long a client must send nothing before a stop from its previous socket is
	// carried out: by then it has sent again the audio that was not acknowledged.
	stopQuiet = time.Second
)

// resume prepares the intake to find out where the client of a newly attached socket continues.
func (k *Client) resume(marks store.Marks) {
	l := k.ledger
	journal := readerAt(func(p []byte, off int64) (int, error) { return l.ReadAudioAt(k.all.life, p, off) })
	k.intake.hole = max(k.lastKept(marks)-l.AudioSize(), 0)
	if m := newMatcher(journal, l.AudioSize(), k.starts(marks)); m.open() {
		k.intake.matcher = m
	} else {
		k.seat.told.Store(0)
	}
	if k.seat.stopDue.Swap(false) {
		k.intake.awaitQuiet()
	}
}

// starts returns the places in the journal other than its end where the client may continue: the
// offset that it states, or the acks that it has seen. A pong does not confirm an ack to a page in
// a browser: it shows that the browser has received it, not the page, so a page states its offset.
// A client that is sent no acks keeps all its audio.
func (k *Client) starts(marks store.Marks) []int64 {
	switch {
	case k.offset != dialect.UnknownOffset:
		return []int64{k.offset}
	case k.resumes:
		return append(marks.Sent, marks.Boundary)
	}
	return []int64{0}
}

// lastKept returns the newest position that was acknowledged to the client. The client continues
// there or earlier.
func (k *Client) lastKept(marks store.Marks) int64 {
	switch {
	case !k.resumes:
		return 0 // it sends everything again
	case k.offset != dialect.UnknownOffset:
		return min(k.offset, marks.Last())
	}
	return marks.Last()
}

// fill replaces audio that the journal has lost by silence, before the first new audio. Otherwise
// unrelated audio would be joined, and acks would not match the bytes that the client counts. It is
// called with mu held.
func (in *intake) fill() {
	if in.hole == 0 {
		return
	}
	err := in.session.Replace(unbounded, in.hole)
	in.hole = 0
	in.session.Rewind(in.ledger.AudioSize())
	if err != nil {
		in.writeFailed(err)
	}
}

// fresh yields the audio that the session does not have yet. While the client's position is
// undecided that is nothing; then it is the part of the journal that proved to be new audio as
// well, and the rest of p. It is called with mu held, as is settle.
func (in *intake) fresh(p []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		switch {
		case in.telling:
			return
		case in.matcher == nil:
			in.fill()
			yield(p)
			return
		}
		v, decided, err := in.matcher.feed(p)
		if err != nil {
			in.unreadable(err)
		}
		if !decided || v.unsure && in.tell(v) {
			return
		}
		in.settle(v)
		for piece := range in.again(v) {
			if !yield(piece) {
				return
			}
		}
		if !in.silent && v.skip < len(p) {
			yield(p[v.skip:])
		}
	}
}

// again yields the part of the journal that proved to be new audio as well. It is called with mu
// held.
func (in *intake) again(v verdict) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for from := v.from; from < v.to; {
			piece := make([]byte, min(pieceSize, v.to-from))
			n, err := in.ledger.ReadAudioAt(in.client.all.life, piece, from)
			if n == 0 {
				in.unreadable(err)
				return
			}
			if !yield(piece[:n]) {
				return
			}
			from += int64(n)
		}
	}
}

// unreadable fails the socket because the journal could not be read. The last bytes are not
// written, so the session accepts nothing that the client sends after them. It is called with mu
// held.
func (in *intake) unreadable(err error) {
	in.silent = true
	in.client.fail(err)
}

// settle applies the matcher's verdict.
func (in *intake) settle(v verdict) {
	in.matcher = nil
	in.session.Rewind(v.start)
	if v.fits {
		in.hole = 0 // the client has sent the lost audio again
	} else {
		in.fill()
	}
	in.ackNow = true
	in.client.seat.told.Store(0)
	in.client.all.cfg.Metrics.Resumes.WithLabelValues(strconv.FormatBool(v.fits)).Inc()
}

// tell asks a client whose position cannot be known to resume at the journal's end: it sends an ack
// of everything kept, and closes the socket once the client has confirmed it. Audio from this
// socket is not written; the client sends it again on its next one. tell returns false and does
// nothing if the client was asked before and did not confirm, is sent no acks, or sends audio as
// text: pipecat does, and takes the first ack of a socket to cover everything it has sent. It is
// called with mu held.
func (in *intake) tell(v verdict) bool {
	k := in.client
	if !k.resumes || in.texts || in.session.Stopped() || k.seat.told.Add(1) > mostTold {
		return false
	}
	in.telling = true
	k.all.cfg.Metrics.Resumes.WithLabelValues("unsure").Inc()
	k.out.endAfterAck(dialect.Ending{Why: dialect.Resume})
	in.session.Rewind(v.start)
	in.acks.due(true)
	return true
}

// endMatch ends the search for the client's position when no audio follows.
func (in *intake) endMatch() {
	in.mu.Lock()
	defer in.mu.Unlock()
	m := in.matcher
	if m == nil || in.silent {
		return
	}
	in.matcher = nil
	if m.sent() == 0 {
		return
	}
	v, err := m.end()
	if err != nil {
		in.unreadable(err)
		return
	}
	in.settle(v)
	for piece := range in.again(v) {
		if err := in.session.Write(unbounded, piece); err != nil {
			in.writeFailed(err)
		}
	}
	in.acks.due(true)
}

// postponeStop reports whether a stop is postponed to the client's next socket, where it is asked
// to resume. Not every client repeats it there.
func (in *intake) postponeStop() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.telling {
		in.client.seat.stopDue.Store(true)
	}
	return in.telling
}

// awaitQuiet stops the recording once the client has sent nothing for stopQuiet. It is called
// before the socket is served.
func (in *intake) awaitQuiet() {
	in.stopDue = time.AfterFunc(stopQuiet, func() {
		in.mu.Lock()
		defer in.mu.Unlock()
		if in.silent || in.stopped {
			return
		}
		k := in.client
		if err := in.session.StopFor(k.all.life, k.out); k.faulty(err) {
			k.fail(err)
		}
	})
}
