package gateway

import (
	"errors"
	"strconv"
	"time"

	"steno/gateway/resume"
	"steno/messages"
	"steno/session"
	"steno/session/store"
)

// alreadyStopped is what audio and stops after a stop are answered with.
const alreadyStopped = "Recording already stopped"

// audio gives bytes to the session, once it is clear which of them it has already. It tells whether some were refused
// because the recording has been stopped.
func (k *socket) audio(p []byte) (refused bool) {
	if len(p) == 0 {
		return false
	}
	k.keepPace()
	refused = k.give(p)
	k.entry.pace.spend(k.taken, time.Now())
	k.taken, k.owing = 0, k.owing || k.taken > 0
	return refused
}

// keepPace waits while audio comes too fast. What came of the running message before is acknowledged first.
func (k *socket) keepPace() {
	wait := k.entry.pace.wait(time.Now())
	if wait == 0 {
		return
	}
	if k.owing {
		k.heardAudio(false, false)
	}
	k.server.metrics.PacedSeconds.Add(wait.Seconds())
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-k.shut: // the socket is closed: what it sent before is taken at once
	case <-k.server.life.Done():
	}
}

// give gives bytes to the session or to who looks for their place in it.
func (k *socket) give(p []byte) (refused bool) {
	k.feed.Lock()
	defer k.feed.Unlock()
	if k.silent {
		return false
	}
	k.server.metrics.AudioBytes.Add(float64(len(p)))
	defer k.spoke()
	if k.matcher != nil {
		verdict, decided, err := k.matcher.Feed(p)
		if err != nil {
			k.fail(err)
			return false
		}
		if !decided {
			return false
		}
		refused = k.settle(verdict)
		p = p[verdict.Skip:]
	}
	return k.put(p) || refused
}

// settle ends the search for where the client goes on. Called with feed held, as is put.
func (k *socket) settle(v resume.Verdict) (refused bool) {
	k.matcher = nil
	k.session.Rewind(v.Start)
	k.ackNow = true
	k.server.metrics.Resumes.WithLabelValues(strconv.FormatBool(v.Fits)).Inc()
	return k.putAgain(v.From, v.To)
}

// putAgain gives the session a part of its journal that has turned out to be new audio as well.
func (k *socket) putAgain(from, to int64) (refused bool) {
	for from < to && !refused {
		piece := make([]byte, min(pieceSize, to-from))
		n, err := k.ledger.ReadAudioAt(k.server.life, piece, from)
		if n == 0 {
			k.fail(err)
			return false
		}
		refused = k.put(piece[:n])
		from += int64(n)
	}
	return refused
}

// put writes audio to the session.
func (k *socket) put(p []byte) (refused bool) {
	if len(p) == 0 {
		return false
	}
	if err := k.session.Write(unbounded, p); err != nil {
		return k.notTaken(err)
	}
	k.taken += k.session.Plays(len(p))
	return false
}

// notTaken sees to what ends the recording; the session itself answers for its failures.
func (k *socket) notTaken(err error) (refused bool) {
	var failure *session.Failure
	switch {
	case errors.Is(err, session.ErrStopped):
		return true
	case errors.Is(err, session.ErrFull):
		k.ackNow = true
		if err := k.session.Stop(k.server.life, false); err != nil {
			k.fail(err)
		}
	case errors.Is(err, store.ErrNotFound): // deleted by another process
		k.entry.background(func() { k.server.sessions.forget(k.entry.id) })
	case errors.As(err, &failure): // the session ends by itself and says so
	default:
		k.fail(err)
	}
	return false
}

// fail gives the connection up for a reason that is not the client's: it comes back and goes on.
func (k *socket) fail(err error) {
	if k.server.life.Err() == nil && !k.entry.isDeleted() {
		k.server.log.Error().Str("session", k.entry.id).Err(err).Msg("socket given up")
	}
	k.out.end(messages.CloseInternal)
}

// heardAudio answers a message of audio, all of which has been given on: empty says that there was none, a keep-alive,
// refused that the recording was over.
func (k *socket) heardAudio(empty, refused bool) {
	if refused {
		k.session.Refuse(messages.AudioAck{Refused: alreadyStopped})
	}
	if k.matcher != nil {
		// Undecided. Before the first byte the client asks for nothing but a sign of life, and an ack that reaches to the
		// journal's end is true. Later it waits for the decision: an ack could make it skip what it is sending again.
		if empty && k.matcher.Fed() == 0 {
			k.acks.due(true)
		}
		return
	}
	if refused && !k.ackNow {
		return // nothing was taken
	}
	if k.acks.due(k.ackNow || empty) {
		k.ackNow = false
	}
}

// settleHeld ends the search when no audio follows: what came is all overlap.
func (k *socket) settleHeld() {
	if k.matcher == nil {
		return
	}
	if k.matcher.Fed() > 0 {
		k.session.Rewind(k.matcher.End().Start)
		k.acks.due(true)
	}
	k.matcher = nil
}

// stop ends the recording at the client's wish. A socket's first one is acknowledged even where the recording has ended
// before: client libraries repeat the stop on a new socket when they lost the one before. A further one is refused.
func (k *socket) stop() {
	k.settleHeld()
	k.acks.flush()
	k.feed.Lock()
	defer k.feed.Unlock()
	if k.silent {
		return
	}
	if k.stopped {
		k.session.Refuse(messages.StopAck{Refused: alreadyStopped})
		return
	}
	k.stopped = true
	if err := k.session.StopFor(k.server.life, k.out); err != nil && k.server.life.Err() == nil && !k.entry.isDeleted() {
		k.server.log.Error().Str("session", k.entry.id).Err(err).Msg("session not stopped")
		k.session.Refuse(messages.StopAck{Refused: "internal error"})
	}
}
