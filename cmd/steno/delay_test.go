package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"steno/audio"
	"steno/messages"
	"steno/session"
	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
)

// BenchmarkFinalDelay prints how long a final comes after the endpointer's decision, with 1, 3 and 6 people speaking
// at once in real time, and whether it grows over the run.
func BenchmarkFinalDelay(b *testing.B) {
	clips := corpus.Read(b, conversation)
	engine := benchEngine(b)
	fmt.Printf("\n%-24s %8s %10s %10s %14s %14s\n", "speakers", "finals", "median", "p95", "first third", "last third")
	for _, c := range []struct {
		speakers int
		last     time.Duration
	}{{1, 40 * time.Second}, {3, 40 * time.Second}, {6, 2 * time.Minute}} {
		delays := speak(b, engine, clips, c.speakers, c.last)
		all := sorted(delays, 0, c.last)
		first, last := sorted(delays, 0, c.last/3), sorted(delays, 2*c.last/3, c.last+time.Minute)
		fmt.Printf("%-24d %8d %10v %10v %14v %14v\n", c.speakers, len(all),
			quantile(all, 0.5), quantile(all, 0.95), quantile(first, 0.5), quantile(last, 0.5))
		b.ReportMetric(quantile(all, 0.5).Seconds()*1000, fmt.Sprintf("ms-median/%d-speakers", c.speakers))
	}
}

func conversation(e corpus.Entry) bool {
	return e.Channels == 1 && e.Rate == asr.Rate && (e.Source() == "ami-pyannote" || e.Source() == "azure" || e.Source() == "mfa")
}

// BenchmarkFinalDelayByEnd prints the same apart for natural ends, for speech cut by force, and for the ends of the
// sessions, which are all at the same time, in the middle of a word. Beside it stands the time that decoding the same
// utterances takes from their first sample to their last, one after the other, where nobody speaks.
func BenchmarkFinalDelayByEnd(b *testing.B) {
	clips := corpus.Read(b, corpus.ReadEnglish)
	engine := benchEngine(b)
	fmt.Printf("\n%-10s %-8s %8s %10s %10s %10s %10s %22s\n", "speakers", "end", "finals", "median", "p95",
		"alone", "p95", "p95 of delay/alone")
	for _, speakers := range []int{1, 6} {
		const last = 90 * time.Second
		timed := &timedRecognizer{Recognizer: engine, until: time.Now().Add(last - 50*time.Millisecond)}
		speak(b, timed, clips, speakers, last)
		for _, end := range []string{"natural", "forced", "session"} {
			var delays, alone []time.Duration
			var ratios []float64
			for _, u := range timed.over {
				if u.end != end {
					continue
				}
				took := decodeAll(b, engine, [][]int16{u.samples})
				delays, alone = append(delays, u.took.Round(time.Millisecond)), append(alone, took.Round(time.Millisecond))
				ratios = append(ratios, u.took.Seconds()/took.Seconds())
			}
			if len(delays) == 0 {
				continue
			}
			slices.Sort(delays)
			slices.Sort(alone)
			slices.Sort(ratios)
			fmt.Printf("%-10d %-8s %8d %10v %10v %10v %10v %22.2f\n", speakers, end, len(delays), quantile(delays, 0.5),
				quantile(delays, 0.95), quantile(alone, 0.5), quantile(alone, 0.95), ratios[len(ratios)*95/100])
			b.ReportMetric(quantile(delays, 0.5).Seconds()*1000, fmt.Sprintf("ms-median/%d-%s", speakers, end))
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

// delay is one final's: when, since the beginning, the end of its speech was decided, and how long it took from there.
type delay struct{ at, took time.Duration }

// speak plays clips in real time into so many sessions at once.
func speak(t testing.TB, engine asr.Recognizer, clips []corpus.Clip, speakers int, last time.Duration) []delay {
	t.Helper()
	var mu sync.Mutex
	var all []delay
	var wait sync.WaitGroup
	for i := range speakers {
		wait.Go(func() {
			var pcm []byte
			for j := i; len(pcm) < int(last.Seconds()*2*asr.Rate); j++ {
				pcm = audio.AppendPCM(pcm, clips[j%len(clips)].Samples)
			}
			delays := playPaced(t, engine, pcm[:int(last.Seconds())*2*asr.Rate])
			mu.Lock()
			defer mu.Unlock()
			all = append(all, delays...)
		})
	}
	wait.Wait()
	return all
}

// watch is a sink that notes when speech_end and final pass.
type watch struct {
	mu    sync.Mutex
	began time.Time
	ended map[string]time.Time
	found []delay
}

func (w *watch) Wants() messages.Filter {
	return messages.FilterOf(messages.KindSpeechEnd, messages.KindFinal)
}

func (w *watch) Send(e messages.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	id := e.Subject
	if e.Kind == messages.KindSpeechEnd {
		w.ended[id] = now
	} else if end, ok := w.ended[id]; ok {
		w.found = append(w.found, delay{end.Sub(w.began), now.Sub(end)})
	}
}

// playPaced is one speaker: 20 ms of audio every 20 ms, partials asked for.
func playPaced(t testing.TB, engine asr.Recognizer, pcm []byte) []delay {
	r, problem := messages.ParseLive([]byte(`{"endpointing":0.3,"messages_config":{"receive_partial_transcripts":true}}`))
	if problem != nil {
		t.Error(problem)
		return nil
	}
	w := &watch{began: time.Now(), ended: map[string]time.Time{}}
	ctx := context.Background()
	s, err := session.Open(ctx, session.Config{
		ID: "bench", Request: r, Recognizer: engine, Ledger: &session.Memory{}, Sinks: []session.Sink{w},
	})
	if err != nil {
		t.Error(err)
		return nil
	}
	const chunk = 640
	for i := 0; i < len(pcm); i += chunk {
		time.Sleep(time.Until(w.began.Add(time.Duration(i/chunk) * 20 * time.Millisecond)))
		if err := s.Write(ctx, pcm[i:min(i+chunk, len(pcm))]); err != nil {
			t.Error(err)
			break
		}
	}
	if err := s.Stop(ctx, false); err != nil {
		t.Error(err)
	}
	<-s.Done()
	return w.found
}

// sorted lists what was decided in a span of time, ascending.
func sorted(delays []delay, from, to time.Duration) []time.Duration {
	var list []time.Duration
	for _, d := range delays {
		if d.at >= from && d.at < to {
			list = append(list, d.took.Round(time.Millisecond))
		}
	}
	slices.Sort(list)
	return list
}

// quantile of an ascending list; 0 of an empty one.
func quantile(list []time.Duration, q float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	return list[int(q*float64(len(list)-1))]
}
