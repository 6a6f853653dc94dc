package sphinx

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/sphinx/pronounce"
)

// wordLearner replaces the library as slow does, and recognizes an added word, clearly, wherever it
// has one.
type wordLearner struct {
	slow
	loads error // of loading
}

func (l wordLearner) Dictionary() *dictionary {
	return &dictionary{Dictionary: pronounce.Parse([]byte("day D EY\n"))}
}

func (l wordLearner) Learn(x lexicon) learner {
	return atOnce(func() (finalDecoder, error) {
		time.Sleep(l.slow.whole / 2)
		return &listener{slowSearch{slow: l.slow}, x.words[0]}, l.loads
	})
}

// atOnce is a learner with a single step.
type atOnce func() (finalDecoder, error)

func (l atOnce) Step() (finalDecoder, error) { return l() }
func (l atOnce) Free()                       {}

type listener struct {
	slowSearch
	word addedWord
}

func (l *listener) Path() ([]segment, error) {
	path, err := l.slowSearch.Path()
	path[0].taught, path[0].clear, path[0].acoustic = &l.word, true, 1
	return path, err
}

var vocabulary1 = asr.Params{Vocabulary: []asr.Term{{Text: "Day", Intensity: .5}}}

// learned runs a recognizer of two slots that can learn.
func learned(t *testing.T, l wordLearner, test func(t *testing.T, r *Recognizer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := Config{Slots: 2, Decoders: 1, Vocabularies: 1}
		if err := c.fill(); err != nil {
			t.Fatal(err)
		}
		r, err := newRecognizer(t.Context(), c, l)
		if err != nil {
			t.Fatal(err)
		}
		test(t, r)
		for _, p := range r.workers {
			if p.pending != 0 {
				t.Errorf("%d parts pending at the end", p.pending)
			}
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
}

// An utterance with a vocabulary is decoded by both decoders at the same time; what a pause began
// is used.
func TestBothDecodersAtOnce(t *testing.T) {
	learned(t, wordLearner{slow: slow{whole: 100 * ms}}, func(t *testing.T, r *Recognizer) {
		for _, c := range []struct{ speaks, wait time.Duration }{
			{20 * ms, 130 * ms}, // the words are being learned
			{0, 100 * ms},
		} {
			u := opened(t, r, vocabulary1)
			time.Sleep(c.speaks)
			try(t, u.Write(make([]int16, 1600)))
			finalIn(t, u, 1600, c.wait)
		}
		u := opened(t, r, vocabulary1)
		try(t, u.Write(make([]int16, 1600)), u.Pause())
		time.Sleep(time.Second)
		try(t, u.Write(make([]int16, 1600)), u.Pause())
		time.Sleep(60 * ms)
		synctest.Wait()
		try(t, u.End())
		final, _ := outcome(t, u)
		if len(final.Words) != 1 || final.Words[0].Text != "Day" || final.Words[0].End != 3200 {
			t.Errorf("final %+v", final)
		}
		speculated(t, r, Speculations{Begun: 2, Used: 1, Wasted: 1})
		if n := settled(r).Vocabularies.Count; n != 1 {
			t.Errorf("%d vocabularies loaded", n)
		}
	})
}

// What fails in either decoder fails the utterance, once both are done with it.
func TestNeitherDecoderMayFail(t *testing.T) {
	broken := errors.New("broken")
	for name, l := range map[string]wordLearner{
		"taught": {slow{whole: 100 * ms}, broken}, "both": {slow{whole: 100 * ms, err: broken}, nil},
	} {
		learned(t, l, func(t *testing.T, r *Recognizer) {
			u := opened(t, r, vocabulary1)
			try(t, u.Write(make([]int16, 1600)), u.End())
			if _, err := u.Recv(); !errors.Is(err, broken) {
				t.Errorf("%s: %v", name, err)
			}
			synctest.Wait()
		})
	}
}

// An abandoned utterance leaves no work that waits or runs.
func TestGivenUpWithAVocabulary(t *testing.T) {
	learned(t, wordLearner{slow: slow{whole: 100 * ms}}, func(t *testing.T, r *Recognizer) {
		for range 3 {
			u := opened(t, r, vocabulary1)
			try(t, u.Write(make([]int16, 1600)), u.End())
			u = opened(t, r, vocabulary1)
			try(t, u.Write(make([]int16, 1600)), u.Pause(), u.Write(make([]int16, 1600)), u.End())
		}
		r.mu.Lock()
		for u := range r.open {
			u.fail(asr.ErrUnavailable)
		}
		r.mu.Unlock()
		time.Sleep(time.Second)
		synctest.Wait()
	})
}
