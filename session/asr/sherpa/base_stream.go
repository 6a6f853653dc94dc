package sherpa

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"steno/session/asr"
)

var errEnded = errors.New("sherpa: utterance already ended")

// baseStream is what streams of both kinds have in common. Its lock guards all fields of the stream, those of the kind
// too, unless they say otherwise.
type baseStream struct {
	m      *model
	params asr.Params
	forget func() bool // stops watching the context
	drop   func()      // releases what the kind holds; called once, with the lock held

	mu      sync.Mutex
	news    *sync.Cond // for Recv
	samples []int16    // never change once written: a slice of them may be read without the lock
	ended   bool
	gone    bool // over: delivered, failed or abandoned
	err     error
	text    string      // of the newest partial
	partial *asr.Result // not yet received
	final   *asr.Result // not yet received
}

// enter starts an utterance of a model, unless there are too many.
func (u *baseStream) enter(ctx context.Context, m *model, p asr.Params, drop func()) error {
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

func (u *baseStream) replay() bool { return u.params.Priority == asr.Replay }

// Pause does nothing. Kinds that can use the hint override it.
func (u *baseStream) Pause() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.late()
}

// late returns why the stream accepts nothing more, nil if it does. The caller holds the lock.
func (u *baseStream) late() error {
	if u.err == nil && u.ended {
		return errEnded
	}
	return u.err
}

// append adds samples. The caller holds the lock.
func (u *baseStream) append(samples []int16) error {
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

func (u *baseStream) Recv() (asr.Result, error) {
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
func (u *baseStream) fail(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.leave(err)
}

// leave releases everything that the stream holds; err is nil if the final was received. The caller holds the lock.
func (u *baseStream) leave(err error) {
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

// offer replaces the partial that was not received yet, unless the text is the same. The caller holds the lock.
func (u *baseStream) offer(h hypothesis) {
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

// decide makes a hypothesis the final. The caller holds the lock.
func (u *baseStream) decide(h hypothesis) {
	if u.partial != nil {
		u.m.queue.Shed(ShedReplaced, 1)
		u.partial = nil
	}
	u.final = u.result(h)
	u.final.Final = true
	u.samples = nil
	u.news.Signal()
}

func (u *baseStream) result(h hypothesis) *asr.Result {
	out, timed := words(h, len(u.samples))
	language := u.params.Language
	if among := u.params.Languages; language == "" && (len(among) == 0 || slices.Contains(among, h.language)) {
		language = h.language
	}
	if language == "" {
		language = first(u.params.Languages, u.m.spec.Languages)
	}
	return &asr.Result{Words: out, Timed: timed, Language: language, Engine: u.m.engine}
}
