package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"steno/audio"
	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
)

// BenchmarkFinalDelayByEnd prints how long a final of PocketSphinx comes after the endpointer's
// decision, with one and with six people speaking in real time: apart for natural ends, for speech
// cut by force, and for the ends of the sessions, which are all at the same time, in the middle of
// a word. Beside it stands the time that decoding the same utterances takes from their first sample
// to their last, one after the other, where nobody speaks.
func BenchmarkFinalDelayByEnd(b *testing.B) {
	clips := corpus.Read(b, corpus.ReadEnglish)
	engine := startEngine(b, "sphinx")
	fmt.Printf("\n%-10s %-8s %8s %10s %10s %10s %10s %22s\n", "speakers", "end", "finals", "median, ms", "p95",
		"alone", "p95", "p95 of delay/alone")
	for _, speakers := range []int{1, 6} {
		const last = 90 * time.Second
		timed := &timedRecognizer{Recognizer: engine, until: time.Now().Add(last - 50*time.Millisecond)}
		speakOn(b, timed, clips, speakers, last)
		for _, end := range []string{"natural", "forced", "session"} {
			var delays, alone, ratios []float64
			for _, u := range timed.over {
				if u.end != end {
					continue
				}
				took := decodeAll(b, engine, [][]int16{u.samples})
				delays, alone = append(delays, ms(u.took)), append(alone, ms(took))
				ratios = append(ratios, u.took.Seconds()/took.Seconds())
			}
			if len(delays) == 0 {
				continue
			}
			fmt.Printf("%-10d %-8s %8d %10.0f %10.0f %10.0f %10.0f %22.2f\n", speakers, end, len(delays),
				at(delays, 0.5),
				at(delays, 0.95), at(alone, 0.5), at(alone, 0.95), at(ratios, 0.95))
			b.ReportMetric(at(delays, 0.5), fmt.Sprintf("ms-median/%d-%s", speakers, end))
		}
	}
}

// timedRecognizer notes how long finals take from the end of their utterances.
type timedRecognizer struct {
	asr.Recognizer
	until time.Time // shortly before the sessions end
	mu    sync.Mutex
	over  []*timedStream
}

func (r *timedRecognizer) Open(ctx context.Context, p asr.Params) (asr.Stream, error) {
	u, err := r.Recognizer.Open(ctx, p)
	return &timedStream{Stream: u, recognizer: r, end: "natural"}, err
}

// timedStream is one utterance.
type timedStream struct {
	asr.Stream
	recognizer *timedRecognizer
	samples    []int16
	end        string // natural, forced, or session

	mu    sync.Mutex
	ended time.Time
	took  time.Duration
}

func (s *timedStream) Write(samples []int16) error {
	s.samples = append(s.samples, samples...)
	return s.Stream.Write(samples)
}

func (s *timedStream) Tentative(n int) error { return asr.Tentative(s.Stream, n) }

func (s *timedStream) Cut(n int) error {
	s.end, s.samples = "forced", s.samples[:n]
	return asr.Cut(s.Stream, n)
}

func (s *timedStream) End() error {
	s.mu.Lock()
	if s.ended = time.Now(); s.ended.After(s.recognizer.until) {
		s.end = "session"
	}
	s.mu.Unlock()
	return s.Stream.End()
}

func (s *timedStream) Recv() (asr.Result, error) {
	result, err := s.Stream.Recv()
	if err != nil || !result.Final {
		return result, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.took = time.Since(s.ended)
	s.recognizer.mu.Lock()
	defer s.recognizer.mu.Unlock()
	s.recognizer.over = append(s.recognizer.over, s)
	return result, nil
}

// speakOn plays clips in real time, with partials, into so many sessions at the same time. The last
// clips are cut where the time is up.
func speakOn(b *testing.B, engine asr.Recognizer, clips []corpus.Clip, speakers int, last time.Duration) {
	b.Helper()
	var wait sync.WaitGroup
	for i := range speakers {
		var samples []int16
		for j := i; len(samples) < samplesIn(last); j++ {
			samples = slices.Concat(samples, clips[j%len(clips)].Samples)
		}
		wait.Go(func() { spoken(b, engine, audio.AppendPCM(nil, samples[:samplesIn(last)]), shortPauses) })
	}
	wait.Wait()
}
