package route

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"steno/session/asr"
	"steno/session/panics"
)

const (
	// head is how much of an utterance its language is identified from: 3 s, or all of a shorter one.
	head = 3 * asr.Rate
	// linger is how long an utterance whose language is being found keeps trying engines that are all away, before it
	// is lost. It is longer than any pause between questions to an engine, so that one that is back is found.
	linger = longestPause + time.Second
)

var (
	errEnded  = errors.New("utterance has already ended")
	errClosed = fmt.Errorf("%w: router is closed", asr.ErrUnavailable)
)

// held is an utterance that is kept back until its language is identified, and then given to an engine.
//
// What is identified is its head alone, so the cutting of the audio does not matter. From then on a task of the
// router's opens it on an engine and feeds what was kept; the writer goes on by itself when nothing is.
type held struct {
	plan      *plan
	params    asr.Params // without a language, Languages being the candidates
	likeliest string
	stoodIn   bool

	caller context.Context // given to Open
	life   context.Context // within caller; cancelled with the reason when the utterance failed here
	cancel context.CancelCauseFunc
	opened chan struct{} // closed when inner is there to receive from

	mu     sync.Mutex
	kept   []int16 // not yet fed
	total  int     // samples written
	ended  bool
	paused bool          // no samples since Pause
	begun  bool          // the head is complete
	inner  asr.Utterance // nil until opened
	direct bool          // all kept was fed: the writer's calls go to inner
}

func newHeld(ctx context.Context, p *plan, q asr.Params, likeliest string, stoodIn bool) *held {
	h := &held{
		plan: p, params: q, likeliest: likeliest, stoodIn: stoodIn,
		caller: ctx, opened: make(chan struct{}),
	}
	h.life, h.cancel = context.WithCancelCause(ctx)
	return h
}

func (h *held) Write(samples []int16) error {
	tooLong := false
	inner, err := h.note(func() { tooLong = !h.keep(samples) })
	switch {
	case inner != nil:
		return inner.Write(samples)
	case tooLong:
		return asr.ErrTooLong
	}
	return err
}

// keep tells whether there was room. The caller holds the lock.
func (h *held) keep(samples []int16) bool {
	if h.total+len(samples) > asr.MaxSamples {
		h.cancel(asr.ErrTooLong)
		return false
	}
	h.kept = append(h.kept, samples...)
	h.total += len(samples)
	h.paused = false
	if h.total >= head {
		h.begin()
	}
	return true
}

// admit tells why nothing may follow. The caller holds the lock.
func (h *held) admit() error {
	switch {
	case h.direct:
		return nil // inner knows
	case h.life.Err() != nil:
		return h.failure(nil)
	case h.ended:
		return errEnded
	}
	return nil
}

func (h *held) Pause() error {
	inner, err := h.note(func() { h.paused = true })
	if inner != nil {
		return inner.Pause()
	}
	return err
}

func (h *held) End() error {
	inner, err := h.note(func() {
		h.ended = true
		h.begin()
	})
	if inner != nil {
		return inner.End()
	}
	return err
}

// note notes what the writer says until it can be told to an engine, which it then returns.
func (h *held) note(said func()) (asr.Utterance, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.admit(); err != nil {
		return nil, err
	}
	if h.direct {
		return h.inner, nil
	}
	said()
	return nil, nil
}

// begin starts the search for language and engine, once. The caller holds the lock.
func (h *held) begin() {
	if h.begun {
		return
	}
	h.begun = true
	start := slices.Clone(h.kept[:min(len(h.kept), head)])
	run := func() {
		if err := panics.Try(func() { h.run(start) }); err != nil {
			h.cancel(err)
		}
	}
	if !h.plan.router.spawn(run) {
		h.cancel(errClosed)
	}
}

// run finds the language, then an engine, and feeds it.
func (h *held) run(start []int16) {
	leave := context.AfterFunc(h.plan.router.life, func() { h.cancel(errClosed) })
	err := h.identify(start)
	if err == nil {
		err = h.open()
	}
	leave()
	if err != nil {
		h.cancel(err)
		return
	}
	h.feed()
}

// identify decides the language. Where nothing was said there is nothing to tell it by.
func (h *held) identify(start []int16) error {
	if len(start) == 0 {
		h.params.Language = h.likeliest
		return nil
	}
	return h.insist(func() error {
		patience := h.plan.patient(h.params.Priority)
		language, stoodIn, err := h.plan.router.identify(h.life, start, h.params.Languages, patience)
		if language == "" {
			language = h.likeliest
		}
		h.params.Language, h.stoodIn = language, h.stoodIn || stoodIn
		return err
	})
}

func (h *held) open() error {
	var inner asr.Utterance
	err := h.insist(func() (err error) {
		inner, err = h.plan.open(h.life, h.params, h.stoodIn)
		return err
	})
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.inner = inner
	close(h.opened)
	return nil
}

// insist does what engines that are away fail at until it is done, for a while.
func (h *held) insist(do func() error) error {
	until := time.Now().Add(linger + h.plan.patient(h.params.Priority))
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, firstPause) {
		err := do()
		if !errors.Is(err, asr.ErrUnavailable) || time.Now().After(until) {
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-h.life.Done():
			timer.Stop()
			return h.life.Err()
		}
	}
}

// feed gives the engine all that was kept, while more is written, and leaves the rest to the writer. An engine that
// fails tells by Recv.
func (h *held) feed() {
	for {
		samples, paused, ended, more := h.take()
		if !more {
			return
		}
		var err error
		if len(samples) > 0 {
			err = h.inner.Write(samples)
		}
		switch {
		case err != nil:
		case ended:
			_ = h.inner.End()
			return
		case paused:
			err = h.inner.Pause()
		}
		if err != nil {
			h.handOver()
			return
		}
	}
}

func (h *held) handOver() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.direct = true
}

// take returns what was kept so far; if there is nothing more, the writer goes on by itself.
func (h *held) take() (samples []int16, paused, ended, more bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	samples, h.kept = h.kept, nil
	paused, h.paused = h.paused, false
	more = len(samples) > 0 || paused || h.ended
	h.direct = !more
	return samples, paused, h.ended, more
}

// Recv waits for an engine and then receives from it.
func (h *held) Recv() (asr.Result, error) {
	if err := h.wait(); err != nil {
		return asr.Result{}, err
	}
	result, err := h.inner.Recv()
	if err != nil {
		return asr.Result{}, h.failure(err)
	}
	return result, nil
}

func (h *held) wait() error {
	select {
	case <-h.opened:
		return nil
	default:
	}
	select {
	case <-h.opened:
		return nil
	case <-h.life.Done():
	case <-h.plan.router.life.Done():
		h.cancel(errClosed)
	}
	return h.failure(nil)
}

// failure returns what ended the utterance: the caller's context before a reason found here before the engine's.
func (h *held) failure(err error) error {
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case h.caller.Err() != nil:
		return h.caller.Err()
	case h.life.Err() != nil:
		return context.Cause(h.life)
	}
	return err
}
