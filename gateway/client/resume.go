package client

import (
	"iter"
	"strconv"
	"time"

	"steno/gateway/dialect"
	"steno/session/store"
)

const (
	// mostTold is how often in a row the client of a session is told how much is kept. One that
	// does not confirm it that often is not asked to come back again.
	mostTold = 2
	// stopQuiet is how long a client sends nothing before a stop that it has sent on its socket
	// before is carried out: by then it has sent again what it had kept.
	stopQuiet = time.Second
)

// resume finds out where the client of a newly attached socket may go on.
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

// starts returns where in the journal the client may go on, if not at its end: where it says, or at
// an ack that it has seen. A page in a browser says: a pong confirms what has reached the browser,
// and the page may see it later or never. A client that is sent no acks keeps all its audio.
func (k *Client) starts(marks store.Marks) []int64 {
	switch {
	case k.offset != dialect.UnknownOffset:
		return []int64{k.offset}
	case k.resumes:
		return append(marks.Sent, marks.Boundary)
	}
	return []int64{0}
}

// lastKept returns the newest position that the client was told is kept. The client continues there
// or earlier.
func (k *Client) lastKept(marks store.Marks) int64 {
	switch {
	case !k.resumes:
		return 0 // it sends everything again
	case k.offset != dialect.UnknownOffset:
		return min(k.offset, marks.Last())
	}
	return marks.Last()
}

// fill puts silence in the place of what the journal has lost, before the first audio that the
// client has not sent before: joined to what is left it would be another speech, and acks would
// stand for other bytes than the client counts. It is called with mu held.
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

// fresh yields what the session does not have yet: nothing while it is undecided where the client
// goes on, then the part of the journal that has turned out to be new audio as well, and the rest
// of p. It is called with mu held, as is settle.
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

// again yields the part of the journal that has turned out to be new audio as well. It is called
// with mu held.
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

// unreadable gives the socket up because the journal could not be read. What came last is not
// taken, so the session takes nothing that the client sends behind it. It is called with mu held.
func (in *intake) unreadable(err error) {
	in.silent = true
	in.client.fail(err)
}

// settle applies the matcher's verdict.
func (in *intake) settle(v verdict) {
	in.matcher = nil
	in.session.Rewind(v.start)
	if v.fits {
		in.hole = 0 // the client has sent again what is lost
	} else {
		in.fill()
	}
	in.ackNow = true
	in.client.seat.told.Store(0)
	in.client.all.cfg.Metrics.Resumes.WithLabelValues(strconv.FormatBool(v.fits)).Inc()
}

// tell has a client, of which it cannot be known where it goes on, go on at the journal's end: it
// is sent an ack of all that is kept, and once it has confirmed that the socket is closed. What
// came on the socket is not joined to the recording; the client sends it again on its next socket.
// tell reports false, and does nothing, where the client has been told before and did not confirm
// it, is sent no acks, or sends audio as text, as pipecat does: pipecat takes the first ack of a
// socket for all that it has sent. It is called with mu held.
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

// endMatch ends the search for where the client goes on, when no audio follows.
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

// postponeStop reports whether a stop is to be carried out on the client's next socket, since it is
// told to go on there. Not every client repeats it there.
func (in *intake) postponeStop() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.telling {
		in.client.seat.stopDue.Store(true)
	}
	return in.telling
}

// awaitQuiet has the recording stopped when the client has sent nothing for a while. It is called
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
