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

// collect is a lane's collector: it settles the lane's utterances in the order they began.
func (s *Session) collect(l *lane) {
	defer s.collectorEnded()
	for {
		select {
		case u, ok := <-l.queue:
			if !ok {
				return
			}
			s.failOn(panics.Try(func() { s.settle(l, u) }))
			l.settled(u)
		case <-s.life.Done():
			return
		}
	}
}

// settle waits for the utterance's final and logs it, passing its partials on meanwhile.
func (s *Session) settle(l *lane, u *utterance) {
	defer u.release()
	var lastText string
	for {
		r, err := s.next(l, u)
		if s.life.Err() != nil {
			return
		}
		if err != nil {
			s.giveUp(u, err)
			return
		}
		t := transcript(l, u, r)
		if r.Final {
			if len(r.Words) > 0 {
				l.language.decide(t.Utterance.Language, u.number)
			}
			s.final(l, u, t)
			return
		}
		if t.Utterance.Text != lastText {
			lastText = t.Utterance.Text
			s.partial(l, u, t)
		}
	}
}

// partial emits a partial unless the end of the utterance's speech was announced before it.
func (s *Session) partial(l *lane, u *utterance, t messages.Transcript) {
	l.order.Lock()
	defer l.order.Unlock()
	if l.silenced(u) || len(t.Utterance.Words) == 0 {
		return
	}
	s.failOn(s.out.emit(s.life, messages.Key{Kind: messages.KindPartial, Subject: u.id}, t, noCheckpoint))
}

// final logs the final together with the lane's checkpoint and queues the steps of the add-ons, without waiting for them. An
// utterance without words has nothing to log.
func (s *Session) final(l *lane, u *utterance, t messages.Transcript) {
	if len(t.Utterance.Words) == 0 {
		return
	}
	t.Utterance.Speaker = l.speakers.label(u.heard())
	state := l.speakers.appendState(u.checkpoint())
	fresh, err := s.out.add(s.life, messages.Key{Kind: messages.KindFinal, Subject: u.id}, t, checkpoint{lane: l.channel, state: state})
	s.failOn(err)
	if fresh { // else restoring has seen to it
		s.startSteps(s.cfg.Addons.Following(u.id, t.Utterance))
	}
}

// next returns the utterance's next result, feeding it to an engine again where one has lost it.
func (s *Session) next(l *lane, u *utterance) (asr.Result, error) {
	for {
		if stream := u.current(); stream != nil {
			r, err := stream.Recv()
			if err == nil {
				if r.Final {
					s.engineAway.Store(false)
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
		if err := s.feedAgain(l, u); err != nil {
			return asr.Result{}, err
		}
	}
}

// permanent tells whether giving the same audio again would end the same way. An end of results without a final is
// a broken promise of the engine's, worth a second try.
func permanent(err error) bool {
	if panics.In(err) != nil {
		return true
	}
	return !errors.Is(err, io.EOF) && (errors.Is(err, asr.ErrLanguage) || errors.Is(err, asr.ErrTooLong))
}

// feedAgain gives the utterance to a fresh stream. The recognizer waits for an engine, up to the grace time since the
// utterance was first without one. Once an engine has stayed away that long, later utterances do not wait, so that the
// rest of the session does not take as long again for each of them.
func (s *Session) feedAgain(l *lane, u *utterance) error {
	if u.waitUntil.IsZero() {
		u.waitUntil = time.Now().Add(s.cfg.EngineGrace)
	}
	params := l.utteranceParams(u.number)
	params.Attempt = u.losses
	if !s.engineAway.Load() {
		params.Until = u.waitUntil
	}
	stream, cancel, err := openStream(s.life, s.cfg.Recognizer, params)
	if s.life.Err() != nil {
		return s.life.Err()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errGone, err)
	}
	u.refeed(stream, cancel)
	return nil
}

// giveUp records that the utterance's final is missing. Where that is a fault of the program it ends the session.
func (s *Session) giveUp(u *utterance, cause error) {
	if panics.In(cause) != nil {
		s.failOn(fmt.Errorf("utterance %s: %w", u.id, cause))
		return
	}
	s.engineAway.Store(true)
	s.fail(&Failure{
		Code:    503,
		Message: "no recognition engine was available; finals are missing",
		Err:     fmt.Errorf("utterance %s: %w", u.id, cause),
	})
	s.failOn(s.out.emit(s.life, messages.Key{Kind: messages.KindError, Subject: u.id}, messages.Failure{AddonError: messages.AddonError{
		StatusCode: 503,
		Exception:  "EngineUnavailable",
		Message:    "utterance " + u.id + " could not be transcribed: no recognition engine was available",
	}}, noCheckpoint))
}
