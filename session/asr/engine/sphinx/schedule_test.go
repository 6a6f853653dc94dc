package sphinx

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/session/asr"
)

func TestTheMostUrgentIsTakenFirst(t *testing.T) {
	s := schedule{limit: 2, finals: make([]finalDecoder, 2)}
	var want []*utterance
	for q := range queues {
		for range 2 {
			want = append(want, &utterance{replay: q == replayFinals})
		}
	}
	for i := len(want) - 1; i >= 0; i -= 2 { // the least urgent arrive first
		q := i / 2
		s.waiting[q] = append(s.waiting[q], want[i-1], want[i])
	}
	for i, w := range want {
		if u, queue := s.take(); u != w || queue != i/2 {
			t.Fatalf("%d: took %p of queue %d, want %p of %d", i, u, queue, w, i/2)
		}
	}
	if u, _ := s.take(); u != nil {
		t.Error("took something of nothing")
	}
}

func TestRecordingsLeaveASlotToSpeech(t *testing.T) {
	for _, c := range []struct {
		limit, replays, speaking, finals int
		may                              bool
	}{
		{2, 0, 0, 2, true},
		{2, 1, 0, 1, true},
		{2, 0, 1, 2, true},
		{2, 1, 1, 1, false},
		{1, 0, 1, 1, true}, // or recordings would wait for ever
		{4, 2, 9, 2, true},
		{4, 3, 9, 1, false},
		{4, 0, 0, 0, false},
	} {
		s := schedule{limit: c.limit, replays: c.replays, speaking: c.speaking, finals: make([]finalDecoder, c.finals)}
		if got := s.may(replayFinals); got != c.may {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestFinalsWaitForADecoderNotThePartials(t *testing.T) {
	s := schedule{limit: 2}
	final, partial := &utterance{}, &utterance{}
	s.waiting[liveFinals] = []*utterance{final}
	s.waiting[laterPartials] = []*utterance{partial}
	if u, _ := s.take(); u != partial {
		t.Error("no decoder for finals is free, yet the partial was not taken")
	}
	s.finals = make([]finalDecoder, 1)
	if u, _ := s.take(); u != final {
		t.Error("the final was not taken")
	}
}

func TestConfigDefaultsAndBounds(t *testing.T) {
	var c Config
	if err := c.fill(); err != nil {
		t.Fatal(err)
	}
	if c.Slots < 2 || c.Decoders < c.Slots || c.FinalDecoders != c.Slots || c.Language != "en" || c.Name != "sphinx" {
		t.Errorf("defaults %+v", c)
	}
	accurate := Config{Accurate: true}
	if err := accurate.fill(); err != nil || accurate.Name == c.Name {
		t.Errorf("other results under the name of %q: %v", accurate.Name, err)
	}
	for _, bad := range []Config{
		{Slots: -1}, {Slots: 33}, {Decoders: 65}, {Decoders: -1}, {Decoders: 2, FinalDecoders: 3}, {FinalDecoders: -1},
		{Utterances: -1}, {Utterances: 5000}, {PartialEvery: time.Millisecond}, {PartialEvery: time.Minute},
	} {
		if r, err := New(context.Background(), bad); err == nil {
			t.Errorf("%+v accepted", bad)
			r.Close()
		}
	}
}

func TestMissingModelNamesItsPackage(t *testing.T) {
	for _, c := range []Config{{Model: t.TempDir()}, {LM: "/nonexistent/lm"}, {Dict: "/nonexistent/dict"}} {
		_, err := New(context.Background(), c)
		if err == nil || !strings.Contains(err.Error(), "pocketsphinx") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestDamagedModelIsRefused(t *testing.T) {
	if _, err := os.Stat(DefaultDict); err != nil {
		t.Skipf("Debian package pocketsphinx-en-us: %v", err)
	}
	bad := filepath.Join(t.TempDir(), "lm")
	if err := os.WriteFile(bad, []byte("not a language model"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(context.Background(), Config{LM: bad}); err == nil {
		t.Error("accepted")
	}
	if _, err := New(cancelledContext(), Config{}); err == nil {
		t.Error("loaded although cancelled")
	}
}

func cancelledContext() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestConfidenceRisesWithThePosterior(t *testing.T) {
	last := 0.0
	for p := -0.1; p <= 1.1; p += 0.01 {
		c := confidence(p)
		if c < last || c < 0.17 || c > 0.86 {
			t.Fatalf("posterior %.2f: %v after %v", p, c, last)
		}
		last = c
	}
	for _, point := range calibration {
		if got := confidence(point[0]); got != point[1] {
			t.Errorf("posterior %v: %v, want %v", point[0], got, point[1])
		}
	}
}

func TestOnlyWordsAreKept(t *testing.T) {
	path := []segment{
		{"<s>", 0, 10, 1}, {"the(2)", 10, 20, .5}, {"<sil>", 20, 30, 1}, {"[NOISE]", 30, 40, 1}, {"++UM++", 40, 50, 1},
		{"it's", 50, 60, 1.0001}, {"a(b", 60, 70, 1}, {"late", 90, 120, 1}, {"</s>", 120, 130, 1}, {"", 130, 131, 1},
	}
	want := []asr.Word{
		{Text: "the", Start: 1600, End: 3200, Confidence: confidence(.5)},
		{Text: "it's", Start: 8000, End: 9600, Confidence: .86},
		{Text: "a(b", Start: 9600, End: 11200, Confidence: .86},
		{Text: "late", Start: 14400, End: 16000, Confidence: .86},
	}
	got := words(path, 16000)
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}
