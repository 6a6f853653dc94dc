package benchmark_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"steno/vad"
	"steno/vad/training/benchmark"
	"steno/vad/training/corpus"
	"steno/vad/training/noise"
	"steno/vad/training/silero"
)

// material reads the recordings detectors are measured on, if they are there: those of
// STENO_TEST_AUDIO, and words, noises and music of STENO_TEST_EAR or of the folder "ear"
// beside them.
func material(t testing.TB) *benchmark.Dataset {
	t.Helper()
	audio := os.Getenv("STENO_TEST_AUDIO")
	if audio == "" {
		t.Skip("STENO_TEST_AUDIO names no folder of recordings")
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("no ffmpeg to decode with")
	}
	m, err := loaded(audio, beside("STENO_TEST_EAR", audio, "ear"))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var loaded = func() func(audio, ear string) (*benchmark.Dataset, error) {
	var once sync.Once
	var m *benchmark.Dataset
	var err error
	return func(audio, ear string) (*benchmark.Dataset, error) {
		once.Do(func() { m, err = benchmark.Load(audio, ear) })
		return m, err
	}
}()

// beside is what the variable names, or else what lies beside the folder, or "".
func beside(variable, folder, name string) string {
	path := os.Getenv(variable)
	if path == "" {
		path = filepath.Join(filepath.Dir(filepath.Clean(folder)), name)
	}
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// libriVox reads the test recordings of Debian's pocketsphinx-testdata.
func libriVox(t testing.TB) []corpus.Clip {
	t.Helper()
	files, _ := filepath.Glob("/usr/share/pocketsphinx/test/data/librivox/*.wav")
	if len(files) == 0 {
		t.Skip("Debian's pocketsphinx-testdata is not installed")
	}
	var out []corpus.Clip
	for _, f := range files {
		x, err := corpus.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, corpus.Clip{Name: filepath.Base(f), Samples: x})
	}
	return out
}

func demand(t *testing.T, rows []benchmark.Row) {
	t.Helper()
	for _, r := range rows {
		if !r.OK {
			t.Errorf("%s: must be %s, is %s", strings.TrimSpace(r.What), r.Must, r.Reached)
		}
	}
}

func TestGeneratedNoiseIsNotSpeech(t *testing.T) {
	demand(t, benchmark.Builtin().Noises(nil, nil, nil))
}

func TestRecordedNoiseAndMusicAreNotSpeech(t *testing.T) {
	m := material(t)
	demand(t, benchmark.Builtin().Noises(m.Noise, m.Everyday, m.Tunes))
}

func TestConversations(t *testing.T) {
	demand(t, benchmark.Builtin().Conversations(material(t).Conversations, benchmark.Hard))
}

func TestReadSpeechBeginsInTime(t *testing.T) {
	demand(t, benchmark.Builtin().Onsets(material(t).Read))
}

func TestSingleWordsAreHeard(t *testing.T) {
	m := material(t)
	if m.Words == nil {
		t.Skip("no recordings of words")
	}
	demand(t, benchmark.Builtin().Words("words", m.Words))
	demand(t, benchmark.Builtin().Words("digits", m.Digits))
}

func TestShortSentencesAreHeard(t *testing.T) {
	m := material(t)
	demand(t, []benchmark.Row{
		benchmark.Builtin().Flagged("cards", 85, 93, m.Cards), benchmark.Builtin().Flagged("cold_corpus", 75, 90,
			m.Cold),
	})
}

// What is remembered does not drift: after twenty minutes of noise, of silence, of a
// faint room, speech is heard as early as after one.
func TestSpeechIsHeardAfterTwentyMinutes(t *testing.T) {
	speech := noise.PCM(libriVox(t)[0].Samples)
	r := noise.Seed(8)
	for name, sound := range map[string]func() int16{
		"zeros": func() int16 { return 0 },
		"faint": func() int16 { return int16(3 * r.NormFloat64()) },
		"noise": func() int16 { return int16(60 * r.NormFloat64()) },
	} {
		d := vad.NewDetector()
		var frame [vad.FrameSamples]int16
		alarms := 0
		for range 20 * 60 * 100 {
			for i := range frame {
				frame[i] = sound()
			}
			if d.Frame(frame[:]) >= vad.DefaultThreshold {
				alarms++
			}
		}
		heard := 0
		for i := 0; i+vad.FrameSamples <= len(speech); i += vad.FrameSamples {
			if d.Frame(speech[i:i+vad.FrameSamples]) >= vad.DefaultThreshold {
				heard++
			}
		}
		if alarms > 0 || heard*vad.FrameSamples*2 < len(speech) {
			t.Errorf("%s: %d frames of it are speech, %d of %d frames after it", name, alarms, heard, len(speech)/
				vad.FrameSamples)
		}
	}
}

// A voice and a microphone that no fit has heard.
func TestHeldOutVoiceIsFoundBetweenGaps(t *testing.T) {
	r := noise.Seed(9)
	stream := corpus.Stream("read", libriVox(t), r)
	starts := benchmark.Builtin().Starts(stream.With(noise.White(len(stream.Samples), r), 40))
	if starts.Onsets < 4 || starts.Missed > 0 || len(starts.Clipped) > 0 {
		t.Errorf("%d of %d onsets missed, %v ms cut off", starts.Missed, starts.Onsets, starts.Clipped)
	}
}

// Audio at hand in any installation: all words of a stream of read speech with gaps
// lie in utterances, and there is no utterance without words.
func TestUtterancesHoldTheSpeech(t *testing.T) {
	stream := corpus.Stream("read", libriVox(t), noise.Seed(3))
	segments := benchmark.Builtin().Segments(benchmark.Defaults, noise.PCM(stream.Samples))
	in := make([]bool, len(stream.Labels))
	for _, s := range segments {
		spoken := 0
		for i := s.From; i < s.Upto; i++ {
			in[i] = true
			if stream.Labels[i] == corpus.Speech {
				spoken++
			}
		}
		if spoken == 0 {
			t.Errorf("no speech in frames %d to %d", s.From, s.Upto)
		}
	}
	missed, speech := 0, 0
	for i, l := range stream.Labels {
		if l == corpus.Speech {
			speech++
			if !in[i] {
				missed++
			}
		}
	}
	if missed*50 > speech {
		t.Errorf("%d of %d frames of speech lie outside utterances", missed, speech)
	}
}

// Words must not be cut in two: an utterance of read speech lasts seconds even at the
// shortest endpointing in use.
func TestUtterancesAreWholePhrases(t *testing.T) {
	short, long := benchmark.Builtin().Cut(libriVox(t), 800), benchmark.Builtin().Cut(libriVox(t), 4800)
	if short.Seconds/float64(short.Utterances) < 1.5 {
		t.Errorf("too short: %v", short)
	}
	if long.Utterances > short.Utterances {
		t.Errorf("a longer wait makes more utterances: %v, %v", short, long)
	}
}

func TestHigherThresholdsOnRealSpeech(t *testing.T) {
	for _, c := range libriVox(t) {
		x := noise.PCM(noise.Add(c.Samples, noise.Pink(len(c.Samples), noise.Seed(4)), 0.001))
		spoken := -1
		for _, threshold := range []float64{1, 0.95, 0.8, 0.6, 0.4, 0.2, 0} {
			n := 0
			for _, s := range benchmark.Builtin().At(threshold).Segments(vad.Config{Endpointing: 800,
				MaxDuration: 960000}, x) {
				n += s.Upto - s.From
			}
			if n < spoken {
				t.Errorf("%s: %d frames at threshold %v, more at a higher one", c.Name, n, threshold)
			}
			spoken = n
			if frames := len(x) / vad.FrameSamples; threshold == 1 && n != 0 || threshold == 0 && n != frames {
				t.Errorf("%s: %d of %d frames at threshold %v", c.Name, n, frames, threshold)
			}
		}
	}
}

// BenchmarkDetector prints what the detector reaches, as a table; beside it Silero, if
// it is in the folder STENO_TEST_MODELS or in "models" beside the recordings.
func BenchmarkDetector(b *testing.B) {
	for range b.N {
		fmt.Println()
		if os.Getenv("STENO_TEST_AUDIO") == "" {
			benchmark.Print(os.Stdout, benchmark.Builtin().Noises(nil, nil, nil))
			continue
		}
		m := material(b)
		var others [][]benchmark.Row
		if path := beside("STENO_TEST_MODELS", os.Getenv("STENO_TEST_AUDIO"), "models"); path != "" {
			teacher, err := silero.Open(filepath.Join(path, silero.File))
			switch {
			case err == nil:
				others = append(others, benchmark.Silero(teacher).Table(m))
			case !errors.Is(err, fs.ErrNotExist):
				b.Fatal(err)
			}
		}
		rows := append(benchmark.Cost(noise.PCM(corpus.Stream("read", m.Read, noise.Seed(1)).Samples)),
			benchmark.Builtin().Table(m)...)
		benchmark.Print(os.Stdout, rows, others...)
		for _, endpointing := range []int64{800, 4800} {
			fmt.Println("read speech,", benchmark.Builtin().Cut(m.Read, endpointing))
		}
	}
}
