package openai

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"steno/session/asr"
	"steno/session/asr/clean"
	"steno/session/asr/whole"
	"steno/session/panics"
)

// Reasons for which partials are left out; see [Recognizer.PartialsDropped].
const (
	PartialBusy   = "busy"   // no request could be made without waiting
	PartialLate   = "late"   // the utterance ended before the answer
	PartialFailed = "failed" // the server did not answer with a transcription
)

// preview is the making of an utterance's partials: its audio so far is transcribed as a whole, one
// request after the other, while a request can be made without waiting. The utterance's lock guards
// it.
type preview struct {
	cancel context.CancelFunc // of the request under way; nil: there is none
	heard  int                // samples of the newest request
	agreed whole.Agreement    // of the newest answers
	result *asr.Result        // not yet received
	over   bool               // there are no more partials
}

// wantPartial makes a request for a partial if one is due and a slot is free. The caller holds the
// lock.
func (s *stream) wantPartial() {
	r, p := s.recognizer, &s.preview
	switch {
	case !r.config.Partials || !s.params.Partials || s.params.Priority != asr.Live || p.over:
		return
	case p.cancel != nil || len(s.samples)-p.heard < int(r.config.PartialEvery.Seconds()*asr.Rate):
		return
	case !r.server.Slots.TryAcquire(s.params.Party, 1):
		r.partialsDropped.Add(clean.Drops{PartialBusy: 1})
		p.heard = len(s.samples) // the next one is due as much later
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, r.server.Limits.Timeout)
	p.cancel, p.heard = cancel, len(s.samples)
	samples := s.samples
	if !r.server.Begin(func() { s.makePartial(ctx, cancel, samples) }) {
		cancel()
		p.cancel = nil
		r.server.Slots.Release(s.params.Party, 1)
	}
}

// makePartial transcribes the samples and shows the result, unless it came too late. It releases
// the slot. A failure is none of the utterance's: its final will meet the same, or not.
func (s *stream) makePartial(ctx context.Context, cancel context.CancelFunc, samples []int16) {
	defer cancel()
	defer context.AfterFunc(s.recognizer.server.Lifetime(), cancel)()
	var result asr.Result
	err := panics.Catch(func() error {
		defer s.recognizer.server.Slots.Release(s.params.Party, 1)
		made, err := s.recognizer.transcript(ctx, s, samples, false)
		result = made.result
		return err
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.preview.cancel == nil || ctx.Err() != nil {
		s.recognizer.partialsDropped.Add(clean.Drops{PartialLate: 1})
		return
	}
	s.preview.cancel = nil
	if err != nil {
		s.recognizer.partialsDropped.Add(clean.Drops{PartialFailed: 1})
		return
	}
	if s.preview.show(result); s.preview.result != nil {
		s.wake()
	}
}

// show makes the newest partial of an answer: as much of it as the answer before agrees with.
func (p *preview) show(result asr.Result) {
	var shown []asr.Word
	if shown, p.agreed = p.agreed.Add(withoutEnd(result.Words)); len(shown) == 0 {
		return
	}
	result.Final, result.Words, result.Timed = false, slices.Clone(shown), true
	p.result = &result
}

// withoutEnd returns words without the mark that ends a sentence, which a model puts wherever the
// audio ends. The words that it is given stay as they are.
func withoutEnd(words []asr.Word) []asr.Word {
	if len(words) == 0 {
		return nil
	}
	last := words[len(words)-1]
	last.Text = strings.TrimRightFunc(last.Text, func(r rune) bool {
		return unicode.IsPunct(r) && r != '%' &&
			r != '\'' && r != '’'
	})
	words = words[: len(words)-1 : len(words)-1]
	if last.Text == "" {
		return words
	}
	return append(words, last)
}

// endPartials ends the making of partials. The caller holds the lock.
func (s *stream) endPartials() {
	if s.preview.cancel != nil {
		s.preview.cancel()
	}
	s.preview = preview{heard: len(s.samples), over: s.preview.over}
}

// takePartial returns the newest partial that was not received yet, nil if there is none.
func (s *stream) takePartial() *asr.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	result := s.preview.result
	s.preview.result = nil
	return result
}
