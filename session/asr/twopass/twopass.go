// Package twopass puts two recognizers together: one that follows speech while it is spoken gives the partials, one that
// decodes whole utterances gives the final.
//
// The final is the finals' side's alone. Whatever becomes of the partials' side, an utterance goes on without partials
// and its final is the same, as soon.
//
// # Goroutines and locks
//
// An utterance with partials has three goroutines: one receives from the finals' side, one opens and feeds the partials'
// side, one receives from it. They end with the utterance and [Recognizer.Close] waits for them. Audio for the partials'
// side goes through a queue, so that its Open and Write may block as they like; a side that has fallen [MaxLag] behind is
// given up for this utterance, since a gap would spoil what it hears and partials so late are of no use. Each utterance
// has a lock, the recognizer has one for its list of utterances; neither is held while a side is called.
package twopass

import (
	"context"
	"fmt"
	"sync"

	"steno/session/asr"
	"steno/session/panics"
)

// MaxLag is how much audio may wait for the partials' side, 320 kB for each utterance: 10 s, enough for an utterance given
// again all at once.
const MaxLag = 10 * asr.Rate

var errClosed = fmt.Errorf("two passes: closed: %w", asr.ErrUnavailable)

// Recognizer implements [asr.Recognizer] and [asr.Lister], and offers the capabilities of its two recognizers.
type Recognizer struct {
	asr.Delegate
	partials, finals asr.Recognizer
	drops            drops
	running          sync.WaitGroup

	mu     sync.Mutex // guards what follows
	open   map[*stream]struct{}
	closed bool
}

// New puts two recognizers together. They stay the caller's, to be closed after this one.
func New(partials, finals asr.Recognizer) *Recognizer {
	r := &Recognizer{partials: partials, finals: finals, open: map[*stream]struct{}{}}
	r.Delegate = r.delegate
	return r
}

// Open starts an utterance. Errors are those of the finals' side; a refusal of the other one, for the language too, means
// no partials. Where none are asked for, or of a recording, the utterance is the finals' side's own.
func (r *Recognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	if r.isClosed() {
		return nil, errClosed
	}
	whole := p
	whole.Partials = false
	if !p.Partials || p.Priority == asr.Replay {
		return r.finals.Open(ctx, whole)
	}
	ctx, cancel := context.WithCancel(ctx)
	finals, err := r.finals.Open(ctx, whole)
	if err != nil {
		cancel()
		return nil, err
	}
	following, abandon := context.WithCancel(ctx)
	u := &stream{
		r: r, finals: finals, cancel: cancel, abandon: abandon,
		changed: make(chan struct{}, 1), fed: make(chan struct{}, 1),
	}
	if !r.enter(u, func() { u.follow(following, p) }) {
		cancel()
		return nil, errClosed
	}
	return u, nil
}

func (r *Recognizer) isClosed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}

// enter starts the utterance's goroutines, unless the recognizer was closed.
func (r *Recognizer) enter(u *stream, follow func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.open[u] = struct{}{}
	r.running.Go(func() { u.await(); r.leave(u) })
	r.running.Go(func() {
		if err := panics.Try(follow); err != nil {
			u.finish(nil, err)
		}
	})
	return true
}

func (r *Recognizer) leave(u *stream) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, u)
}

// Close fails the open utterances with ErrUnavailable, those without partials excepted, and waits until none of its
// goroutines runs any more, so for as long as a side takes to notice. It may be called again.
func (r *Recognizer) Close() error {
	for _, u := range r.shut() {
		u.finish(nil, errClosed)
	}
	r.running.Wait()
	return nil
}

func (r *Recognizer) shut() []*stream {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	var open []*stream
	for u := range r.open {
		open = append(open, u)
	}
	return open
}
