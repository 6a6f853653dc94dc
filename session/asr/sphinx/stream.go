package sphinx

import (
	"io"
	"math"
	"sync"
	"time"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// stream implements [asr.Stream]. The recognizer's lock guards all fields, but a slot reads the
// samples it was given without the lock: samples never change once written.
type stream struct {
	r      *Recognizer
	news   *sync.Cond  // for Recv
	forget func() bool // stops watching the context

	party    string
	replay   bool
	partials bool // wanted, and not dropped
	ended    bool
	endedAt  time.Time
	gone     bool // over: delivered, failed or abandoned
	err      error

	lexicon  lexicon // what the vocabulary adds
	samples  []int16
	after    int // of them, those that follow the utterance
	sure     int // samples that will not be taken back
	searches []*search
	guessed  bool // speculation has begun the final

	live    liveDecoder // in use for this utterance
	begun   bool        // live has begun this utterance
	decoded int         // samples that live has decoded
	chunk   schedule.Work
	queued  bool // chunk waits for a slot
	running bool // a slot is feeding live
	spoken  bool // a partial has been made

	text    string      // of the newest partial
	partial *asr.Result // not yet received
	final   *asr.Result // not yet received
}

func (s *stream) Write(samples []int16) error {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	if err := s.closed(); err != nil || len(samples) == 0 {
		return err
	}
	if len(s.samples)+len(samples) > asr.MaxSamples {
		s.fail(asr.ErrTooLong)
		return asr.ErrTooLong
	}
	s.r.discard(s)
	s.samples = append(s.samples, samples...)
	s.r.want(s)
	for _, search := range s.searches {
		search.advance()
	}
	return nil
}

// Tentative implements [asr.Cutter].
func (s *stream) Tentative(n int) error {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	if err := s.closed(); err != nil {
		return err
	}
	if s.sure = n; n < 0 {
		s.sure = math.MaxInt
	}
	for _, search := range s.searches {
		search.advance()
	}
	return nil
}

// Cut implements [asr.Cutter]. There are no more partials.
func (s *stream) Cut(n int) error {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	if err := s.closed(); err != nil {
		return err
	}
	s.r.discard(s)
	s.partials = false
	s.r.dropLive(s)
	if s.partial != nil {
		s.r.drop(DropReplaced)
		s.partial = nil
	}
	s.sure = math.MaxInt
	n = min(max(n, 0), len(s.samples))
	s.samples = s.samples[:n:n]
	for _, search := range s.searches {
		if search.fed > n {
			search.reset()
		}
	}
	return nil
}

// followed is how much of what follows an utterance it is decoded with, 0.5 s: the rest of the word
// that a forced cut went through.
const followed = asr.Rate / 2

// Follow implements [asr.Follower].
func (s *stream) Follow(samples []int16) error {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	if err := s.closed(); err != nil {
		return err
	}
	s.r.discard(s)
	s.after = min(len(samples), followed)
	s.samples = append(s.samples, samples[:s.after]...)
	return nil
}

// Pause has the final decoded while slots have nothing else to do, if a decoder is idle.
func (s *stream) Pause() error {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	if err := s.closed(); err != nil {
		return err
	}
	s.r.speculate(s)
	return nil
}

func (s *stream) End() error {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	if err := s.closed(); err != nil {
		return err
	}
	s.ended, s.endedAt = true, time.Now()
	if s.partials && !s.begun && s.live == nil && len(s.samples) >= s.r.every {
		s.r.drop(DropNoDecoder)
	}
	s.r.dropLive(s)
	if s.guessed {
		s.r.speculations.Used++
	}
	s.r.settle(s)
	return nil
}

func (s *stream) Recv() (asr.Result, error) {
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	for {
		switch {
		case s.err != nil:
			return asr.Result{}, s.err
		case s.gone:
			return asr.Result{}, io.EOF
		case s.final != nil:
			result := *s.final
			s.leave()
			return result, nil
		case s.partial != nil:
			result := *s.partial
			s.partial = nil
			return result, nil
		}
		s.news.Wait()
	}
}

// closed returns why the utterance accepts nothing more, nil if it does. The caller holds the lock,
// as for all methods below.
func (s *stream) closed() error {
	if s.err == nil && s.ended {
		return errEnded
	}
	return s.err
}

// fail ends an utterance that is not over yet with err.
func (s *stream) fail(err error) {
	if s.gone {
		return
	}
	s.err = err
	s.leave()
}

// leave releases everything that the utterance holds. A decode of it that is running has no effect.
func (s *stream) leave() {
	s.gone = true
	s.r.dropLive(s)
	if !s.ended {
		s.r.discard(s)
	}
	for _, search := range s.searches {
		search.abandon()
	}
	s.samples, s.partial, s.final = nil, nil, nil
	delete(s.r.open, s)
	if !s.replay {
		s.r.speaking--
		s.r.scheduler.Live(s.party, -1)
	}
	if s.forget() {
		s.r.background.Done()
	}
	s.news.Broadcast()
}

// offer replaces the partial that was not received yet. A text that is the same as before is no new
// partial.
func (s *stream) offer(text string) {
	if text == "" || text == s.text {
		return
	}
	s.text = text
	if s.partial != nil {
		s.r.drop(DropReplaced)
	}
	s.spoken = true
	s.partial = s.result(untimed(text))
	s.news.Signal()
}

// decide makes the path of the whole utterance its final.
func (s *stream) decide() {
	for _, search := range s.searches {
		if search.err != nil {
			s.fail(search.err)
			return
		}
	}
	if s.partial != nil {
		s.r.drop(DropReplaced)
		s.partial = nil
	}
	path := s.path()
	if s.after > 0 {
		path = before(path, len(s.samples)-s.after)
	}
	s.final = s.result(words(path, len(s.samples)-s.after))
	s.final.Final, s.final.Timed = true, true
	if len(s.final.Words) == 0 {
		s.final.Dropped = "silence" // the best path has nothing but silence and noises
	}
	s.final.Queued = max(0, s.finalBegan().Sub(s.endedAt))
	s.samples = nil
	s.news.Signal()
}

// finalBegan returns when the last of the searches started to decode the end. All of them have
// ended.
func (s *stream) finalBegan() (last time.Time) {
	for _, search := range s.searches {
		if search.finalBegan.After(last) {
			last = search.finalBegan
		}
	}
	return last
}

// path returns the path of the whole utterance, once all searches are done.
func (s *stream) path() []segment {
	if len(s.searches) == 1 {
		return s.searches[0].path
	}
	return merge(s.searches[0].path, s.searches[1].path)
}

func (s *stream) result(words []asr.Word) *asr.Result {
	return &asr.Result{Words: words, Language: s.r.config.Language, Engine: s.r.config.Name}
}
