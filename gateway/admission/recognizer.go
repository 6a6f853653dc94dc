package admission

import (
	"context"
	"time"

	"steno/gateway/metrics"
	"steno/session/asr"
)

// passEvery is how often an utterance of a recording is let through while recordings pause, so that
// they do not wait for ever.
const passEvery = 10 * time.Second

// recognizer is a recognizer that delays or leaves out other work in favour of finals of live
// speech.
type recognizer struct {
	asr.Recognizer
	controller *Controller
	engine     string
}

// Recognizer returns a recognizer that uses r, with less work while the engine has no headroom:
// utterances of recordings wait, and some of live speech have no partials.
func (c *Controller) Recognizer(r asr.Recognizer, engine string) asr.Recognizer {
	if !c.config.Headroom {
		return r
	}
	return recognizer{r, c, engine}
}

// Open implements [asr.Recognizer]. For a recording it may wait.
func (r recognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if p.Priority == asr.Replay {
		if err := r.controller.awaitReplay(ctx, r.engine); err != nil {
			return nil, err
		}
	} else if p.Partials && !r.controller.givesPartials(r.engine, p.Party) {
		p.Partials = false
	}
	return r.Recognizer.Open(ctx, p)
}

// TakesContext implements [asr.Contextual].
func (r recognizer) TakesContext(languages []string) bool {
	return asr.TakesContext(r.Recognizer, languages)
}

// givesPartials reports whether the next utterance of an account on an engine has partials.
func (c *Controller) givesPartials(engine, account string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.engines[engine]
	if e == nil || e.share >= 1 || e.partials(account, c.accounts(time.Now(), engine)) {
		return true
	}
	c.metrics.Degrade(metrics.DegradedPartials)
	return false
}

// awaitReplay waits while recordings pause, or until it is the turn of one more utterance. Errors:
// ctx's.
func (c *Controller) awaitReplay(ctx context.Context, engine string) error {
	counted := false
	for {
		resumed, turn := c.replayTurn(engine)
		if resumed == nil {
			return ctx.Err()
		}
		if !counted {
			c.metrics.Degrade(metrics.DegradedReplay)
			counted = true
		}
		timer := time.NewTimer(turn)
		select {
		case <-resumed:
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
		timer.Stop()
	}
}

// replayTurn returns nil if an utterance of a recording may begin, else what is closed when
// recordings continue, and when it may be the turn of one more before that.
func (c *Controller) replayTurn(engine string) (resumed <-chan struct{}, turn time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.engines[engine]
	if e == nil || e.resumed == nil {
		return nil, 0
	}
	now := time.Now()
	if turn = e.passed.Add(passEvery).Sub(now); turn <= 0 {
		e.passed = now
		return nil, 0
	}
	return e.resumed, turn
}

// ReplayPaused reports whether recordings pause on any engine.
func (c *Controller) ReplayPaused() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.engines {
		if e.resumed != nil {
			return true
		}
	}
	return false
}
