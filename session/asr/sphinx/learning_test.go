package sphinx

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
)

// lessons replaces the library by one whose vocabularies take steps: one for each word. It counts
// them.
type lessons struct {
	wordLearner
	steps, running, most *atomic.Int64
}

func (l lessons) Learn(x lexicon) learner { return &counted{lessons: l, x: x} }

type counted struct {
	lessons
	x    lexicon
	done int
}

func (c *counted) Step() (finalDecoder, error) {
	c.most.Store(max(c.most.Load(), c.running.Add(1)))
	time.Sleep(10 * ms)
	c.running.Add(-1)
	c.steps.Add(1)
	if c.done++; c.done < len(c.x.words) {
		return nil, nil
	}
	return &listener{slowSearch{slow: c.slow}, c.x.words[0]}, nil
}

func (c *counted) Free() {}

// manyWords is a vocabulary of a thousand words that no other has.
func manyWords(name string) asr.Params {
	var p asr.Params
	for i := range 1000 {
		p.Vocabulary = append(p.Vocabulary, asr.Term{Text: fmt.Sprint(name, i), Intensity: .5})
	}
	return p
}

// TestVocabulariesAreLearnedAside has sessions with a thousand words each end an utterance while
// others speak: of the others each final waits for one step of one vocabulary at most, however many
// are to be learned, and of these one is learned at a time. All are in the end, and a short one is
// not learned after the long ones.
func TestVocabulariesAreLearnedAside(t *testing.T) {
	for _, slots := range []int{1, 2} {
		synctest.Test(t, func(t *testing.T) {
			l := lessons{wordLearner{slow: slow{whole: 20 * ms}}, new(atomic.Int64), new(atomic.Int64),
				new(atomic.Int64)}
			c := Config{Slots: slots, Decoders: 2, FinalDecoders: 2, Vocabularies: 4}
			try(t, c.fill())
			r, err := newRecognizer(t.Context(), c, l)
			try(t, err)
			var greedy []asr.Stream
			for i := range 3 {
				u := opened(t, r, manyWords(fmt.Sprint("word", i)))
				try(t, u.Write(make([]int16, 1600)), u.End())
				greedy = append(greedy, u)
			}
			for range 10 {
				time.Sleep(33 * ms)
				u := opened(t, r, asr.Params{})
				try(t, u.Write(make([]int16, 1600)))
				before := l.steps.Load()
				try(t, u.End())
				outcome(t, u)
				// With two slots another decodes while a step or two are done; with one it is the
				// step that was under way.
				if n := l.steps.Load() - before; n > int64(2*slots) {
					t.Errorf("%d slots: %d steps before the final of another session", slots, n)
				}
			}
			short := opened(t, r, vocabulary1)
			try(t, short.Write(make([]int16, 1600)), short.End())
			before := l.steps.Load()
			outcome(t, short)
			if n := l.steps.Load() - before; n > 20 {
				t.Errorf("%d slots: %d steps before the final with one word", slots, n)
			}
			for _, u := range greedy {
				if final, _ := outcome(t, u); len(final.Words) == 0 {
					t.Error("a final without words")
				}
			}
			if n := l.steps.Load(); n != 3001 || l.most.Load() != 1 {
				t.Errorf("%d slots: %d words were learned, %d at a time", slots, n, l.most.Load())
			}
			if s := settled(r).Vocabularies; s.Count != 4 || s.Time != 3001*10*ms {
				t.Errorf("%d slots: %+v", slots, s)
			}
			try(t, r.Close())
		})
	}
}

// TestLearnedOnce has a session speak while its vocabulary is learned: no second decoder learns it.
func TestLearnedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lessons{wordLearner{slow: slow{whole: 20 * ms}}, new(atomic.Int64), new(atomic.Int64), new(atomic.Int64)}
		c := Config{Slots: 2, Decoders: 2, FinalDecoders: 2, Vocabularies: 4}
		try(t, c.fill())
		r, err := newRecognizer(t.Context(), c, l)
		try(t, err)
		u := opened(t, r, manyWords("word"))
		for range 150 {
			time.Sleep(99 * ms)
			try(t, u.Write(make([]int16, 1600)))
		}
		try(t, u.End())
		outcome(t, u)
		if n := l.steps.Load(); n != 1000 {
			t.Errorf("%d words were learned", n)
		}
		try(t, r.Close())
	})
}

// TestLearningIsTakenUp has sessions with three vocabularies share one worker, speak, pause and end
// in turn: all get their finals, none of another's vocabulary.
func TestLearningIsTakenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lessons{wordLearner{slow: slow{whole: 20 * ms}}, new(atomic.Int64), new(atomic.Int64), new(atomic.Int64)}
		c := Config{Slots: 2, Decoders: 2, FinalDecoders: 2, Vocabularies: 1}
		try(t, c.fill())
		r, err := newRecognizer(t.Context(), c, l)
		try(t, err)
		for round := range 3 {
			var all []asr.Stream
			for i := range 3 {
				p := asr.Params{Vocabulary: []asr.Term{{Text: fmt.Sprint("Name", i), Intensity: .5},
					{Text: "Other", Intensity: .4}}}
				if i == round {
					p.Priority = asr.Replay
				}
				u := opened(t, r, p)
				try(t, u.Write(make([]int16, 1600)))
				all = append(all, u)
				time.Sleep(15 * ms)
			}
			if p, ok := all[(round+1)%3].(interface{ Pause() error }); ok {
				try(t, p.Pause())
			}
			for _, u := range all {
				try(t, u.End())
			}
			for i, u := range all {
				if final, _ := outcome(t, u); len(final.Words) != 1 || final.Words[0].Text != fmt.Sprint("Name", i) {
					t.Errorf("round %d: final of %d is %+v", round, i, final.Words)
				}
			}
		}
		for _, w := range r.workers {
			if w.pending != 0 || w.decoders[0].holder != nil || w.decoders[0].loading {
				t.Errorf("at the end %d are pending, the decoder is %+v", w.pending, w.decoders[0])
			}
		}
		try(t, r.Close())
	})
}
