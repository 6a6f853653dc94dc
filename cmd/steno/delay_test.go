package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"steno/messages"
	"steno/session"
	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
)

// BenchmarkFinalDelay prints how long a final comes after the endpointer's decision, with 1, 3 and 6 people speaking
// at once in real time, and whether it grows over the run.
func BenchmarkFinalDelay(b *testing.B) {
	clips := corpus.Read(b, func(e corpus.Entry) bool {
		return e.Channels == 1 && e.Rate == asr.Rate && (e.Source() == "ami-pyannote" || e.Source() == "azure" || e.Source() == "mfa")
	})
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
				pcm = append(pcm, corpus.PCM(clips[j%len(clips)].Samples)...)
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
