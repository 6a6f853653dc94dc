package vad_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"steno/vad"
	"steno/vad/corpus"
	"steno/vad/noise"
	"steno/vad/yardstick"
)

// recordings opens the corpus of real recordings, if there is one.
func recordings(t testing.TB) *corpus.Corpus {
	t.Helper()
	folder := os.Getenv("STENO_TEST_AUDIO")
	if folder == "" {
		t.Skip("STENO_TEST_AUDIO names no folder of recordings")
	}
	c, err := corpus.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// clips reads recordings; those that are not plain WAV files need ffmpeg.
func clips(t testing.TB, c *corpus.Corpus, prefix string) []corpus.Clip {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("no ffmpeg to decode with")
	}
	out, err := c.Clips(prefix)
	if err != nil {
		t.Fatal(err)
	}
	return out
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

func demand(t *testing.T, rows []yardstick.Row) {
	t.Helper()
	for _, r := range rows {
		if !r.OK {
			t.Errorf("%s: must be %s, is %s", strings.TrimSpace(r.What), r.Must, r.Reached)
		}
	}
}

func TestGeneratedNoiseIsNotSpeech(t *testing.T) {
	demand(t, yardstick.Noises(nil, nil))
}

func TestRecordedNoiseIsNotSpeech(t *testing.T) {
	demand(t, yardstick.Noises(nil, clips(t, recordings(t), "speechbrain/noise")))
}

func TestConversations(t *testing.T) {
	demand(t, yardstick.Conversations(nil, clips(t, recordings(t), "ami-pyannote/"), "trn07"))
}

func TestReadSpeechBeginsInTime(t *testing.T) {
	demand(t, yardstick.Onsets(nil, clips(t, recordings(t), "librispeech-test-other/3")))
}

// A voice and a microphone that no fit has heard.
func TestUnheardVoiceIsFoundBetweenGaps(t *testing.T) {
	r := noise.Seed(9)
	stream := corpus.Stream("read", libriVox(t), r)
	starts := yardstick.MeasureStarts(nil, stream.With(noise.White(len(stream.Samples), r), 40))
	if starts.Onsets < 4 || starts.Missed > 0 || len(starts.Clipped) > 0 {
		t.Errorf("%d of %d onsets missed, %v ms cut off", starts.Missed, starts.Onsets, starts.Clipped)
	}
}

// Audio at hand in any installation: all words of a stream of read speech with gaps
// lie in utterances, and there is no utterance without words.
func TestUtterancesHoldTheSpeech(t *testing.T) {
	stream := corpus.Stream("read", libriVox(t), noise.Seed(3))
	segments := yardstick.Segments(nil, yardstick.Defaults, noise.PCM(stream.Samples))
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
	short, long := yardstick.Cut(nil, libriVox(t), 800), yardstick.Cut(nil, libriVox(t), 4800)
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
			for _, s := range yardstick.Segments(nil, vad.Config{Threshold: threshold, Endpointing: 800, MaxDuration: 960000}, x) {
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

// BenchmarkYardstick prints what the detector reaches, as a table.
func BenchmarkYardstick(b *testing.B) {
	for range b.N {
		rows := []yardstick.Row{yardstick.Cost()}
		if os.Getenv("STENO_TEST_AUDIO") == "" {
			rows = append(rows, yardstick.Noises(nil, nil)...)
			yardstick.Print(os.Stdout, rows)
			continue
		}
		c := recordings(b)
		read := clips(b, c, "librispeech-test-other/")
		rows = append(rows, yardstick.Conversations(nil, clips(b, c, "ami-pyannote/"), "trn07")...)
		rows = append(rows, yardstick.Noises(nil, clips(b, c, "speechbrain/noise"))...)
		rows = append(rows, yardstick.Onsets(nil, clips(b, c, "librispeech-test-other/3"))...)
		fmt.Println()
		yardstick.Print(os.Stdout, rows)
		for _, endpointing := range []int64{800, 4800} {
			fmt.Println("read speech,", yardstick.Cut(nil, read, endpointing))
		}
	}
}
