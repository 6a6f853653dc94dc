package session

import (
	"context"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"steno/session/asr"
	"steno/session/asr/scripted"
)

// cuttableRecognizer is a recognizer whose streams support withdrawing samples: it holds them until
// the end.
type cuttableRecognizer struct {
	asr.Recognizer
	t    *testing.T
	cuts atomic.Int64
}

func (c *cuttableRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	u, err := c.Recognizer.Open(ctx, p)
	return &cuttableStream{Stream: u, of: c, sure: -1}, err
}

type cuttableStream struct {
	asr.Stream
	of      *cuttableRecognizer
	samples []int16
	sure    int
}

func (s *cuttableStream) Write(samples []int16) error {
	s.samples = append(s.samples, samples...)
	return nil
}

func (s *cuttableStream) Tentative(n int) error {
	again := len(s.samples) == 0 // the audio of another stream follows
	if s.sure >= 0 && n >= 0 && n < s.sure || n > len(s.samples) && !again {
		s.of.t.Errorf("sure of %d samples of %d, after %d", n, len(s.samples), s.sure)
	}
	s.sure = n
	return nil
}

func (s *cuttableStream) Cut(n int) error {
	if s.sure < 0 || n < s.sure || n >= len(s.samples) {
		s.of.t.Errorf("cut to %d of %d samples, %d of which were to stay", n, len(s.samples), s.sure)
	}
	s.of.cuts.Add(1)
	s.samples = s.samples[:n]
	return nil
}

func (s *cuttableStream) End() error {
	if err := s.Stream.Write(s.samples); err != nil {
		return err
	}
	return s.Stream.End()
}

// A forced cut yields the same transcript whether the stream withdraws samples or a new one is fed
// the rest. The stream learns in advance which samples are sure to stay.
func TestForcedCuts(t *testing.T) {
	sound := scene(1, 40, 9)
	const request = `{"pre_processing":{"speech_threshold":0}}`
	var results []*Outcome
	able := &cuttableRecognizer{Recognizer: scripted.New(scripted.Config{}), t: t}
	for _, r := range []asr.Recognizer{able, scripted.New(scripted.Config{})} {
		synctest.Test(t, func(t *testing.T) {
			var m Memory
			s := openWith(t, &m, request, asr.Live, r)
			for piece := range slices.Chunk(sound, 3200) {
				write(t, s, piece)
				synctest.Wait() // the streams have it before a cut
			}
			stopAndWait(t, s)
			results = append(results, m.Outcome())
		})
	}
	if n := able.cuts.Load(); n < 5 {
		t.Errorf("%d cuts in 40 s", n)
	}
	got, want := results[0].Result.Transcription, results[1].Result.Transcription
	if len(want.Utterances) < 8 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d utterances, want the %d of another stream", len(got.Utterances), len(want.Utterances))
	}
}
