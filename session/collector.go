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

// errGone says that an utterance has no final: no engine would take it within the grace time, or the one asked
// refused it for good.
var errGone = errors.New("no engine took the utterance")

// collector settles the utterances of one lane: it waits for their finals and emits them. It runs on its own goroutine.
type collector struct {
	*run
	lane  *lane
	steps *stepQueue
}

// collect settles the lane's utterances in the order they began, until the last one or the end of the session's life.
func (c *collector) collect() {
	for {
		select {
		case u, ok := <-c.lane.queue:
			if !ok {
				return
			}
			c.failOn(panics.Try(func() { c.settle(u) }))
			c.lane.settled(u)
		case <-c.life.Done():
			return
		}
	}
}

// settle waits for the utterance's final and logs it, passing its partials on meanwhile.
func (c *collector) settle(u *utterance) {
	l := c.lane
	defer u.release()
	var lastText string
	for {
		r, err := c.next(u)
		if c.life.Err() != nil {
			return
		}
		if err != nil {
			c.giveUp(u, err)
			return
		}
		t := transcript(l, u, r)
		if r.Final {
			if len(r.Words) > 0 {
				l.language.decide(t.Utterance.Language, u.number)
			}
			c.final(u, t)
			return
		}
		if t.Utterance.Text != lastText {
			lastText = t.Utterance.Text
			c.partial(u, t)
		}
	}
}

// partial emits a partial unless the end of the utterance's speech was announced before it.
func (c *collector) partial(u *utterance, t messages.Transcript) {
	l := c.lane
	l.order.Lock()
	defer l.order.Unlock()
	if l.endAnnounced(u) || len(t.Utterance.Words) == 0 {
		return
	}
	c.emit(messages.Key{Kind: messages.KindPartial, Subject: u.id}, t)
}

// final logs the final together with the lane's checkpoint and queues the steps of the add-ons, without waiting for them. An
// utterance without words has nothing to log.
func (c *collector) final(u *utterance, t messages.Transcript) {
	l := c.lane
	if len(t.Utterance.Words) == 0 {
		return
	}
	t.Utterance.Speaker = l.speakers.label(u.allAudio())
	state := l.speakers.appendState(u.checkpoint())
	fresh, err := c.out.emit(c.life, messages.Key{Kind: messages.KindFinal, Subject: u.id}, t, checkpoint{lane: l.channel, state: state})
	c.failOn(err)
	if fresh { // else restoring has seen to it
		c.steps.start(c.cfg.Addons.Steps(u.id, t.Utterance))
	}
}

// next returns the utterance's next result, feeding it to an engine again where one has lost it.
func (c *collector) next(u *utterance) (asr.Result, error) {
	for {
		if stream := u.current(); stream != nil {
			r, err := stream.Recv()
			if err == nil {
				if r.Final {
					c.engineAway.Store(false)
				}
				return r, nil
			}
			if u.current() != stream { // shortened meanwhile
				continue
			}
			if permanent(err) {
				return asr.Result{}, fmt.Errorf("%w: %w", errGone, err)
			}
			u.losses++
		}
		if err := c.feedAgain(u); err != nil {
			return asr.Result{}, err
		}
	}
}

// permanent reports whether the same audio would meet the same error again. Results that end without a final are a fault
// of the engine's and worth another attempt.
func permanent(err error) bool {
	if panics.In(err) != nil {
		return true
	}
	return !errors.Is(err, io.EOF) && (errors.Is(err, asr.ErrLanguage) || errors.Is(err, asr.ErrTooLong))
}

// feedAgain gives the utterance to a fresh stream. The recognizer waits for an engine, up to the grace time since the
// utterance was first without one. Once an engine has stayed away that long, later utterances do not wait, so that the
// rest of the session does not take as long again for each of them.
func (c *collector) feedAgain(u *utterance) error {
	if u.waitUntil.IsZero() {
		u.waitUntil = time.Now().Add(c.cfg.EngineGrace)
	}
	params := c.lane.utteranceParams(u.number)
	params.Attempt = u.losses
	if !c.engineAway.Load() {
		params.Until = u.waitUntil
	}
	stream, cancel, err := openStream(c.life, c.cfg.Recognizer, params)
	if c.life.Err() != nil {
		return c.life.Err()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	u.refeed(stream, cancel)
	return nil
}

// giveUp records that the utterance's final is missing. Where that is a fault of the program it ends the session.
func (c *collector) giveUp(u *utterance, cause error) {
	if panics.In(cause) != nil {
		c.failOn(fmt.Errorf("utterance %s: %w", u.id, cause))
		return
	}
	c.engineAway.Store(true)
	c.failures.add(&Failure{
		Reason:  messages.EngineUnavailable,
		Message: "no recognition engine was available; finals are missing",
		Err:     fmt.Errorf("utterance %s: %w", u.id, cause),
	}, false)
	c.emit(messages.Key{Kind: messages.KindError, Subject: u.id}, messages.NewFailure(messages.EngineUnavailable,
		"EngineUnavailable", "utterance "+u.id+" could not be transcribed: no recognition engine was available"))
}
