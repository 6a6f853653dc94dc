// Package twopass combines two recognizers: the partials come from one that decodes speech while it
// is spoken, the final from one that decodes whole utterances.
//
// The recognizer for partials has no influence on the final, on whether it comes or when. If it
// fails, the utterance continues without partials.
//
// # Goroutines and locks
//
// An utterance with partials has three goroutines: one receives the final, one opens and feeds the
// stream for partials, one receives from it. They end with the utterance, and [Recognizer.Close]
// waits for them. Audio for partials is queued, so that their stream may block. If more than
// [MaxLag] is queued the partials of this utterance end, since a gap would spoil them and late ones
// are of no use. Each utterance has a lock, and the recognizer has one for its set of utterances;
// neither is held while another recognizer is called.
package twopass

import (
	"context"
	"fmt"
	"sync"

	"steno/session/asr"
	"steno/session/panics"
)

// MaxLag is how much audio may be queued for partials, 320 kB for each utterance: 10 s, enough for
// a whole utterance that is fed again in one go.
const MaxLag = 10 * asr.Rate

var errClosed = fmt.Errorf("two passes: closed: %w", asr.ErrUnavailable)

// Recognizer implements [asr.Recognizer] and [asr.Lister], and offers the capabilities of its two
// recognizers.
type Recognizer struct {
	asr.Delegate
	partials, finals asr.Recognizer
	drops            drops
	running          sync.WaitGroup

	mu     sync.Mutex // guards what follows
	open   map[*stream]struct{}
	closed bool
}

// New combines two recognizers. The caller closes them after this one.
func New(partials, finals asr.Recognizer) *Recognizer {
	r := &Recognizer{partials: partials, finals: finals, open: map[*stream]struct{}{}}
	r.Delegate = r.delegate
	return r
}

// Open implements [asr.Recognizer]. Errors are those of the recognizer for finals; if the one for
// partials refuses, for whatever reason, there are no partials. Where none are wanted, and for
// recordings, the stream is that of the recognizer for finals.
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

// enter starts the utterance's goroutines, unless the recognizer has been closed.
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

// Close fails the open utterances with ErrUnavailable, except those without partials, and waits for
// all goroutines, which takes as long as the two recognizers need to notice. It may be called
// again.
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
