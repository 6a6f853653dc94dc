package session

import (
	"errors"
	"fmt"
	"io"
	"time"

	"steno/messages"
	"steno/session/asr"
	"steno/session/panics"
)

// collector waits for the finals of one lane's utterances and emits them. It runs on its own
// goroutine.
type collector struct {
	*run
	lane  *lane
	steps *stepQueue
}

// collect handles the lane's utterances in order of their start, until the queue is empty or the
// session's life has ended.
func (c *collector) collect() {
	for c.life.Err() == nil {
		select {
		case u := <-c.lane.queue:
			if u.fence != nil {
				u.fence.pass()
				continue
			}
			c.failOn(panics.Try(func() { c.settle(u) }))
			c.lane.settled(u)
		default:
			return
		}
	}
}

// settle waits for the utterance's final and logs it; until then it emits the partials. If an
// engine loses the utterance, its audio is fed to another stream.
func (c *collector) settle(u *utterance) {
	defer u.release()
	u.awaitOpening()
	for c.life.Err() == nil && !u.isBroken() {
		stream := u.current()
		if stream == nil {
			if err := c.feedAgain(u); err != nil {
				c.unfed(u, err)
				return
			}
			continue
		}
		r, err := stream.Recv()
		switch {
		case c.life.Err() != nil:
			return
		case err == nil && r.Final && isUnheard(u, r):
			if !c.askAgain(u, r) {
				c.unfed(u, asr.ErrNoOther)
				return
			}
		case err == nil && r.Final:
			c.final(u, c.believed(u, r))
			return
		case err == nil:
			c.partial(u, r)
		case u.current() != stream: // shortened meanwhile, or broken
		case permanent(err):
			c.unfed(u, err)
			return
		default:
			u.lose(err)
			if err := c.feedAgain(u); err != nil {
				c.unfed(u, err)
				return
			}
		}
	}
}

// unfed completes an utterance that no engine accepts: without words if engines have found none in
// it, otherwise as one whose final is missing.
func (c *collector) unfed(u *utterance, cause error) {
	switch {
	case c.life.Err() != nil:
	case len(u.unheard.engines) > 0 && panics.In(cause) == nil:
		c.concede(u)
	default:
		c.giveUp(u, cause)
	}
}

// partial emits a partial whose text differs from that of the last one, unless the utterance's
// speech_end has been emitted.
func (c *collector) partial(u *utterance, r asr.Result) {
	l := c.lane
	t := transcript(l, u, r)
	t.Utterance = c.cfg.Addons.RedactPartial(t.Utterance)
	if t.Utterance.Text == u.shown {
		return
	}
	t.Settled = agreeing(u.words, t.Utterance.Words)
	u.shown, u.words = t.Utterance.Text, t.Utterance.Words
	if len(t.Utterance.Words) > 0 {
		l.turns.partial(u, t)
	}
}

// agreeing returns the number of words at the start of two partials that are the same.
func agreeing(a, b []messages.Word) int {
	n := 0
	for n < len(a) && n < len(b) && a[n].Word == b[n].Word {
		n++
	}
	return n
}

// final logs the final together with the lane's checkpoint and queues the steps of the add-ons,
// without waiting for them. A final without words is not logged.
func (c *collector) final(u *utterance, r asr.Result) {
	l := c.lane
	c.engineAway.Store(false)
	t := transcript(l, u, r)
	if len(r.Words) > 0 {
		l.language.decide(t.Utterance.Language, u.number)
	}
	if c.cfg.Settled != nil {
		c.cfg.Settled(latencyOf(u, r.Queued))
	}
	if len(t.Utterance.Words) == 0 {
		return
	}
	t.Utterance.Speaker = l.speakers.label(u.allAudio)
	t.Utterance = c.cfg.Addons.RedactFinal(u.id, t.Utterance)
	state := u.checkpoint()
	if state != nil {
		state = c.cfg.Addons.AppendState(l.speakers.appendState(state))
	}
	if l.turns.final(u, t, state) { // else it is one of the pending steps of Open
		c.steps.start(c.cfg.Addons.Steps(u.id, t.Utterance))
	}
}

// permanent reports whether the same audio would fail with the same error again. A stream that
// closes without a final is the engine's fault and worth another attempt.
func permanent(err error) bool {
	if panics.In(err) != nil {
		return true
	}
	return !errors.Is(err, io.EOF) && (errors.Is(err, asr.ErrLanguage) || errors.Is(err, asr.ErrTooLong) ||
		errors.Is(err, asr.ErrNoOther))
}

// feedAgain feeds the utterance to a new stream. The recognizer waits for an engine, up to the
// grace time since the utterance was first without one. Once an engine has stayed away that long,
// later utterances do not wait. Nor does one that goes to another engine because the last answered
// nothing. The error states why no engine accepts the utterance.
func (c *collector) feedAgain(u *utterance) error {
	now := time.Now()
	switch {
	case u.waitUntil.IsZero():
		u.waitUntil = now.Add(c.cfg.EngineGrace)
	case u.tried > 1 && now.After(u.waitUntil):
		return asr.ErrNoOther
	}
	params := c.lane.paramsOf(u)
	params.Attempt, params.Passed = u.losses, u.unheard.passed()
	params.Partials = params.Partials && len(u.unheard.engines) == 0
	if !c.engineAway.Load() && params.Passed == 0 {
		params.Until = u.waitUntil
	}
	stream, cancel, err := openStream(c.life, c.cfg.Recognizer, params)
	if err != nil {
		return err
	}
	u.refeed(params, stream, cancel)
	return nil
}

// giveUp records that the utterance's final is missing: no engine accepted it within the grace
// time, or all that were asked refused or lost it. A panic ends the session instead.
func (c *collector) giveUp(u *utterance, cause error) {
	if panics.In(cause) != nil {
		c.failOn(fmt.Errorf("utterance %s: %w", u.id, cause))
		return
	}
	if forItself(cause) || u.losses >= asr.EngineAttempts { // that affects no other utterance
		c.mark(u)
		return
	}
	c.engineAway.Store(true)
	c.failures.add(&Failure{
		Reason:  messages.EngineUnavailable,
		Message: "no recognition engine was available; finals are missing",
		Err:     fmt.Errorf("no engine took utterance %s: %w", u.id, cause),
	}, false)
	c.emit(messages.Key{Kind: messages.KindError, Subject: u.id}, messages.NewFailure(messages.EngineUnavailable,
		"EngineUnavailable", "utterance "+u.id+" could not be transcribed: no recognition engine was available"))
}

// Latency is how long each stage of an utterance took on its way to the final.
type Latency struct {
	Utterance string    // its id
	Ended     time.Time // when endpointing ended the utterance

	// from receiving the utterance's last audio to giving it to the utterance, journal and detector
	// included
	Received   time.Duration
	Endpointed time.Duration // from then until endpointing ended the utterance
	Queued     time.Duration // from then until an engine started on the final; 0 if the engine does not report it
	// from then until the final arrived, including the wait for an engine that reads its audio late
	Decoded time.Duration
}

// stages are the times at which an utterance reached its stages. They are guarded by the
// utterance's lock.
type stages struct {
	received time.Time // its newest audio, by the session
	given    time.Time // the same audio, to the utterance
	ended    time.Time
}

// latencyOf returns the latency of an utterance whose final has just arrived, after a wait of
// queued in the engine.
func latencyOf(u *utterance, queued time.Duration) Latency {
	u.mu.Lock()
	defer u.mu.Unlock()
	s := u.stages
	waited := time.Since(s.ended)
	queued = min(queued, waited)
	return Latency{
		Utterance: u.id, Ended: s.ended, Received: between(s.received, s.given), Endpointed: between(s.given, s.ended),
		Queued: queued, Decoded: waited - queued,
	}
}

// between returns the time from one stage to the next; 0 if the first was never reached in this
// process.
func between(from, to time.Time) time.Duration {
	if from.IsZero() {
		return 0
	}
	return max(0, to.Sub(from))
}
