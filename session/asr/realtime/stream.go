package realtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"steno/session/asr"
	"steno/session/asr/remote"
)

var errEnded = errors.New("utterance has already ended")

// stream implements [asr.Stream] and [asr.Cutter].
type stream struct {
	ctx        context.Context // given to Open
	recognizer *Recognizer
	params     asr.Params
	language   string // to ask for; empty: the server detects it
	known      *remote.Utterance
	changed    chan struct{} // holds a token when Recv has something to look at
	more       chan struct{} // holds a token when the utterance's goroutine has

	mu        sync.Mutex
	samples   []int16
	tentative int // samples from here on may be taken back; -1: none
	sent      int // samples that a server has got, on any connection
	ended     bool
	working   bool
	cancel    context.CancelCauseFunc // of the utterance's goroutine; nil before it began
	budget    *time.Timer             // nil before the end
	text      string                  // the newest partial
	fresh     bool                    // it was not received yet
	unshown   bool                    // there are no more partials
	shown     int                     // words of the longest partial received
	result    *asr.Result             // the final
	err       error                   // why no final will come

	done error // what Recv returns from now on; Recv's goroutine only
}

func newStream(ctx context.Context, r *Recognizer, p asr.Params, language string) *stream {
	s := &stream{
		ctx: ctx, recognizer: r, params: p, language: language, tentative: -1,
		changed: make(chan struct{}, 1), more: make(chan struct{}, 1),
	}
	s.known = &remote.Utterance{Context: ctx, Params: p, Ended: s.hasEnded}
	return s
}

func (s *stream) hasEnded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// Write implements [asr.Stream].
func (s *stream) Write(samples []int16) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writable(len(samples)); err != nil || len(samples) == 0 {
		return err
	}
	s.samples = append(s.samples, samples...)
	if len(s.samples) >= remote.MinSamples {
		s.start()
	}
	signal(s.more)
	return nil
}

// writable reports why samples cannot be written. The caller holds the lock.
func (s *stream) writable(n int) error {
	switch {
	case s.err != nil:
		return s.err
	case s.ctx.Err() != nil:
		return s.ctx.Err()
	case s.recognizer.server.Lifetime().Err() != nil:
		return remote.ErrClosed
	case s.ended:
		return errEnded
	case len(s.samples)+n > asr.MaxSamples:
		s.fail(asr.ErrTooLong)
		return s.err
	}
	return nil
}

// fail ends the utterance without a final. The caller holds the lock.
func (s *stream) fail(err error) {
	s.err = err
	if s.cancel != nil {
		s.cancel(err)
	}
	signal(s.changed)
}

// Pause implements [asr.Stream]. Nothing can be decoded ahead.
func (s *stream) Pause() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writable(0)
}

// End implements [asr.Stream].
func (s *stream) End() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writable(0); err != nil {
		return err
	}
	s.ended = true
	if !s.working {
		s.result = s.final("", nil)
		signal(s.changed)
		return nil
	}
	s.budget = time.AfterFunc(s.recognizer.server.Limits.BudgetOf(s.params.Priority), func() {
		s.cancel(remote.ErrBudget)
	})
	signal(s.more)
	return nil
}

// Tentative implements [asr.Cutter]: what may be taken back is not sent yet.
func (s *stream) Tentative(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writable(0); err != nil {
		return err
	}
	s.tentative = max(n, -1)
	signal(s.more)
	return nil
}

// Cut implements [asr.Cutter]. What a server has got it cannot take back.
func (s *stream) Cut(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.writable(0); err != nil {
		return err
	}
	if n < s.sent || n > len(s.samples) {
		return fmt.Errorf("cut utterance: %w", errors.ErrUnsupported)
	}
	s.samples, s.tentative = s.samples[:n], -1
	s.unshown, s.fresh = true, false
	signal(s.more)
	return nil
}

// signal puts a token into a channel that holds one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// final returns the final of words in the language that was asked for, or that the server has
// named.
func (s *stream) final(named string, words []asr.Word) *asr.Result {
	return &asr.Result{
		Final: true, Words: words, Timed: len(words) > 0, Engine: s.recognizer.config.Name,
		Language: s.recognizer.speaks.OfResult(s.params, named, s.language),
	}
}

// show makes a text the newest partial. It is called by the utterance's goroutine.
func (s *stream) show(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.params.Partials && !s.unshown {
		s.text, s.fresh = text, true
		signal(s.changed)
	}
}

// Recv implements [asr.Stream].
func (s *stream) Recv() (asr.Result, error) {
	for s.done == nil {
		result, err := s.state()
		switch {
		case err != nil:
			return s.finish(asr.Result{}, err)
		case result != nil:
			return s.finish(*result, nil)
		}
		if p := s.partial(); p != nil {
			return *p, nil
		}
		select {
		case <-s.changed:
		case <-s.ctx.Done():
		case <-s.recognizer.server.Lifetime().Done():
		}
	}
	return asr.Result{}, s.done
}

// state returns the final, or why there will be none.
func (s *stream) state() (*asr.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.result != nil || s.err != nil:
	case s.ctx.Err() != nil:
		s.err = s.ctx.Err()
	case s.recognizer.server.Lifetime().Err() != nil:
		s.err = remote.ErrClosed
	}
	return s.result, s.err
}

// partial returns the newest partial that was not received yet, nil if there is none. On another
// connection an utterance's text begins again: until it is as long as before none is returned.
func (s *stream) partial() *asr.Result {
	s.mu.Lock()
	text, fresh, samples := s.text, s.fresh, s.samples[:min(s.sent, len(s.samples))]
	s.fresh = false
	s.mu.Unlock()
	if !fresh {
		return nil
	}
	words, err := remote.Words(text, samples)
	if err != nil || len(words) == 0 || len(words) < s.shown {
		return nil
	}
	s.shown = len(words)
	r := s.final("", words)
	r.Final = false
	return r
}

// finish ends the utterance with its final or an error.
func (s *stream) finish(result asr.Result, err error) (asr.Result, error) {
	s.recognizer.server.Circuit.Leave(s.known)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel(io.EOF)
	}
	if s.ended {
		s.samples = nil
	}
	if s.done = err; err == nil {
		s.done = io.EOF
	}
	return result, err
}
