package sherpa

import (
	"context"
	"errors"
	"io"
	"sync"

	"steno/session/asr"
	"steno/session/asr/schedule"
	"steno/session/asr/whole"
)

var errEnded = errors.New("sherpa: utterance already ended")

// Reasons for which partials are left out, with those of the scheduler.
const (
	ShedReplaced = whole.ShedReplaced // by a newer one before it was received
	ShedBehind   = "behind"           // steps not run before the end, and run for the final
	ShedGivenUp  = "given_up"         // steps never run, of utterances wanted for partials only that lagged too far
)

// liveStream is an utterance in a streaming model. The model is fed exactly what each step takes,
// so the result does not depend on how the audio was cut. One step at a time waits or runs, and the
// slot that runs it owns the library's stream.
type liveStream struct {
	m        *model
	params   asr.Params
	hotwords string
	only     bool        // partials are all that is wanted
	forget   func() bool // stops watching the context

	mu      sync.Mutex // guards what follows
	news    *sync.Cond // for Recv
	samples []int16    // never change once written: a slice of them may be read without the lock
	ended   bool
	gone    bool // over: delivered, failed or abandoned
	err     error
	text    string      // of the newest partial
	partial *asr.Result // not yet received
	final   *asr.Result // not yet received

	work   *schedule.Work // the step that waits or runs
	taken  int            // steps
	stream libraryStream  // nil before the first step
}

// follow starts an utterance, unless there are too many.
func (m *model) follow(ctx context.Context, p asr.Params, only bool) (*liveStream, error) {
	u := &liveStream{m: m, params: p, hotwords: m.hotwords(p.Vocabulary), only: only}
	u.news = sync.NewCond(&u.mu)
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := m.enter(u); err != nil {
		return nil, err
	}
	u.forget = context.AfterFunc(ctx, func() {
		defer m.hooks.Done()
		u.fail(ctx.Err())
	})
	return u, nil
}

func (u *liveStream) replay() bool { return u.params.Priority == asr.Replay }

// late returns why the stream accepts nothing more, nil if it does. The caller holds the lock.
func (u *liveStream) late() error {
	if u.err == nil && u.ended {
		return errEnded
	}
	return u.err
}

// Write implements [asr.Stream].
func (u *liveStream) Write(samples []int16) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.late(); err != nil {
		return err
	}
	if len(u.samples)+len(samples) > asr.MaxSamples {
		u.leave(asr.ErrTooLong)
		return asr.ErrTooLong
	}
	u.samples = append(u.samples, samples...)
	if lag := u.outstanding(len(u.samples)); u.only && lag*u.m.pace.stride > maxLag {
		u.m.queue.Shed(ShedGivenUp, lag)
		u.leave(errBehind)
		return errBehind
	}
	u.want()
	return nil
}

// Pause implements [asr.Stream]. It does nothing: steps run as soon as their audio is there.
func (u *liveStream) Pause() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.late()
}

// End implements [asr.Stream].
func (u *liveStream) End() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.late(); err != nil {
		return err
	}
	u.ended = true
	if len(u.samples) == 0 {
		u.decide(hypothesis{})
		return nil
	}
	u.m.queue.Shed(ShedBehind, u.outstanding(len(u.samples)))
	if u.work != nil && u.m.queue.Drop(u.work) {
		u.work = nil // the final's class is more urgent
	}
	u.want()
	return nil
}

// Recv implements [asr.Stream].
func (u *liveStream) Recv() (asr.Result, error) {
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
func (u *liveStream) fail(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.leave(err)
}

// leave releases everything that the stream holds; err is nil if the final was received. The caller
// holds the lock.
func (u *liveStream) leave(err error) {
	if u.gone {
		return
	}
	u.gone, u.err = true, err
	u.discard()
	u.samples, u.partial, u.final = nil, nil, nil
	if u.forget() {
		u.m.hooks.Done()
	}
	u.m.leave(u)
	u.news.Broadcast()
}

// offer replaces the partial that was not received yet, unless the text is the same. The caller
// holds the lock.
func (u *liveStream) offer(h hypothesis) {
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
func (u *liveStream) decide(h hypothesis) {
	if u.partial != nil {
		u.m.queue.Shed(ShedReplaced, 1)
		u.partial = nil
	}
	u.final = u.result(h)
	u.final.Final = true
	u.samples = nil
	u.news.Signal()
}

func (u *liveStream) result(h hypothesis) *asr.Result {
	out, timed := words(h, len(u.samples))
	return &asr.Result{Words: out, Timed: timed, Language: u.m.language(u.params, h.language), Engine: u.m.engine}
}
