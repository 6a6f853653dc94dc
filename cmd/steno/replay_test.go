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

// BenchmarkReplay prints how long ten minutes of speech take as a recording, beside what the engine
// alone takes for the same utterances, both with every slot busy; five runs in turn.
func BenchmarkReplay(b *testing.B) {
	clips := corpus.Read(b, corpus.ReadEnglish)
	engine := startEngine(b, "sphinx")
	pcm := tenMinutes(clips)
	utterances := cut(b, pcm)
	var ratios []float64
	fmt.Printf("\n%-6s %10s %14s %8s\n", "run", "replay", "engine alone", "ratio")
	for i := range 5 {
		whole, alone := replay(b, engine, pcm), decodeAll(b, engine, utterances)
		ratios = append(ratios, whole.Seconds()/alone.Seconds())
		fmt.Printf("%-6d %10v %14v %8.2f\n", i+1, whole.Round(time.Millisecond), alone.Round(time.Millisecond),
			ratios[i])
	}
	slices.Sort(ratios)
	fmt.Printf("median ratio %.2f over %d utterances\n", ratios[2], len(utterances))
	b.ReportMetric(ratios[2], "replay/engine")
}

// tenMinutes strings recordings together, over again where they do not last.
func tenMinutes(clips []corpus.Clip) []byte {
	const bytes = 600 * asr.Rate * 2
	var pcm []byte
	for i := 0; len(pcm) < bytes; i++ {
		pcm = audio.AppendPCM(pcm, clips[i%len(clips)].Samples)
	}
	return pcm[:bytes]
}

func replayConfig(t testing.TB, r asr.Recognizer) session.Config {
	t.Helper()
	request, problem := messages.ParseLive([]byte(`{"endpointing":0.3}`))
	if problem != nil {
		t.Fatal(problem)
	}
	return session.Config{
		ID: "bench", Request: request, Recognizer: r, Ledger: &session.Memory{NoAudio: true}, Priority: asr.Replay,
	}
}

// replay times one recording through one session.
func replay(t testing.TB, r asr.Recognizer, pcm []byte) time.Duration {
	t.Helper()
	began := time.Now()
	ctx := context.Background()
	s, err := session.Open(ctx, replayConfig(t, r))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(ctx, pcm); err != nil {
		t.Fatal(err)
	}
	if err := finish(ctx, s); err != nil {
		t.Fatal(err)
	}
	return time.Since(began)
}

// finish ends a session and waits for what it still has to do.
func finish(ctx context.Context, s *session.Session) error {
	if err := s.Stop(ctx, false); err != nil {
		return err
	}
	<-s.Done()
	return s.Err()
}

// audioRecorder is a recognizer that keeps the audio of its utterances and hears nothing.
type audioRecorder struct {
	mu  sync.Mutex
	all []*piece
}

type piece struct {
	samples []int16
	ended   chan struct{}
	ctx     context.Context
}

func (s *audioRecorder) Open(ctx context.Context, _ asr.Params) (asr.Stream, error) {
	p := &piece{ended: make(chan struct{}), ctx: ctx}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, p)
	return p, nil
}

func (p *piece) Write(samples []int16) error {
	p.samples = append(p.samples, samples...)
	return nil
}

// Pause is of no use to an engine that is timed.
func (p *piece) Pause() error { return nil }

func (p *piece) End() error {
	close(p.ended)
	return nil
}

func (p *piece) Recv() (asr.Result, error) {
	select {
	case <-p.ended:
		return asr.Result{Final: true}, nil
	case <-p.ctx.Done():
		return asr.Result{}, p.ctx.Err()
	}
}

// cut lists the utterances a session finds. Those taken back for a forced cut were never ended.
func cut(t testing.TB, pcm []byte) [][]int16 {
	t.Helper()
	var s audioRecorder
	replay(t, &s, pcm)
	var list [][]int16
	for _, p := range s.all {
		select {
		case <-p.ended:
			list = append(list, p.samples)
		default:
		}
	}
	return list
}

// decodeAll times the engine alone: as many concurrent utterances as a session would have waiting.
func decodeAll(t testing.TB, engine asr.Recognizer, utterances [][]int16) time.Duration {
	t.Helper()
	began := time.Now()
	var wait sync.WaitGroup
	slots := make(chan struct{}, 16)
	for _, samples := range utterances {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			if err := decodeOne(engine, samples); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	return time.Since(began)
}

func decodeOne(engine asr.Recognizer, samples []int16) error {
	u, err := engine.Open(context.Background(), asr.Params{Priority: asr.Replay})
	if err != nil {
		return err
	}
	if err := u.Write(samples); err != nil {
		return err
	}
	if err := u.End(); err != nil {
		return err
	}
	for {
		if r, err := u.Recv(); err != nil || r.Final {
			return err
		}
	}
}
