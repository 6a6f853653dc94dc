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

// intake takes the audio of one socket to its session: it keeps the pace, finds out which bytes the
// session already has, and acknowledges. Its methods are called by the socket's reader, except
// silence and paused.
type intake struct {
	client  *Client
	session *session.Session
	ledger  Ledger
	pace    *pace
	acks    acker

	taken   time.Duration // of audio of the current message, or of several that came together
	count   int           // how many these are
	owing   bool          // some of it is not acknowledged
	ackNow  bool          // the next ack is sent however few bytes it acknowledges
	texts   bool          // audio comes as text
	stopped bool          // the client has asked for the end of the recording
	heard   [32]byte      // the last bytes of audio
	acked   [32]byte      // those before the last ack

	mu      sync.Mutex  // held around each piece of audio
	silent  bool        // the socket was replaced, dropped or is gone: the session gets nothing more of it
	matcher *matcher    // finds the position that the client resumes from; nil once it is known
	telling bool        // the client is sent an ack of all that is kept, to resume from there on its next socket
	stopDue *time.Timer // ends the recording when the client sends no more; nil: nothing does
	pauses  pauseTimer

	hole int64 // bytes that the client was told to be kept and the journal has lost, see fill; under mu

	container *container // decodes what the client sends; nil: that is samples
}

// begin is called before each message, or before several messages of audio that were read together.
func (in *intake) begin(messages int) { in.owing, in.taken, in.count = false, 0, messages }

const (
	// gatherSilence is how long messages are gathered before they are read while the client does
	// not speak: as long as an ack may wait for more audio.
	gatherSilence = ackDelay
	// gatherSpeech is the same while the client speaks. It adds to the delay of partials and
	// finals.
	gatherSpeech = gatherSilence / 2
)

// Messages are gathered from these numbers of sockets per processor on: those of silent clients,
// those of speaking clients while the process is busy, and those of speaking clients for as long as
// those of silent ones. With fewer sockets gathering saves too little work, and while there is
// processor time to spare it is spent on shorter delays of partials and finals.
const (
	manySockets    = 64
	mostSockets    = 256
	crowdedSockets = 768
)

// rest is called when the reader has taken everything received and is about to wait. Where there
// are many sockets, short messages are left to gather, so that one read, one write to the journal
// and one ack serve several of them. It returns how long the reader is not to read; 0 means that it
// waits for the next message.
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

// gather returns how long messages are to be gathered.
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
// reports whether some were refused because the recording has been stopped.
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

// keepPace waits while audio comes too fast, after acknowledging what the current message has
// brought before.
func (in *intake) keepPace(wait time.Duration) {
	in.acknowledgeOwed()
	in.client.all.cfg.Metrics.PacedSeconds.Add(wait.Seconds())
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-in.client.written: // the socket is closed: what it sent before is taken immediately
	case <-in.client.all.life.Done():
	}
}

// awaitStore waits while so much audio has been taken that is not durable yet that no more can be
// held. It acknowledges before what the current message has brought.
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

// writeFailed handles an error of the session and reports whether it means that the recording has
// been stopped. The session itself answers for its failures.
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
	case errors.As(err, &failure): // the session ends on its own and tells the client
	default:
		k.fail(err)
	}
	return false
}

// mark carries out a mark of the client. One that comes after the end of the recording is answered
// by the outbox alone.
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

// noted handles what the session returns of a mark or an update, and reports whether the recording
// has been stopped. It is called with mu held.
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

// acknowledge answers a message of audio, all of which was given on. empty says that the message
// had none, which is a keep-alive; refused says that the recording has been stopped.
func (in *intake) acknowledge(empty, refused bool) {
	if refused {
		in.session.Refuse(messages.AudioAck{Refused: alreadyStopped})
	}
	if in.matcher != nil {
		// Before its first byte the client only asks for a sign of life, and an ack up to the
		// journal's end is true. After that it waits for the verdict: an ack could make it skip
		// bytes that it is sending again.
		if empty && in.matcher.sent() == 0 {
			in.acks.due(true)
		}
		return
	}
	if refused && !in.ackNow {
		return // nothing was taken
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

// stop ends the recording as the client asks. The first stop of a socket is acknowledged even if
// the recording has ended before: client libraries repeat the stop on a new socket when they have
// lost the one before. A further one is refused.
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

// stopUnasked ends the recording of a client that has closed its socket on purpose.
func (in *intake) stopUnasked() {
	in.endMatch()
	in.endContainer()
	k := in.client
	if err := in.session.Stop(k.all.life, false); k.faulty(err) {
		k.all.cfg.Log.Error().Str("session", k.seat.ID).Err(err).Msg("session not stopped")
	}
}

// silence makes sure that the socket gives the session neither audio nor acks any more. It reports
// whether it gave no audio before.
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

// watchPauses begins to take a pause of the client of this length for silence; 0: never. Speech of
// an earlier socket may still wait for its end.
func (in *intake) watchPauses(after time.Duration) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if after > 0 && !in.silent {
		in.pauses = newPauseTimer(after, in.paused)
	}
}

// paused is called by the timer. It sets the timer again unless the pause is long enough and no
// message is under way.
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

// endContainer gives the session what of a container is not decoded yet.
func (in *intake) endContainer() {
	if in.container != nil {
		in.container.finish()
	}
}
