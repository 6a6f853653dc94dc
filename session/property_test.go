package session

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"steno/session/asr"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if !isSet("rapid.checks") {
		checks := "30" // each plays seconds of audio twice
		if raceDetected {
			checks = "3" // at several times the cost; make test runs the others without the race detector
		}
		flag.Set("rapid.checks", checks)
	}
	goleak.VerifyTestMain(m)
}

func isSet(name string) bool {
	set := false
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

// scene returns a few seconds of speech and pauses, different on every channel.
func scene(channels int, seconds float64, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 3))
	var all [][]float64
	for c := range channels {
		var x []float64
		for len(x) < int(seconds*16000) {
			x = append(x, whiteNoise(0.2+r.Float64(), -75, seed+uint64(len(x)))...)
			x = append(x, voice(0.5+2*r.Float64(), seed+uint64(c*1000+len(x)))...)
		}
		all = append(all, x[:int(seconds*16000)])
	}
	return interleave(all...)
}

// The utterances do not depend on how the bytes are cut and paced, nor on how often the session is
// resumed from its ledger: they equal those of a single Write.
func TestUtterancesAreAFunctionOfTheBytes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		channels := rapid.IntRange(1, 4).Draw(rt, "channels")
		request := requestOf(channels, rapid.SampledFrom([]string{"0.05", "0.3", "1"}).Draw(rt, "endpointing"))
		audio := scene(channels, rapid.Float64Range(1, 6).Draw(rt, "seconds"), rapid.Uint64Range(0, 5).Draw(rt, "seed"))
		audio = audio[:len(audio)-rapid.IntRange(0, 5).Draw(rt, "torn")]
		want := utterancesText(t, playReplay(t, request, audio))

		cuts := rapid.SliceOfN(rapid.IntRange(1, len(audio)), 0, 8).Draw(rt, "cuts")
		small := rapid.IntRange(1, 40000).Draw(rt, "chunk")
		pause := time.Duration(rapid.IntRange(0, 300).Draw(rt, "pause")) * time.Millisecond
		got := utterancesText(t, playCut(t, request, audio, cuts, small, pause))
		if got != want {
			rt.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}

func requestOf(channels int, endpointing string) string {
	return `{"channels":` + string(rune('0'+channels)) + `,"endpointing":` + endpointing + `}`
}

// playCut writes chunks with pauses in between and abandons the session at the cuts.
func playCut(t *testing.T, request string, audio []byte, cuts []int, chunk int, pause time.Duration) *Memory {
	var m Memory
	synctest.Test(t, func(t *testing.T) {
		s := open(t, &m, request, asr.Live)
		broken := map[int]bool{}
		for at := 0; at < len(audio); {
			n := min(chunk, len(audio)-at)
			for _, c := range cuts {
				if at < c && c <= at+n && !broken[c] {
					n, broken[c] = c-at, true
				}
			}
			write(t, s, audio[at:at+n])
			at += n
			if broken[at] {
				s.Abandon()
				s = open(t, &m, request, asr.Live)
			}
			time.Sleep(pause)
		}
		stopAndWait(t, s)
	})
	return &m
}

// The same, byte by byte.
func TestSingleBytes(t *testing.T) {
	request, audio := requestOf(1, "0.05"), scene(1, 3, 1)
	want := utterancesText(t, playReplay(t, request, audio))
	if got := utterancesText(t, playCut(t, request, audio, nil, 1, 0)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A session abandoned after its stop finishes when it is opened again, with the same events as one
// that was not.
func TestStopSurvives(t *testing.T) {
	request, audio := requestOf(2, "0.3"), scene(2, 5, 2)
	whole := playReplay(t, request, audio)
	var m Memory
	s := open(t, &m, request, asr.Live)
	write(t, s, audio)
	if err := s.Stop(context.Background(), true); err != nil {
		t.Fatal(err)
	}
	s.Abandon()
	s = open(t, &m, request, asr.Live)
	<-s.Done()
	if got, want := utterancesText(t, &m), utterancesText(t, whole); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := len(m.events), len(whole.events); got != want {
		t.Errorf("%d events in the log, want %d", got, want)
	}
}

// recordings lists Debian's test recordings (16-kHz mono), the bytes after the header.
func recordings(t *testing.T) map[string][]byte {
	t.Helper()
	files, _ := filepath.Glob("/usr/share/pocketsphinx/test/data/*/*.wav")
	if len(files) == 0 {
		t.Skip("no recordings: install pocketsphinx-testdata")
	}
	list := map[string][]byte{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		list[filepath.Base(f)] = b[44:]
	}
	return list
}

func TestRealSpeechIsCutTheSameLiveAndReplayed(t *testing.T) {
	for name, audio := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			request := requestOf(1, "0.05")
			want := utterancesText(t, playReplay(t, request, audio))
			got := utterancesText(t, playCut(t, request, audio, []int{len(audio) / 3, len(audio) / 2}, 640,
				20*time.Millisecond))
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if want == "[]" && strings.HasPrefix(name, "sense_and") {
				t.Error("no utterance in a sentence")
			}
		})
	}
}

// A power cut may take the end of the journal while a checkpoint beyond it is kept. The session
// then resumes from the journal, and its numbers stay in order.
func TestACheckpointBeyondTheJournalIsNotUsed(t *testing.T) {
	request, audio := requestOf(1, "0.05"), scene(1, 6, 4)
	whole := playReplay(t, request, audio)
	synctest.Test(t, func(t *testing.T) {
		var m Memory
		s := open(t, &m, request, asr.Live)
		write(t, s, audio[:len(audio)*2/3])
		synctest.Wait() // for the finals
		if len(m.checkpoints[0]) == 0 {
			t.Fatal("no checkpoint")
		}
		s.Abandon()
		m.audio, m.size = m.audio[:len(audio)/10], int64(len(audio)/10)
		s = open(t, &m, request, asr.Live)
		write(t, s, audio[len(audio)/10:])
		stopAndWait(t, s)
		if got, want := utterancesText(t, &m), utterancesText(t, whole); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}
