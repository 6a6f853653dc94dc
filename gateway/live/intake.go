package live

import (
	"errors"
	"strconv"
	"sync"
	"time"

	"steno/messages"
	"steno/session"
	"steno/session/store"
)

// alreadyStopped answers audio and stops after a stop.
const alreadyStopped = "Recording already stopped"

// intake takes the audio of one socket to its session: it keeps the pace, finds out which bytes the session already has, and
// acknowledges. Its methods are called by the socket's reader, except silence and paused.
type intake struct {
	socket  *socket
	session *session.Session
	ledger  *ledger
	pace    *pace
	acks    acker

	owing   bool          // audio of the current message was taken and not acknowledged
	ackNow  bool          // the next ack is sent however few bytes it acknowledges
	stopped bool          // the client has asked for the end of the recording
	taken   time.Duration // new audio since the pace was last told

	mu      sync.Mutex // held around each piece of audio
	silent  bool       // the socket was replaced or is gone: it gives the session nothing more
	matcher *matcher   // nil once it is decided where the client goes on
	pauses  pauseTimer
}

// beginMessage notes that the client begins a message.
func (in *intake) beginMessage() { in.owing = false }

// audio gives bytes to the session, once it is decided which of them the session already has. It reports whether some were
// refused because the recording has been stopped.
func (in *intake) audio(p []byte) (refused bool) {
	if len(p) == 0 {
		return false
	}
	in.keepPace()
	refused = in.give(p)
	in.pace.spend(in.taken, time.Now())
	in.taken, in.owing = 0, in.owing || in.taken > 0
	return refused
}

// keepPace waits while audio comes too fast, after acknowledging what the current message has brought before.
func (in *intake) keepPace() {
	wait := in.pace.wait(time.Now())
	if wait == 0 {
		return
	}
	in.acknowledgeOwed()
	in.socket.sessions.cfg.Metrics.PacedSeconds.Add(wait.Seconds())
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-in.socket.written: // the socket is closed: what it sent before is taken at once
	case <-in.socket.sessions.life.Done():
	}
}

// give gives bytes to the matcher, or to the session once it is decided where the client goes on.
func (in *intake) give(p []byte) (refused bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.silent {
		return false
	}
	in.socket.sessions.cfg.Metrics.AudioBytes.Add(float64(len(p)))
	defer in.pauses.heard()
	if in.matcher != nil {
		v, decided, err := in.matcher.feed(p)
		if err != nil {
			in.socket.fail(err)
			return false
		}
		if !decided {
			return false
		}
		refused = in.settle(v)
		p = p[v.skip:]
	}
	return in.put(p) || refused
}

// settle applies the matcher's verdict. It is called with mu held, as are put and putAgain.
func (in *intake) settle(v verdict) (refused bool) {
	in.matcher = nil
	in.session.Rewind(v.start)
	in.ackNow = true
	in.socket.sessions.cfg.Metrics.Resumes.WithLabelValues(strconv.FormatBool(v.fits)).Inc()
	return in.putAgain(v.from, v.to)
}

// putAgain writes a part of the session's journal, which has turned out to be new audio as well, to the session.
func (in *intake) putAgain(from, to int64) (refused bool) {
	for from < to && !refused {
		piece := make([]byte, min(pieceSize, to-from))
		n, err := in.ledger.ReadAudioAt(in.socket.sessions.life, piece, from)
		if n == 0 {
			in.socket.fail(err)
			return false
		}
		refused = in.put(piece[:n])
		from += int64(n)
	}
	return refused
}

// put writes audio to the session.
func (in *intake) put(p []byte) (refused bool) {
	if len(p) == 0 {
		return false
	}
	if err := in.session.Write(unbounded, p); err != nil {
		return in.writeFailed(err)
	}
	in.taken += in.session.Plays(len(p))
	return false
}

// writeFailed handles an error of the session and reports whether it means that the recording has been stopped. The session
// itself answers for its failures.
func (in *intake) writeFailed(err error) (refused bool) {
	var failure *session.Failure
	k := in.socket
	switch {
	case errors.Is(err, session.ErrStopped):
		return true
	case errors.Is(err, session.ErrFull):
		in.ackNow = true
		if err := in.session.Stop(k.sessions.life, false); err != nil {
			k.fail(err)
		}
	case errors.Is(err, store.ErrNotFound): // deleted by another process
		k.entry.background(func() { k.sessions.Forget(k.entry.id) })
	case errors.As(err, &failure): // the session ends by itself and tells the client
	default:
		k.fail(err)
	}
	return false
}

// acknowledge answers a message of audio, all of which was given on. empty says that the message had none, which is a
// keep-alive; refused says that the recording has been stopped.
func (in *intake) acknowledge(empty, refused bool) {
	if refused {
		in.session.Refuse(messages.AudioAck{Refused: alreadyStopped})
	}
	if in.matcher != nil {
		// Before its first byte the client only asks for a sign of life, and an ack up to the journal's end is true. After
		// that it waits for the verdict: an ack could make it skip bytes that it is sending again.
		if empty && in.matcher.sent() == 0 {
			in.acks.due(true)
		}
		return
	}
	if refused && !in.ackNow {
		return // nothing was taken
	}
	if in.acks.due(in.ackNow || empty) {
		in.ackNow = false
	}
}

// acknowledgeOwed acknowledges the audio of an incomplete message.
func (in *intake) acknowledgeOwed() {
	if in.owing {
		in.acknowledge(false, false)
	}
}

// endMatch ends the search for where the client goes on, when no audio follows: all bytes so far are overlap.
func (in *intake) endMatch() {
	if in.matcher == nil {
		return
	}
	if in.matcher.sent() > 0 {
		in.session.Rewind(in.matcher.end().start)
		in.acks.due(true)
	}
	in.matcher = nil
}

// stop ends the recording as the client asks. The first stop of a socket is acknowledged even if the recording has ended
// before: client libraries repeat the stop on a new socket when they have lost the one before. A further one is refused.
func (in *intake) stop() {
	in.endMatch()
	in.acks.flush()
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.silent {
		return
	}
	if in.stopped {
		in.session.Refuse(messages.StopAck{Refused: alreadyStopped})
		return
	}
	in.stopped = true
	k := in.socket
	if err := in.session.StopFor(k.sessions.life, k.out); err != nil && k.sessions.life.Err() == nil && !k.entry.isDeleted() {
		k.sessions.cfg.Log.Error().Str("session", k.entry.id).Err(err).Msg("session not stopped")
		in.session.Refuse(messages.StopAck{Refused: "internal error"})
	}
}

// stopUnasked ends the recording of a client that has closed its socket on purpose.
func (in *intake) stopUnasked() {
	in.endMatch()
	k := in.socket
	if err := in.session.Stop(k.sessions.life, false); err != nil && k.sessions.life.Err() == nil && !k.entry.isDeleted() {
		k.sessions.cfg.Log.Error().Str("session", k.entry.id).Err(err).Msg("session not stopped")
	}
}

// silence makes sure that the socket gives the session neither audio nor acks any more. It reports whether it was silent
// before.
func (in *intake) silence() (before bool) {
	in.mu.Lock()
	before, in.silent = in.silent, true
	in.pauses.stop()
	in.mu.Unlock()
	in.acks.end()
	return before
}

// watchPauses begins to take a pause of the client of this length for silence; 0: never. Speech of an earlier socket may
// still wait for its end.
func (in *intake) watchPauses(after time.Duration) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if after > 0 && !in.silent {
		in.pauses = newPauseTimer(after, in.paused)
	}
}

// paused is called by the timer. It sets the timer again unless the pause is long enough and no message is under way.
func (in *intake) paused() {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.silent || !in.pauses.over(in.socket.reader.waits.within()) {
		return
	}
	if err := in.session.Silence(unbounded); err != nil {
		in.writeFailed(err)
	}
}
