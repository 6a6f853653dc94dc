package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"steno/audio"
	"steno/cmd/cmdtest"
	"steno/messages"
	"steno/session"
	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
	"steno/session/asr/local"
)

// BenchmarkAccuracy prints the word error rate of live sessions on read English beside that of pocketsphinx_batch,
// which gets each clip whole and uncut: what live endpointing costs.
func BenchmarkAccuracy(b *testing.B) {
	clips := corpus.Read(b, corpus.ReadEnglish)
	engine := benchEngine(b)
	batch := batchScore(b, clips)
	fmt.Printf("\n%-34s %8s %8s\n", "read English, pooled", "WER %", "against")
	fmt.Printf("%-34s %8.1f\n", "pocketsphinx_batch, whole clips", 100*batch.WER())
	for _, c := range []struct{ name, request string }{
		{"live, endpointing 0.3", `{"endpointing":0.3}`},
		{"live, default request", `{}`},
	} {
		score, words := liveScore(b, engine, clips, c.request)
		fmt.Printf("%-34s %8.1f %+8.1f   confidences: AUC %.3f\n",
			c.name, 100*score.WER(), 100*(score.WER()-batch.WER()), corpus.AUC(words))
		b.ReportMetric(100*(score.WER()-batch.WER()), "points/"+strings.ReplaceAll(c.name, " ", "_"))
	}
}

// benchEngine starts PocketSphinx as the gateway would.
func benchEngine(t testing.TB) asr.Recognizer {
	t.Helper()
	cfg, err := loadConfig("", nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Engines.Binary = cmdtest.Build(t, "steno-engine")
	engine, err := local.Start(context.Background(), cfg.localEngine("sphinx"))
	if err != nil {
		t.Skipf("PocketSphinx: %v", err)
	}
	t.Cleanup(func() { engine.Close() })
	return engine
}

// liveScore runs each clip, one second of silence around it, through a live session and scores its finals.
func liveScore(t testing.TB, engine asr.Recognizer, clips []corpus.Clip, request string) (corpus.Score, []corpus.Judged) {
	t.Helper()
	var mu sync.Mutex
	var total corpus.Score
	var judged []corpus.Judged
	var wait sync.WaitGroup
	slots := make(chan struct{}, 4)
	for _, c := range clips {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			score, words := judge(c, runSession(t, engine, audio.AppendPCM(nil, c.Samples), request))
			mu.Lock()
			defer mu.Unlock()
			total, judged = total.Add(score), append(judged, words...)
		})
	}
	wait.Wait()
	return total, judged
}

// runSession is one recording through one session.
func runSession(t testing.TB, engine asr.Recognizer, pcm []byte, request string) []messages.Utterance {
	r, problem := messages.ParseLive([]byte(request))
	if problem != nil {
		t.Error(problem)
		return nil
	}
	var ledger session.Memory
	ctx := context.Background()
	s, err := session.Open(ctx, session.Config{ID: "bench", Request: r, Recognizer: engine, Ledger: &ledger})
	if err != nil {
		t.Error(err)
		return nil
	}
	if err := s.Write(ctx, pcm); err != nil {
		t.Error(err)
	}
	if err := s.Stop(ctx, false); err != nil {
		t.Error(err)
	}
	<-s.Done()
	if err := s.Err(); err != nil {
		t.Error(err)
	}
	return ledger.Outcome().Result.Transcription.Utterances
}

// judge scores a session's words.
func judge(c corpus.Clip, utterances []messages.Utterance) (corpus.Score, []corpus.Judged) {
	var heard []string
	var words []corpus.Judged
	for _, u := range utterances {
		for _, w := range u.Words {
			for _, n := range corpus.Words(w.Word) {
				heard = append(heard, n)
				words = append(words, corpus.Judged{Confidence: w.Confidence})
			}
		}
	}
	score, right := corpus.Align(c.Words, heard)
	for i := range words {
		words[i].Right = right[i]
	}
	return score, words
}

// batchScore is what Debian's batch decoder makes of the whole clips with its own defaults and the same model.
func batchScore(t testing.TB, clips []corpus.Clip) corpus.Score {
	t.Helper()
	batch, err := exec.LookPath("pocketsphinx_batch")
	if err != nil {
		t.Skipf("Debian package pocketsphinx: %v", err)
	}
	dir := t.TempDir()
	var list strings.Builder
	for i, c := range clips {
		fmt.Fprintf(&list, "%04d\n", i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.raw", i)), audio.AppendPCM(nil, c.Samples), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctl, hyp := filepath.Join(dir, "list"), filepath.Join(dir, "hyp")
	if err := os.WriteFile(ctl, []byte(list.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	const model = "/usr/share/pocketsphinx/model/en-us/"
	out, err := exec.Command(batch, "-hmm", model+"en-us", "-lm", model+"en-us.lm.bin", "-dict", model+"cmudict-en-us.dict",
		"-adcin", "yes", "-cepdir", dir, "-cepext", ".raw", "-ctl", ctl, "-hyp", hyp).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out[max(0, len(out)-500):])
	}
	text, err := os.ReadFile(hyp)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	if len(lines) != len(clips) {
		t.Fatalf("%d hypotheses for %d clips", len(lines), len(clips))
	}
	var total corpus.Score
	for i, c := range clips {
		score, _ := corpus.Align(c.Words, corpus.Words(lines[i][:strings.LastIndexByte(lines[i], '(')]))
		total = total.Add(score)
	}
	if math.IsNaN(total.WER()) {
		t.Fatal("nothing to score")
	}
	return total
}
