package main

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"steno/audio"
	"steno/messages"
	"steno/session"
	"steno/session/asr"
	"steno/session/asr/asrtest/corpus"
)

// With real recognition as with made-up words: the utterances are a function of the bytes, however
// these are cut and however often the session is left and taken up again, as live speech with
// partials and as a recording.
func TestFinalsAreAFunctionOfTheBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("decodes real speech several times")
	}
	t.Parallel()
	files, _ := filepath.Glob("/usr/share/pocketsphinx/test/data/librivox/*.wav")
	if len(files) == 0 {
		t.Skip("no recordings: install pocketsphinx-testdata")
	}
	name := "moonshine"
	if os.Getenv("STENO_TEST_MODELS") == "" {
		name = "sphinx" // takes far longer
	}
	engine := startEngine(t, name)
	pcm := audio.AppendPCM(nil, corpus.Decode(t, files[0]))
	want := utterancesOf(t, engine, pcm, asr.Replay, nil)
	if want == "[]" {
		t.Fatal("nothing was recognized")
	}
	for seed := range uint64(2) {
		r := rand.New(rand.NewPCG(seed, 1))
		if got := utterancesOf(t, engine, pcm, asr.Live, r); got != want {
			t.Errorf("seed %d:\ngot  %s\nwant %s", seed, got, want)
		}
	}
}

// utterancesOf returns what a session makes of the bytes: in one piece, or cut and left at random.
func utterancesOf(t *testing.T, engine asr.Recognizer, pcm []byte, p asr.Priority, r *rand.Rand) string {
	t.Helper()
	request, problem := messages.ParseLive([]byte(`{"messages_config":{"receive_partial_transcripts":true}}`))
	if problem != nil {
		t.Fatal(problem)
	}
	var ledger session.Memory
	ctx := context.Background()
	open := func() *session.Session {
		s, err := session.Open(ctx, session.Config{ID: "S", Request: request, Recognizer: engine, Ledger: &ledger,
			Priority: p})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	for len(pcm) > 0 {
		n := len(pcm)
		if r != nil {
			n = min(n, 1+r.IntN(40000))
		}
		if err := s.Write(ctx, pcm[:n]); err != nil {
			t.Fatal(err)
		}
		if pcm = pcm[n:]; r != nil && r.IntN(4) == 0 {
			s.Abandon()
			s = open()
		}
	}
	if err := finish(ctx, s); err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(ledger.Outcome().Result.Transcription.Utterances, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
