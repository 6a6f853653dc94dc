package client

import (
	"errors"
	"sync"
	"time"

	"steno/gateway/dialect"
	"steno/messages"
	"steno/session"
)

// alreadyStopped answers audio and stops after a stop.
const alreadyStopped = "Recording already stopped"

// intake writes the audio of one socket to its session: it keeps the pace, finds out which bytes
// the session already has, and acknowledges. Its methods are called by the socket's reader, except
// silence and paused.
type intake struct {
	client  *Client
	session *session.Session
	ledger  Ledger
	pace    *pace
	acks    acker

	taken   time.Duration // of audio in the current message, or in several read together
	count   int           // the number of these messages
	owing   bool          // some of it is not acknowledged
	ackNow  bool          // the next ack is sent however few bytes it acknowledges
	texts   bool          // audio comes as text
	stopped bool          // the client has stopped the recording
	heard   [32]byte      // the last bytes of audio
	acked   [32]byte      // heard as of the last ack

	mu      sync.Mutex  // held around each piece of audio
	silent  bool        // the socket was replaced, dropped or is gone: it passes nothing to the session
	matcher *matcher    // finds the position that the client resumes from; nil once it is known
	telling bool        // the client is asked to resume on its next socket
	stopDue *time.Timer // stops the recording when the client sends no more; nil: unused
	pauses  pauseTimer

	hole int64 // acknowledged bytes that the journal has lost, see fill; under mu

	container *container // decodes the audio; nil: it is not in a container
}

// begin is called before each message, or before several messages of audio that were read together.
func (in *intake) begin(messages int) { in.owing, in.taken, in.count = false, 0, messages }

const (
	// gatherSilence is how long messages accumulate before they are read while the client does not
	// speak: as long as an ack may wait for more audio.
	gatherSilence = ackDelay
	// gatherSpeech is the same while the client speaks. It adds to the delay of partials and
	// finals.
	gatherSpeech = gatherSilence / 2
)

// Messages accumulate from these numbers of sockets per processor on: those of silent clients;
// those of speaking clients while the process is busy; those of speaking clients for as long as
// those of silent ones. With fewer sockets this saves too little work, and spare processor time is
// better spent on shorter delays of partials and finals.
const (
	manySockets    = 64
	mostSockets    = 256
	crowdedSockets = 768
)

// rest is called when the reader has read everything received and is about to wait. With many
// sockets short messages are left to accumulate, so that one read, one write to the journal and one
// ack serve several of them. It returns how long the reader must not read; 0: it waits for the next
// message.
func (in *intake) rest() time.Duration {
	pause, left := in.gather(), time.Duration(0)
	if pause > 0 {
		if left = in.client.conn.Gather(pause); left == 0 {
			pause = 0
		}
	}
	in.acks.rest(pause)
	return left
}

// gather returns how long messages are to accumulate.
func (in *intake) gather() time.Duration {
	all := in.client.all
	sockets := all.served.Load() / all.processors
	switch {
	case sockets < manySockets || in.matcher != nil || in.taken == 0 || in.taken/time.Duration(in.count) > ackDelay/2:
		return 0
	case sockets >= crowdedSockets, in.session.Quiet():
		return gatherSilence
	case sockets >= mostSockets && all.busy.Load():
		return gatherSpeech
	}
	return 0
}

// audio writes bytes to the session, except for those that the matcher finds it already has. It
// reports whether some were refused because the recording is stopped.
func (in *intake) audio(p []byte) (refused bool) {
	switch {
	case len(p) == 0:
		return false
	case in.container != nil:
		in.container.write(p)
		return false
	}
	now := time.Now()
	if wait := in.pace.wait(now); wait > 0 {
		in.keepPace(wait)
		now = time.Now()
	}
	in.awaitStore()
	rest := copy(in.heard[:], in.heard[min(len(p), len(in.heard)):])
	copy(in.heard[rest:], p[max(0, len(p)-len(in.heard)):])
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.silent {
		return false
	}
	in.client.all.cfg.Metrics.AudioBytes.Add(float64(len(p)))
	var taken time.Duration
	for piece := range in.fresh(p) {
		if err := in.session.Write(unbounded, piece); err != nil {
			refused = in.writeFailed(err) || refused
			continue
		}
		taken += in.session.Plays(len(piece))
	}
	in.pauses.heard()
	if in.stopDue != nil {
		in.stopDue.Reset(stopQuiet)
	}
	in.pace.spend(taken, now)
	in.taken += taken
	in.owing = in.owing || taken > 0
	return refused
}

// held reports whether audio would wait for its pace or for the store.
func (in *intake) held() bool { return in.pace.wait(time.Now()) > 0 || in.ledger.Full() != nil }

// keepPace waits while audio arrives too fast. It first acknowledges the audio of the current
// message.
func (in *intake) keepPace(wait time.Duration) {
	in.acknowledgeOwed()
	in.client.all.cfg.Metrics.PacedSeconds.Add(wait.Seconds())
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-in.client.written: // the socket is closed: the rest of its audio is not paced
	case <-in.client.all.life.Done():
	}
}

// awaitStore waits while the store holds as much audio that is not durable as it can. It first
// acknowledges the audio of the current message.
func (in *intake) awaitStore() {
	full := in.ledger.Full()
	if full == nil {
		return
	}
	in.acknowledgeOwed()
	began := time.Now()
	select {
	case <-full:
	case <-in.client.written:
	case <-in.client.all.life.Done():
	}
	in.client.all.cfg.Metrics.HeldSeconds.Add(time.Since(began).Seconds())
}

// writeFailed handles an error of the session and reports whether it means that the recording is
// stopped. Failures are reported by the session itself.
func (in *intake) writeFailed(err error) (refused bool) {
	var failure *session.Failure
	k := in.client
	switch {
	case errors.Is(err, session.ErrStopped):
		return true
	case errors.Is(err, session.ErrFull):
		in.ackNow = true
		if err := in.session.Stop(k.all.life, false); k.faulty(err) {
			k.fail(err)
		}
	case errors.Is(err, session.ErrAbandoned): // it continues elsewhere or is deleted: the watchdog closes the socket
	case errors.As(err, &failure): // the session ends on its own and informs the client
	default:
		k.fail(err)
	}
	return false
}

// mark carries out a client's mark. After the end of the recording only the outbox answers it.
func (in *intake) mark(m messages.Mark) {
	in.endMatch()
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.silent {
		return
	}
	if in.noted(in.session.Mark(unbounded, m)) {
		in.client.out.Send(messages.Event{
			Key:     messages.Key{Kind: messages.KindMarked, Subject: m.ID},
			Message: messages.Marked{Mark: m, Refused: true},
		})
	}
}

// update changes settings as the client asks.
func (in *intake) update(u messages.Update) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.silent {
		return
	}
	if u.SilenceAfter != nil {
		in.pauses.stop()
		in.pauses = pauseTimer{}
		if after := time.Duration(*u.SilenceAfter * float64(time.Second)); after > 0 {
			in.pauses = newPauseTimer(after, in.paused)
		}
	}
	if u.SilenceAfter = nil; u != (messages.Update{}) {
		in.noted(in.session.Update(unbounded, u))
	}
}

// noted handles the error of a mark or an update, and reports whether the recording is stopped. It
// is called with mu held.
func (in *intake) noted(err error) (stopped bool) {
	switch {
	case err == nil:
		return false
	case errors.Is(err, session.ErrNotes):
		in.client.out.end(dialect.Ending{Why: dialect.Misuse, Detail: err.Error()})
		return false
	}
	return in.writeFailed(err)
}

// acknowledge answers a completely handled message of audio. empty marks a message without audio,
// which is a keep-alive; refused reports that the recording is stopped.
func (in *intake) acknowledge(empty, refused bool) {
	if refused {
		in.session.Refuse(messages.AudioAck{Refused: alreadyStopped})
	}
	if in.matcher != nil {
		// Before the first byte the message is only a keep-alive, and an ack up to the journal's
		// end is correct. After it the verdict must come first: an ack could make the client skip
		// bytes that it is sending again.
		if empty && in.matcher.sent() == 0 {
			in.acks.due(true)
		}
		return
	}
	if refused && !in.ackNow {
		return // nothing was accepted
	}
	in.client.repeats.Store(in.heard == in.acked)
	if in.acks.due(in.ackNow || empty) {
		in.ackNow, in.acked = false, in.heard
	}
}

// acknowledgeOwed acknowledges the audio of an incomplete message.
func (in *intake) acknowledgeOwed() {
	if in.owing {
		in.acknowledge(false, false)
	}
}

// stop stops the recording at the client's request. The first stop of a socket is acknowledged even
// if the recording is already stopped: client libraries repeat a stop on a new socket. Another one
// is refused.
func (in *intake) stop() {
	if in.postponeStop() {
		return
	}
	in.endMatch()
	in.endContainer()
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
	k := in.client
	if err := in.session.StopFor(k.all.life, k.out); k.faulty(err) {
		k.all.cfg.Log.Error().Str("session", k.seat.ID).Err(err).Msg("session not stopped")
		in.session.Refuse(messages.StopAck{Refused: "internal error"})
	}
}

// stopUnasked stops the recording of a client that has closed its socket on purpose.
func (in *intake) stopUnasked() {
	in.endMatch()
	in.endContainer()
	k := in.client
	if err := in.session.Stop(k.all.life, false); k.faulty(err) {
		k.all.cfg.Log.Error().Str("session", k.seat.ID).Err(err).Msg("session not stopped")
	}
}

// silence ensures that the socket passes neither audio nor acks to the session any more. It reports
// whether it was silent before.
func (in *intake) silence() (before bool) {
	in.endContainer()
	in.mu.Lock()
	before, in.silent = in.silent, true
	in.pauses.stop()
	if in.stopDue != nil {
		in.stopDue.Stop()
	}
	in.mu.Unlock()
	in.acks.end()
	return before
}

// watchPauses treats pauses of the client of this length as silence; 0: none. Speech of an earlier
// socket may still wait for its end.
func (in *intake) watchPauses(after time.Duration) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if after > 0 && !in.silent {
		in.pauses = newPauseTimer(after, in.paused)
	}
}

// paused is called by the timer. It resets the timer unless the pause is long enough and no message
// is being received.
func (in *intake) paused() {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.silent || !in.pauses.over(in.client.conn.Within()) {
		return
	}
	if err := in.session.Silence(unbounded); err != nil {
		in.writeFailed(err)
	}
}

// endContainer decodes the rest of a container.
func (in *intake) endContainer() {
	if in.container != nil {
		in.container.finish()
	}
}
