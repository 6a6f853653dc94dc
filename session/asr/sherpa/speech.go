package sherpa

import (
	"context"
	"errors"
	"io"
	"sync"

	"steno/session/asr"
)

var errEnded = errors.New("sherpa: utterance already ended")

// speech is what utterances of both kinds have in common. Its lock guards the fields of the whole utterance, those of
// the kind too, unless they say otherwise.
type speech struct {
	m      *model
	params asr.Params
	forget func() bool // stops watching the context
	drop   func()      // lets go of what the kind holds; called once, with the lock held

	mu      sync.Mutex
	news    *sync.Cond // for Recv
	samples []int16    // once written they never change: a slice of them may be read without the lock
	ended   bool
	gone    bool // over: delivered, failed or abandoned
	err     error
	text    string      // of the newest partial
	partial *asr.Result // not yet received
	final   *asr.Result // not yet received
}

// enter begins an utterance of a model, unless there are too many.
func (u *speech) enter(ctx context.Context, m *model, p asr.Params, drop func()) error {
	u.m, u.params, u.drop = m, p, drop
	u.news = sync.NewCond(&u.mu)
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := m.enter(u); err != nil {
		return err
	}
	u.forget = context.AfterFunc(ctx, func() {
		defer m.hooks.Done()
		u.fail(ctx.Err())
	})
	return nil
}

func (u *speech) replay() bool { return u.params.Priority == asr.Replay }

// Pause is passed over where the kind knows nothing better.
func (u *speech) Pause() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.late()
}

// late returns why nothing more may be said to the utterance. Call with the lock held.
func (u *speech) late() error {
	if u.err == nil && u.ended {
		return errEnded
	}
	return u.err
}

// append takes samples in. Call with the lock held.
func (u *speech) append(samples []int16) error {
	if err := u.late(); err != nil {
		return err
	}
	if len(u.samples)+len(samples) > asr.MaxSamples {
		u.leave(asr.ErrTooLong)
		return asr.ErrTooLong
	}
	u.samples = append(u.samples, samples...)
	return nil
}

func (u *speech) Recv() (asr.Result, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for {
		switch {
		case u.err != nil:
			return asr.Result{}, u.err
		case u.gone:
			return asr.Result{}, io.EOF
		case u.final != nil:
			result := *u.final
			u.leave(nil)
			return result, nil
		case u.partial != nil:
			result := *u.partial
			u.partial = nil
			return result, nil
		}
		u.news.Wait()
	}
}

// fail ends an utterance that is not over yet.
func (u *speech) fail(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.leave(err)
}

// leave lets go of everything the utterance holds; with err nil since it was delivered. Call with the lock held.
func (u *speech) leave(err error) {
	if u.gone {
		return
	}
	u.gone, u.err = true, err
	u.drop()
	u.samples, u.partial, u.final = nil, nil, nil
	if u.forget() {
		u.m.hooks.Done()
	}
	u.m.leave(u)
	u.news.Broadcast()
}

// offer replaces the partial not yet received. A text already told is no news. Call with the lock held.
func (u *speech) offer(h heard) {
	if !u.params.Partials || h.text == u.text {
		return
	}
	if u.partial != nil {
		u.m.queue.Shed(ShedReplaced, 1)
	}
	u.text = h.text
	u.partial = u.result(h)
	u.news.Signal()
}

// decide makes what was heard the final. Call with the lock held.
func (u *speech) decide(h heard) {
	if u.partial != nil {
		u.m.queue.Shed(ShedReplaced, 1)
		u.partial = nil
	}
	u.final = u.result(h)
	u.final.Final = true
	u.samples = nil
	u.news.Signal()
}

func (u *speech) result(h heard) *asr.Result {
	out, timed := words(h, len(u.samples))
	language := h.language
	if language == "" {
		language = u.params.Language
	}
	if language == "" {
		language = first(u.params.Languages, u.m.spec.Languages)
	}
	return &asr.Result{Words: out, Timed: timed, Language: language, Engine: u.m.engine}
}
