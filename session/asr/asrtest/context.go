package asrtest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"steno/session/asr"
)

// testContext decodes utterances in the context of others. Whatever use a recognizer has for that:
// the words are the utterance's own, the final is a function of context and audio, and nothing of
// it is left to the next utterance.
func (s *suite) testContext(t *testing.T) {
	for i, samples := range s.audio[:min(len(s.audio), 2)] {
		before := (i + 1) % len(s.audio)
		p := asr.Params{Context: s.audio[before][max(0, len(s.audio[before])-asr.MaxContext):]}
		given := slices.Clone(p.Context)
		want := s.decode(t, samples, p)
		check(t, want, len(samples))
		if own, others := len(s.want[i].Words), len(s.want[before].Words); others > 2 && len(want.Words) >= own+others {
			t.Errorf("%d words after a context of %d, %d without: the context's are among them", len(want.Words),
				others, own)
		}
		for n, block := range []int{160, 7919} {
			p.Partials, p.Priority = n == 0, asr.Priority(n)
			same(t, fmt.Sprintf("context, cut into %d", block), s.decodeCut(t, samples, block, p), want)
		}
		s.cancelWithContext(t, p)
		if !slices.Equal(p.Context, given) {
			t.Error("the context was changed")
		}
	}
	same(t, "after a context", s.decode(t, s.audio[0], asr.Params{}), s.want[0])
	s.decode(t, nil, asr.Params{Context: s.audio[0]}) // is legal
}

// cancelWithContext abandons an utterance in the middle.
func (s *suite) cancelWithContext(t *testing.T, p asr.Params) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	write(t, s.open(t, ctx, p), s.audio[0][:len(s.audio[0])/2], 1600)
}

// testFollow passes the audio that follows each utterance. However a recognizer uses it, the words
// are the utterance's own, and the final is a function of both. A stream without use for it ignores
// it.
func (s *suite) testFollow(t *testing.T) {
	for i, samples := range s.audio[:min(len(s.audio), 2)] {
		after := s.audio[(i+1)%len(s.audio)]
		after = slices.Clone(after[:min(len(after), asr.MaxFollowing)])
		var want asr.Result
		for n, block := range []int{1600, 7919} {
			u := s.open(t, t.Context(), asr.Params{Partials: n == 1})
			write(t, u, samples, block)
			if n == 1 { // a final that was begun in a pause must not count
				if err := u.Pause(); err != nil {
					t.Errorf("pause: %v", err)
				}
			}
			given := slices.Clone(after)
			if err := asr.Follow(u, given); err != nil {
				t.Errorf("follow: %v", err)
			}
			clear(given) // the stream must not keep it
			end(t, u)
			_, final := receive(t, u)
			check(t, final, len(samples))
			if n == 0 {
				want = final
				continue
			}
			same(t, fmt.Sprintf("followed, cut into %d", block), final, want)
		}
	}
	same(t, "after a followed one", s.decode(t, s.audio[0], asr.Params{}), s.want[0])
}
