package sphinx

import (
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
)

// constantTime replaces the library as slow does; a block takes the given time, whenever it is
// decoded.
type constantTime struct{ slow }

func (s constantTime) Final() (finalDecoder, error) { return &constantSearch{each: s.whole}, nil }
func (s constantTime) Live() (liveDecoder, error)   { return wordEveryChunk(s), nil }
func (s constantTime) Dictionary() *dictionary      { return wordLearner{}.Dictionary() }

func (s constantTime) Learn(lexicon) learner {
	return atOnce(func() (finalDecoder, error) {
		time.Sleep(200 * ms)
		return s.Final()
	})
}

// wordEveryChunk has heard a word in every chunk.
type wordEveryChunk struct{ slow }

func (h wordEveryChunk) Feed(chunk []int16) (string, error) {
	_, err := h.slow.Feed(chunk)
	return "word", err
}

// constantSearch decodes at a distance from the speech. Its one word has the length of the
// utterance.
type constantSearch struct {
	each          time.Duration
	samples, next int
	ended         bool
}

func (s *constantSearch) Begin() error {
	*s = constantSearch{each: s.each}
	return nil
}

func (s *constantSearch) Add(samples []int16) error {
	s.samples += len(samples)
	return nil
}

func (s *constantSearch) End() error {
	s.ended = true
	return nil
}

func (s *constantSearch) Step() (bool, error) {
	n := max(s.samples-minSamples, 0)/frame + 1
	if s.next >= n || !s.ended && (n <= hold || n < s.next+block) {
		return false, nil
	}
	time.Sleep(s.each)
	s.next = min(s.next+block, n)
	return s.next < n && (s.ended || n >= s.next+block), nil
}

func (s *constantSearch) Path() ([]segment, error) {
	return []segment{{word: "word", end: s.samples / frame, posterior: 1}}, nil
}

func (s *constantSearch) Free() {}

const tenth = asr.Rate / 10

// talk writes so much speech in real time.
func talk(t *testing.T, u asr.Stream, seconds float64) {
	t.Helper()
	for range int(10 * seconds) {
		try(t, u.Write(make([]int16, tenth)))
		time.Sleep(100 * ms)
	}
	synctest.Wait()
}

// A block takes 15 ms: five seconds take 750.
func simulateSteady(t *testing.T, c Config, test func(t *testing.T, r *Recognizer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if err := c.fill(); err != nil {
			t.Fatal(err)
		}
		r, err := newRecognizer(t.Context(), c, constantTime{slow{whole: 15 * ms, chunk: 5 * ms}})
		if err != nil {
			t.Fatal(err)
		}
		test(t, r)
		synctest.Wait()
		for _, w := range r.workers {
			if w.pending > 0 || w.idle() == nil {
				t.Errorf("a worker's decoder is held, %d are pending", w.pending)
			}
		}
		if s := r.Stats(); s.Open == 0 && (s.FinalIdle != c.FinalDecoders || s.LiveFinals+s.ReplayFinals > 0) {
			t.Errorf("at the end: %+v", s)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Once the speech is longer than the hold, little is left for the end; before that all is.
func TestDecodedWhileTheSpeakerTalks(t *testing.T) {
	for seconds, most := range map[float64]time.Duration{1: 150 * ms, 2: 300 * ms, 3: 30 * ms, 5: 30 * ms} {
		simulateSteady(t, Config{Slots: 2, Decoders: 2}, func(t *testing.T, r *Recognizer) {
			u := opened(t, r, asr.Params{})
			talk(t, u, seconds)
			finalWithin(t, u, int(seconds*asr.Rate), most)
		})
	}
}

func finalWithin(t *testing.T, u asr.Stream, samples int, most time.Duration) {
	t.Helper()
	try(t, u.End())
	began := time.Now()
	final, _ := outcome(t, u)
	if took := time.Since(began); took > most {
		t.Errorf("final after %v, want %v", took, most)
	}
	if len(final.Words) != 1 || final.Words[0].End != samples/frame*frame {
		t.Errorf("final %+v, want one of %d samples", final, samples)
	}
}

// Samples that may be taken back are not decoded, so that a cut costs nothing; where more was
// decoded than the cut leaves, or nothing was said of it, the utterance is decoded again.
func TestCuts(t *testing.T) {
	const sure, all = 4 * asr.Rate, 5 * asr.Rate
	for name, c := range map[string]struct {
		tentative int
		most      time.Duration
	}{"told": {sure, 30 * ms}, "later": {sure + asr.Rate/2, 620 * ms}, "never": {-1, 620 * ms}} {
		simulateSteady(t, Config{Slots: 2, Decoders: 4, FinalDecoders: 2}, func(t *testing.T, r *Recognizer) {
			t.Log(name)
			u := opened(t, r, asr.Params{Partials: true})
			talk(t, u, sure/asr.Rate-.5)
			try(t, asr.Tentative(u, c.tentative))
			talk(t, u, (all-sure)/asr.Rate+.5)
			try(t, asr.Cut(u, sure))
			finalWithin(t, u, sure, c.most)
		})
	}
}

// A partial that is made while the utterance is cut is dropped: it has speech that was taken back.
func TestNoPartialOfWhatWasCut(t *testing.T) {
	simulateSteady(t, Config{Slots: 2, Decoders: 2, FinalDecoders: 1}, func(t *testing.T, r *Recognizer) {
		u := opened(t, r, asr.Params{Partials: true})
		try(t, u.Write(make([]int16, tenth)))
		time.Sleep(ms)
		try(t, asr.Cut(u, tenth/2))
		time.Sleep(10 * ms)
		if s := settled(r); s.LiveIdle != 1 {
			t.Errorf("%d decoders for partials are free, want 1", s.LiveIdle)
		}
		try(t, u.End())
		if _, partials := outcome(t, u); partials > 0 {
			t.Error("there is a partial after the cut")
		}
	})
}

// An utterance in progress has to leave its decoder to a finished one, and loses nothing but time.
func TestFinalsComeFirst(t *testing.T) {
	simulateSteady(t, Config{Slots: 2, Decoders: 1}, func(t *testing.T, r *Recognizer) {
		talking := opened(t, r, asr.Params{})
		talk(t, talking, 3)
		short := opened(t, r, asr.Params{})
		talk(t, short, 1)
		finalWithin(t, short, asr.Rate, 170*ms)
		try(t, talking.Write(make([]int16, tenth)))
		time.Sleep(time.Second)
		finalWithin(t, talking, 3*asr.Rate+tenth, 30*ms)
	})
}

// loadsSlowly takes 400 ms for a decoder.
type loadsSlowly struct{ constantTime }

func (l loadsSlowly) Final() (finalDecoder, error) {
	time.Sleep(400 * ms)
	return l.constantTime.Final()
}

// Decoders that more speakers need are loaded beside the slot, which decodes on meanwhile.
func TestDecodersAreLoadedBesideTheSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := Config{Slots: 1, Decoders: 4, FinalDecoders: 4}
		try(t, c.fill())
		r, err := newRecognizer(t.Context(), c, loadsSlowly{constantTime{slow{whole: 15 * ms, chunk: 5 * ms}}})
		try(t, err)
		var all []asr.Stream
		for range 3 {
			all = append(all, opened(t, r, asr.Params{}))
		}
		for range 50 {
			for _, u := range all {
				try(t, u.Write(make([]int16, tenth)))
			}
			time.Sleep(100 * ms)
		}
		for _, u := range all {
			finalWithin(t, u, 5*asr.Rate, 60*ms)
		}
		if s := settled(r); s.Lagged.Longest > 20*ms || s.Lagged.Count < 3*45 {
			t.Errorf("%+v", s)
		}
		try(t, r.Close())
	})
}

// Where slots are short partials are dropped, and finals are not late: the second pass of five
// speakers takes three quarters of a slot, and their partials the fourth, so that what begins with
// two seconds of each can be made up for in their place alone.
func TestPartialsGiveWayToTheSecondPass(t *testing.T) {
	simulateSteady(t, Config{Slots: 1, Decoders: 10}, func(t *testing.T, r *Recognizer) {
		var all []asr.Stream
		for range 5 {
			all = append(all, opened(t, r, asr.Params{Partials: true}))
		}
		for range 90 {
			for _, u := range all {
				try(t, u.Write(make([]int16, tenth)))
				time.Sleep(100 * ms / 5)
			}
		}
		if late := settled(r).Dropped[DropLate]; late == 0 {
			t.Error("no partials are given up")
		}
		for _, u := range all {
			finalWithin(t, u, 9*asr.Rate, 100*ms)
		}
	})
}

// With a vocabulary both decodes run while the speaker talks, of several speakers too.
func TestVocabulariesWhileTheSpeakersTalk(t *testing.T) {
	simulateSteady(t, Config{Slots: 2, Decoders: 4, Vocabularies: 2}, func(t *testing.T, r *Recognizer) {
		a, b := opened(t, r, vocabulary1), opened(t, r, vocabulary1)
		for range 40 {
			talk(t, a, .1)
			try(t, b.Write(make([]int16, tenth)))
		}
		time.Sleep(100 * ms)
		finalWithin(t, a, 4*asr.Rate, 30*ms)
		finalWithin(t, b, 4*asr.Rate, 30*ms)
		if n := settled(r).Vocabularies.Count; n != 2 {
			t.Errorf("%d vocabularies loaded", n)
		}
	})
}

// Recordings wait for a decoder that nothing else needs; live speech does not wait for one of
// theirs.
func TestRecordingsTakeWhatIsLeft(t *testing.T) {
	simulateSteady(t, Config{Slots: 2, Decoders: 2}, func(t *testing.T, r *Recognizer) {
		talking := opened(t, r, asr.Params{})
		talk(t, talking, 3)
		var recordings []asr.Stream
		for range 3 {
			u := opened(t, r, asr.Params{Priority: asr.Replay})
			try(t, u.Write(make([]int16, 10*asr.Rate)), u.End())
			recordings = append(recordings, u)
		}
		synctest.Wait()
		talk(t, talking, 1)
		finalWithin(t, talking, 4*asr.Rate, 30*ms)
		for _, u := range recordings {
			if final, _ := outcome(t, u); len(final.Words) != 1 {
				t.Errorf("recording: %+v", final)
			}
		}
	})
}

// Whatever the order of calls, every utterance gets the final of its samples, and every decoder is
// free afterwards.
func TestAnyOrderOfCalls(t *testing.T) {
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 1))
		c := Config{
			Slots: 1 + random.IntN(3), Decoders: 4, FinalDecoders: 1 + random.IntN(3), Vocabularies: 1 + random.IntN(3),
		}
		simulateSteady(t, c, func(t *testing.T, r *Recognizer) {
			type speaker struct {
				asr.Stream
				n int
			}
			var open []*speaker
			for range 200 {
				time.Sleep(time.Duration(random.IntN(60)) * ms)
				if len(open) == 0 || len(open) < 6 && random.IntN(8) == 0 {
					p := asr.Params{Partials: random.IntN(2) == 0, Priority: asr.Priority(random.IntN(5) / 4)}
					if random.IntN(3) == 0 {
						p.Vocabulary = []asr.Term{{Text: "Day", Intensity: float64(1+random.IntN(4)) / 10}}
					}
					open = append(open, &speaker{Stream: opened(t, r, p)})
				}
				i := random.IntN(len(open))
				u := open[i]
				switch random.IntN(12) {
				case 0:
					try(t, u.Pause())
				case 1:
					try(t, asr.Tentative(u.Stream, random.IntN(u.n+1)))
				case 2:
					if u.n > 0 && random.IntN(2) == 0 {
						u.n = random.IntN(u.n)/frame*frame + frame
						try(t, asr.Cut(u.Stream, u.n))
					}
					finalWithin(t, u, u.n, time.Hour)
					open = append(open[:i], open[i+1:]...)
				default:
					n := min(random.IntN(30)*10*frame, 30*asr.Rate-u.n)
					u.n += n
					try(t, u.Write(make([]int16, n)))
				}
			}
			for _, u := range open {
				finalWithin(t, u, u.n, time.Hour)
			}
			synctest.Wait()
		})
	}
}
