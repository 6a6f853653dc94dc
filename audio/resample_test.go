package audio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os/exec"
	"testing"
)

// passband is how far up a rate must come through flat, in Hz.
func passband(rate int) float64 {
	if rate == 8000 {
		return 3450
	}
	return 7000
}

// resampledTone returns the last n samples that a Front makes of a tone that began long before,
// declared as 24 bit so that the test's own rounding does not count.
func resampledTone(t testing.TB, n, rate int, hz, level float64) []float64 {
	f := Format{PCM, 24, rate, 2}
	ticks := n/TickSamples + 5
	out := unit(runFront(newFront(t, f, 1, false), encode(f, 1, tone(ticks*f.TickFrames(), rate, hz, level))))
	return out[len(out)-n:]
}

const short = Rate / 5 // samples that suffice for a level

func TestTonesPassFlatAndAlone(t *testing.T) {
	for _, rate := range rates {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			for _, hz := range []float64{50, 440, 1000, 1999, 3000, 3450, 4321, 6000, 6800, 7000} {
				if hz > passband(rate) {
					continue
				}
				x := resampledTone(t, spectrumSize, rate, hz, 0.7)
				a := spectrum(x)
				at, _ := loudest(a, -1e9)
				if math.Abs(at-hz) > 1 {
					t.Errorf("%v Hz found again at %v Hz", hz, at)
				}
				if d := dB(rms(x) / (0.7 / math.Sqrt2)); math.Abs(d) > 0.1 {
					t.Errorf("%v Hz comes with %+.2f dB", hz, d)
				}
				if other, level := loudest(a, at); dB(level/0.7) > -80 {
					t.Errorf("%v Hz brings %.1f dB at %v Hz", hz, dB(level/0.7), other)
				}
			}
		})
	}
}

func TestFlatness(t *testing.T) {
	for _, rate := range rates {
		worst, where := 0.0, 0.0
		for hz := 100.0; hz <= passband(rate); hz += 230 {
			if d := dB(rms(resampledTone(t, short, rate, hz, 0.7)) / (0.7 / math.Sqrt2)); math.Abs(d) >
				math.Abs(worst) {
				worst, where = d, hz
			}
		}
		d := dB(rms(resampledTone(t, short, rate, passband(rate), 0.7)) / (0.7 / math.Sqrt2))
		t.Logf("%d Hz: worst %+.3f dB at %v Hz, %+.3f dB at %v Hz", rate, worst, where, d, passband(rate))
		if math.Abs(worst) > 0.1 || math.Abs(d) > 0.5 {
			t.Errorf("%d Hz: %+.2f dB at %v Hz, %+.2f dB at the end", rate, worst, where, d)
		}
	}
}

// Whatever a tone above 8 kHz leaves at all is an alias.
func TestAliases(t *testing.T) {
	for _, rate := range []int{24000, 32000, 44100, 48000} {
		worst := math.Inf(-1)
		for hz := 8000.5; hz < float64(rate)/2; hz += 111 {
			worst = max(worst, dB(rms(resampledTone(t, short, rate, hz, 0.9))/(0.9/math.Sqrt2)))
		}
		t.Logf("%d Hz: aliases at most %.1f dB", rate, worst)
		if worst > -75 {
			t.Errorf("%d Hz: an alias of %.1f dB", rate, worst)
		}
	}
}

// A tone at 8 kHz has its image at 8000 Hz minus its own frequency; up to the last Hz below 4 kHz
// it must be gone.
func TestImages(t *testing.T) {
	worst := math.Inf(-1)
	for hz := 100.0; hz < 3990; hz += 37 {
		_, level := loudest(spectrum(resampledTone(t, spectrumSize, 8000, hz, 0.9)), hz)
		worst = max(worst, dB(level/0.9))
	}
	t.Logf("images at most %.1f dB", worst)
	if worst > -75 {
		t.Errorf("an image of %.1f dB", worst)
	}
}

// The filters are symmetric: an impulse comes out with its peak, and its centre, at exactly Delay.
func TestDelayByImpulse(t *testing.T) {
	for _, rate := range rates {
		f := Format{PCM, 32, rate, 1}
		fr := newFront(t, f, 0, false)
		x := make([]float64, 20*f.TickFrames())
		x[5*f.TickFrames()] = 0.99
		out := unit(runFront(fr, encode(f, 0, x)))
		centre := 5*TickSamples + fr.Delay()
		for i, v := range out {
			if i != centre && math.Abs(v) >= out[centre] {
				t.Errorf("%d Hz: sample %d (%g) beats the expected peak at %d (%g)", rate, i, v, centre, out[centre])
			}
		}
		for i := 1; i < 200; i++ {
			if math.Abs(out[centre-i]-out[centre+i]) > 1.5/32768 {
				t.Errorf("%d Hz: not symmetric at %d", rate, i)
			}
		}
		if fr.Delay() > Rate/100 {
			t.Errorf("%d Hz: delay of %d samples is more than 10 ms", rate, fr.Delay())
		}
	}
}

// An independent resampler must hear the same: both outputs, aligned by Delay, differ by less than
// -60 dB.
func TestAgainstSox(t *testing.T) {
	sox, err := exec.LookPath("sox")
	if err != nil {
		t.Skip("sox is not installed")
	}
	for _, rate := range rates {
		f := Format{PCM, 16, rate, 1}
		x := tone(rate, rate, 300, 0.2)
		for _, hz := range []float64{1111, 2345, 3300, 5000, 6900} {
			if hz <= passband(rate) {
				for i, v := range tone(rate, rate, hz, 0.15) {
					x[i] += v
				}
			}
		}
		raw := encode(f, 0, x)
		fr := newFront(t, f, 0, false)
		ours := unit(runFront(fr, raw))[fr.Delay():]
		cmd := exec.Command(sox, "-D", "-t", "raw", "-r", fmt.Sprint(rate), "-e", "signed", "-b", "16", "-c", "1", "-",
			"-t", "raw", "-e", "signed", "-b", "16", "-", "rate", "-v", "16000")
		cmd.Stdin = bytes.NewReader(raw)
		b, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var diff, theirs []float64
		for i := 2000; i < 12000; i++ {
			v := float64(int16(binary.LittleEndian.Uint16(b[2*i:]))) / 32768
			theirs, diff = append(theirs, v), append(diff, ours[i]-v)
		}
		d := dB(rms(diff) / rms(theirs))
		t.Logf("%d Hz: difference to sox %.1f dB", rate, d)
		if d > -60 {
			t.Errorf("%d Hz: differs from sox by %.1f dB", rate, d)
		}
	}
}
