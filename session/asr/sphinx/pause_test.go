package sphinx

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
	"steno/session/asr/schedule"
)

// slow replaces the library: decodes take the given time, and a word has the number of samples.
type slow struct {
	whole, chunk time.Duration
	err          error // of wholes
}

func (s slow) Final() (finalDecoder, error) { return &slowSearch{slow: s}, nil }
func (s slow) Live() (liveDecoder, error)   { return s, nil }
func (s slow) Dictionary() *dictionary      { return nil }

func (s slow) Learn(lexicon) learner { return atOnce(s.Final) }
func (s slow) Begin() error          { return nil }
func (s slow) Free()                 {}

func (s slow) Feed([]int16) (string, error) {
	time.Sleep(s.chunk)
	return "", nil
}

// slowSearch decodes an utterance at its end.
type slowSearch struct {
	slow
	samples        int
	ended, decoded bool
}

func (s *slowSearch) Begin() error {
	*s = slowSearch{slow: s.slow}
	return nil
}

func (s *slowSearch) Add(samples []int16) error {
	s.samples += len(samples)
	return nil
}

func (s *slowSearch) End() error {
	s.ended = true
	return nil
}

func (s *slowSearch) Step() (bool, error) {
	if !s.ended || s.decoded {
		return false, nil
	}
	time.Sleep(s.whole)
	s.decoded = true
	return false, s.err
}

func (s *slowSearch) Path() ([]segment, error) {
	return []segment{{word: "word", end: s.samples / frame, posterior: 1}}, nil
}

const ms = time.Millisecond

// simulate tests a recognizer on slow decoders in a bubble of fake time.
func simulate(t *testing.T, c Config, s slow, test func(t *testing.T, r *Recognizer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		if err := c.fill(); err != nil {
			t.Fatal(err)
		}
		r, err := newRecognizer(t.Context(), c, s)
		if err != nil {
			t.Fatal(err)
		}
		test(t, r)
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
}

func opened(t *testing.T, r *Recognizer, p asr.Params) asr.Stream {
	t.Helper()
	u, err := r.Open(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func try(t testing.TB, calls ...error) {
	t.Helper()
	if err := errors.Join(calls...); err != nil {
		t.Fatal(err)
	}
}

// finalIn ends an utterance and expects the final of that many samples after the given time.
func finalIn(t *testing.T, u asr.Stream, samples int, want time.Duration) {
	t.Helper()
	try(t, u.End())
	began := time.Now()
	final, partials := outcome(t, u)
	if took := time.Since(began); took != want || partials > 0 {
		t.Errorf("final after %v and %d partials, want %v", took, partials, want)
	}
	if len(final.Words) != 1 || final.Words[0].End != samples {
		t.Errorf("final %+v, want one of %d samples", final, samples)
	}
}

// outcome receives to the end: the final and the number of partials before it.
func outcome(t testing.TB, u asr.Stream) (final asr.Result, partials int) {
	t.Helper()
	for {
		res, err := u.Recv()
		if err != nil {
			t.Error(err)
			return final, partials
		}
		if res.Final {
			if _, err := u.Recv(); !errors.Is(err, io.EOF) {
				t.Errorf("after the final: %v, want EOF", err)
			}
			if res.Queued < 0 {
				t.Errorf("queued for %v", res.Queued)
			}
			res.Queued = 0 // tests compare the contents of finals
			return res, partials
		}
		partials++
	}
}

// settled returns the figures once nothing is left to do at this instant: those of a piece of work
// count when it has returned, a moment after it has set the final.
func settled(r *Recognizer) Stats {
	synctest.Wait()
	return r.Stats()
}

func speculated(t *testing.T, r *Recognizer, want Speculations) {
	t.Helper()
	if got := settled(r).Speculations; got != want {
		t.Errorf("speculations %+v, want %+v", got, want)
	}
}

func TestAPauseBeginsTheFinal(t *testing.T) {
	for pause, wait := range map[time.Duration]time.Duration{0: 100 * ms, 60 * ms: 40 * ms, 100 * ms: 0, time.Hour: 0} {
		simulate(t, Config{Slots: 2, Decoders: 2}, slow{whole: 100 * ms}, func(t *testing.T, r *Recognizer) {
			u := opened(t, r, asr.Params{})
			try(t, u.Write(make([]int16, 1600)), u.Pause(), u.Write(nil), u.Pause())
			time.Sleep(pause)
			synctest.Wait()
			finalIn(t, u, 1600, wait)
			speculated(t, r, Speculations{Begun: 1, Used: 1})
			if n := settled(r).Finals.Count; n != 1 {
				t.Errorf("decoded %d times", n)
			}
		})
	}
}

func TestSpeechAfterAPauseThrowsItAway(t *testing.T) {
	for name, pause := range map[string]time.Duration{"running": 60 * ms, "done": time.Second} {
		simulate(t, Config{Slots: 3, Decoders: 3}, slow{whole: 100 * ms}, func(t *testing.T, r *Recognizer) {
			u := opened(t, r, asr.Params{})
			try(t, u.Write(make([]int16, 1600)), u.Pause())
			time.Sleep(pause)
			try(t, u.Write(make([]int16, 160)))
			t.Log(name)
			finalIn(t, u, 1760, 100*ms)
			speculated(t, r, Speculations{Begun: 1, Wasted: 1})
		})
	}
}

// Speculations have the slots while nothing else needs them. A block takes 15 ms, half a second 75.
func TestSpeculationsGiveWay(t *testing.T) {
	simulateSteady(t, Config{Slots: 2, Decoders: 10, FinalDecoders: 9}, func(t *testing.T, r *Recognizer) {
		pausing := make([]asr.Stream, 6)
		for i := range pausing {
			pausing[i] = opened(t, r, asr.Params{})
			try(t, pausing[i].Write(make([]int16, asr.Rate/2)), pausing[i].Pause())
			synctest.Wait() // the decoder for the next one is loaded
		}
		time.Sleep(20 * ms)
		u := opened(t, r, asr.Params{Partials: true})
		try(t, u.Write(make([]int16, asr.Rate/2)))
		time.Sleep(40 * ms)
		if n := settled(r).Chunks.Count; n < 5 {
			t.Errorf("%d partials in 40 ms", n)
		}
		finalWithin(t, u, asr.Rate/2, 90*ms)
		time.Sleep(300 * ms)
		for _, u := range pausing {
			finalWithin(t, u, asr.Rate/2, 0)
		}
		speculated(t, r, Speculations{Begun: 6, Used: 6})
	})
}

// Speculation releases its decoder to a final that has none.
func TestSpeculationsGiveTheirDecoders(t *testing.T) {
	simulateSteady(t, Config{Slots: 2, Decoders: 2, FinalDecoders: 1}, func(t *testing.T, r *Recognizer) {
		pausing, ended := opened(t, r, asr.Params{}), opened(t, r, asr.Params{})
		try(t, pausing.Write(make([]int16, asr.Rate)), pausing.Pause())
		time.Sleep(20 * ms)
		try(t, ended.Write(make([]int16, asr.Rate)))
		finalWithin(t, ended, asr.Rate, 160*ms)
		finalWithin(t, pausing, asr.Rate, 150*ms)
	})
}

// What speculation has decoded so far is a part of the final when the end comes, and is not decoded
// again.
func TestTheEndComesWhileTheFinalIsDecoded(t *testing.T) {
	simulateSteady(t, Config{Slots: 1, Decoders: 4}, func(t *testing.T, r *Recognizer) {
		a, b := opened(t, r, asr.Params{}), opened(t, r, asr.Params{})
		try(t, a.Write(make([]int16, asr.Rate)), a.Pause())
		synctest.Wait() // the decoder for b is loaded
		try(t, b.Write(make([]int16, asr.Rate)), b.Pause())
		time.Sleep(70 * ms) // four blocks of a, and a fifth begun
		try(t, b.End())
		finalWithin(t, a, asr.Rate, 230*ms)
		if final, _ := outcome(t, b); len(final.Words) != 1 {
			t.Errorf("final %+v", final)
		}
		if s := settled(r); s.Finals.Audio != 2*time.Second || s.Finals.Time != 300*ms {
			t.Errorf("%+v, want two seconds decoded once", s.Finals)
		}
	})
}

// A final that takes 1.5 s waits for those of 150 ms that are due before it, but not for ever.
func TestAShortFinalOvertakesALongOne(t *testing.T) {
	simulateSteady(t, Config{Slots: 1, Decoders: 10, FinalDecoders: 9}, func(t *testing.T, r *Recognizer) {
		long := opened(t, r, asr.Params{})
		try(t, long.Write(make([]int16, 10*asr.Rate)), long.End())
		began, done := time.Now(), make(chan time.Duration)
		go func() {
			_, _ = outcome(t, long)
			done <- time.Since(began)
		}()
		time.Sleep(20 * ms)
		for i := range 24 {
			short, most := opened(t, r, asr.Params{}), 170*ms
			if i > 11 {
				most = 2 * time.Second
			}
			try(t, short.Write(make([]int16, asr.Rate)))
			finalWithin(t, short, asr.Rate, most)
		}
		if took := <-done; took > 4*time.Second {
			t.Errorf("the long one took %v", took)
		}
	})
}

// No final is begun early for recordings, for empty utterances, or without an idle decoder.
func TestPausesPassedOver(t *testing.T) {
	simulate(t, Config{Slots: 2, Decoders: 2, FinalDecoders: 1}, slow{whole: 100 * ms},
		func(t *testing.T, r *Recognizer) {
			try(t, opened(t, r, asr.Params{}).Pause())
			recording := opened(t, r, asr.Params{Priority: asr.Replay})
			try(t, recording.Write(make([]int16, 1600)), recording.Pause())
			speculated(t, r, Speculations{})
			try(t, recording.End()) // takes the only decoder
			synctest.Wait()
			u := opened(t, r, asr.Params{})
			try(t, u.Write(make([]int16, 1600)), u.Pause())
			speculated(t, r, Speculations{})
			finalIn(t, u, 1600, 200*ms)
		})
}

func TestAbandonedSpeculations(t *testing.T) {
	simulate(t, Config{Slots: 2, Decoders: 2}, slow{whole: 100 * ms}, func(t *testing.T, r *Recognizer) {
		ctx, cancel := context.WithCancel(t.Context())
		u, err := r.Open(ctx, asr.Params{})
		if err != nil {
			t.Fatal(err)
		}
		try(t, u.Write(make([]int16, 1600)), u.Pause())
		synctest.Wait()
		cancel()
		if _, err := u.Recv(); !errors.Is(err, context.Canceled) {
			t.Errorf("recv: %v", err)
		}
		if err := u.Pause(); !errors.Is(err, context.Canceled) {
			t.Errorf("pause: %v", err)
		}
		speculated(t, r, Speculations{Begun: 1, Wasted: 1})
		u = opened(t, r, asr.Params{})
		try(t, u.End())
		if u.Pause() == nil {
			t.Error("paused after the end")
		}
	})
}

func TestAFailedSpeculationIsAFailedFinal(t *testing.T) {
	broken := errors.New("broken")
	simulate(t, Config{Slots: 2, Decoders: 2}, slow{err: broken}, func(t *testing.T, r *Recognizer) {
		u := opened(t, r, asr.Params{})
		try(t, u.Write(make([]int16, 1600)), u.Pause())
		synctest.Wait()
		try(t, u.End())
		if _, err := u.Recv(); !errors.Is(err, broken) {
			t.Errorf("recv: %v", err)
		}
	})
}

// Two recognizers on one scheduler share its slots: their finals come before each other's partials.
func TestSharedSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := schedule.New(1)
		defer s.Close()
		var all []*Recognizer
		for range 2 {
			c := Config{Scheduler: s, Decoders: 2}
			if err := c.fill(); err != nil {
				t.Fatal(err)
			}
			r, err := newRecognizer(t.Context(), c, slow{whole: 100 * ms, chunk: 10 * ms})
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
		growing, ended := opened(t, all[0], asr.Params{Partials: true}), opened(t, all[1], asr.Params{})
		try(t, growing.Write(make([]int16, 16000)), ended.Write(make([]int16, 1600)))
		synctest.Wait() // ten partials of 10 ms, the first of them begun
		finalIn(t, ended, 1600, 110*ms)
		for _, r := range all {
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		if n := all[0].Stats().Chunks.Count; n > 2 {
			t.Errorf("%d partials before the final of another model", n)
		}
	})
}
