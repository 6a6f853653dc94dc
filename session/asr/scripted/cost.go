package scripted

import (
	"context"
	"sync"
	"time"

	"steno/session/asr"
	"steno/session/retry"
)

// cost returns how long the final of that many samples takes.
func (r *Recognizer) cost(samples int) time.Duration {
	return r.config.Delay + time.Duration(r.config.Factor*float64(samples)/asr.Rate*float64(time.Second))
}

// decode waits as long as a final costs, less the time since a guess was begun.
func (r *Recognizer) decode(ctx context.Context, samples int, begun *guess) error {
	cost := r.cost(samples)
	switch {
	case cost <= 0:
		return ctx.Err()
	case begun != nil:
		defer begun.drop()
		return retry.Sleep(ctx, time.Until(begun.end))
	case r.slots == nil:
		return retry.Sleep(ctx, cost)
	}
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
		return retry.Sleep(ctx, cost)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// guess is a decode begun in a pause. It needs no goroutine: it holds a slot until it would be
// done, is dropped, or its utterance is abandoned, whichever is first.
type guess struct {
	end  time.Time
	drop func() // may be called again
}

// guess begins a decode if it costs anything and a slot is free, else it returns nil.
func (r *Recognizer) guess(ctx context.Context, samples int) *guess {
	cost := r.cost(samples)
	if cost <= 0 {
		return nil
	}
	release := func() {}
	if r.slots != nil {
		select {
		case r.slots <- struct{}{}:
			release = sync.OnceFunc(func() { <-r.slots })
		default:
			return nil
		}
	}
	timer, forget := time.AfterFunc(cost, release), context.AfterFunc(ctx, release)
	return &guess{end: time.Now().Add(cost), drop: func() {
		timer.Stop()
		forget()
		release()
	}}
}
