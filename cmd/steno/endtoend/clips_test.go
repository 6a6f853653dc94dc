package endtoend_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"steno/audio"
)

// clipRate is the sample rate of all clips here, in Hz; they are mono, 16 bit.
const clipRate = 16000

// clip is raw audio to be streamed.
type clip struct{ pcm []byte }

func (c clip) duration() time.Duration {
	return time.Duration(len(c.pcm)/2) * time.Second / clipRate
}

// file writes the clip where a client can read it.
func (c clip) file(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "clip.raw")
	if err := os.WriteFile(path, c.pcm, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// austen is three read sentences of Debian's test recordings. The pauses between them hold a faint
// noise, as a microphone's do: in digital silence no two places differ, so the position of a client
// that comes back is unknown.
func austen(t testing.TB) clip {
	t.Helper()
	var c clip
	r := rand.New(rand.NewPCG(7, 8))
	for _, number := range []string{"0870", "0880", "0890"} {
		path := "/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-" + number + ".wav"
		w, err := audio.OpenWAV(path)
		if os.IsNotExist(err) {
			t.Skip("no recordings: install pocketsphinx-testdata")
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(w)
		w.Close()
		if err != nil || w.Format.SampleRate != clipRate || w.Format.BitDepth != 16 || w.Format.Channels != 1 {
			t.Fatalf("%s: %v, error %v", path, w.Format, err)
		}
		c.pcm = append(c.pcm, data...)
		for range clipRate * 7 / 10 {
			c.pcm = binary.LittleEndian.AppendUint16(c.pcm, uint16(int16(4*r.NormFloat64())))
		}
	}
	return c
}

// repeated is the clip as often as makes it at least as long as d.
func (c clip) repeated(d time.Duration) clip {
	times := int((d + c.duration() - 1) / c.duration())
	return clip{pcm: bytes.Repeat(c.pcm, times)}
}

// babble is made by this test: phrases of voiced syllables, each a buzz of 100 to 200 Hz through
// three formants, with pauses of faint noise between the phrases. It has no words, but the spectrum
// and the rhythm of speech.
func babble(*testing.T) clip {
	vowels := [][3]float64{{730, 1090, 2440}, {270, 2290, 3010}, {300, 870, 2240}, {530, 1840, 2480}, {570, 840, 2410}}
	r := rand.New(rand.NewPCG(7, 7))
	var samples []float64
	silence := func(seconds float64) {
		samples = append(samples, make([]float64, int(seconds*clipRate))...)
	}
	silence(0.5)
	for range 6 {
		pitch := 100 + 60*r.Float64()
		for range 4 + r.IntN(4) {
			pitch *= 0.94 + 0.1*r.Float64()
			samples = append(samples, syllable(vowels[r.IntN(len(vowels))], pitch, 0.16+0.08*r.Float64())...)
			silence(0.02 + 0.02*r.Float64())
		}
		silence(0.8 + 0.4*r.Float64())
	}
	var c clip
	for _, x := range samples {
		x = 9000*x + 4*r.NormFloat64()
		c.pcm = binary.LittleEndian.AppendUint16(c.pcm, uint16(int16(max(-32000, min(32000, x)))))
	}
	return c
}

// syllable is a vowel with a swelling and fading loudness, its peak about 1.
func syllable(formants [3]float64, pitch, seconds float64) []float64 {
	n := int(seconds * clipRate)
	out := make([]float64, n)
	phase, peak := 0.0, 1e-9
	var y [3][2]float64
	for i := range out {
		phase += pitch * (1 - 0.1*float64(i)/float64(n)) / clipRate
		x := 0.0
		if phase >= 1 {
			phase--
			x = 1
		}
		for k, f := range formants { // two-pole resonators in a row, 90 Hz wide
			radius := math.Exp(-math.Pi * 90 / clipRate)
			x += 2*radius*math.Cos(2*math.Pi*f/clipRate)*y[k][0] - radius*radius*y[k][1]
			y[k][0], y[k][1] = x, y[k][0]
		}
		out[i] = x * math.Sin(math.Pi*float64(i)/float64(n))
		peak = max(peak, math.Abs(out[i]))
	}
	for i := range out {
		out[i] /= peak
	}
	return out
}
