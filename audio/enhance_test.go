package audio

import (
	"encoding/binary"
	"math"
	"os"
	"slices"
	"testing"
)

// enhanced returns x (16 kHz, full scale 1) after enhancement, aligned with x and shorter by the
// delay.
func enhanced(t testing.TB, x []float64) ([]float64, *Front) {
	f := Format{PCM, 32, Rate, 1}
	fr := newFront(t, f, 0, true)
	return unit(runFront(fr, encode(f, 0, x)))[fr.Delay():], fr
}

// mixed is a clean signal with white noise, and how both fared.
type mixed struct {
	speechDB float64 // level of the speech, after against before
	pauseDB  float64 // level of the pauses, after against before
	errorDB  float64 // what differs from the clean speech, against it
}

// enhanceMixed adds noise of the given RMS to x and measures from second `from` on. Frames of 10 ms
// count as speech above the level loud, as pause when nothing within 50 ms comes above the level
// quiet.
func enhanceMixed(t testing.TB, x []float64, noise, from float64) mixed {
	y := whiteNoise(len(x), noise, 3)
	for i := range y {
		y[i] += x[i]
	}
	out, _ := enhanced(t, y)
	const loud, quiet = 0.02, 0.003
	var speechIn, speechOut, pauseIn, pauseOut, diff float64
	for i := int(from * Rate); i+960 <= len(out); i += TickSamples {
		switch {
		case rms(x[i:i+TickSamples]) > loud:
			for j := i; j < i+TickSamples; j++ {
				speechIn, speechOut, diff = speechIn+x[j]*x[j], speechOut+out[j]*out[j],
					diff+(out[j]-x[j])*(out[j]-x[j])
			}
		case rms(x[i-800:i+960]) < quiet:
			for j := i; j < i+TickSamples; j++ {
				pauseIn, pauseOut = pauseIn+y[j]*y[j], pauseOut+out[j]*out[j]
			}
		}
	}
	return mixed{dB(math.Sqrt(speechOut / speechIn)), dB(math.Sqrt(pauseOut / pauseIn)), dB(math.Sqrt(diff / speechIn))}
}

// recorded is a real sentence: Debian's package pocketsphinx-testdata has it.
func recorded(t testing.TB) []float64 {
	raw, err := os.ReadFile("/usr/share/pocketsphinx/test/data/goforward.raw")
	if err != nil {
		t.Skip("pocketsphinx-testdata is not installed")
	}
	x := make([]int16, len(raw)/2)
	for i := range x {
		x[i] = int16(binary.LittleEndian.Uint16(raw[2*i:]))
	}
	return unit(x)
}

func checkMixed(t *testing.T, x []float64, from float64) {
	for _, noise := range []float64{0.01, 0.03} {
		m := enhanceMixed(t, x, noise, from)
		t.Logf("noise of %.0f dB: speech %+.2f dB, pauses %+.1f dB", dB(noise), m.speechDB, m.pauseDB)
		if gain := m.speechDB - m.pauseDB; gain < 10 {
			t.Errorf("noise of %.0f dB: SNR gain in pauses %.1f dB", dB(noise), gain)
		}
		if m.speechDB < -1.5 {
			t.Errorf("noise of %.0f dB: speech loses %.1f dB", dB(noise), m.speechDB)
		}
	}
	clean := enhanceMixed(t, x, 0, from)
	t.Logf("clean: speech %+.2f dB, error %.1f dB", clean.speechDB, clean.errorDB)
	if math.Abs(clean.speechDB) > 0.3 || clean.errorDB > -20 {
		t.Errorf("clean speech comes with %+.2f dB and an error of %.1f dB", clean.speechDB, clean.errorDB)
	}
}

func TestNoiseFallsAndSpeechStays(t *testing.T) {
	x, _ := voice(12, 1)
	checkMixed(t, x, 1.5)
}

func TestNoiseFallsAndRecordedSpeechStays(t *testing.T) {
	x := recorded(t)
	checkMixed(t, slices.Concat(make([]float64, Rate), x, make([]float64, Rate), x), 1)
}

// Speech from the first sample on must not be learnt as noise.
func TestSpeechAtTheBeginningStays(t *testing.T) {
	x, _ := voice(3, 0)
	out, _ := enhanced(t, x)
	if d := dB(rms(out[:Rate/2]) / rms(x[:Rate/2])); d < -1 {
		t.Errorf("the first half second loses %.1f dB", d)
	}
}

// Noise that begins, or grows by 20 dB, is down by 10 dB within two seconds.
func TestNoiseIsFoundAgain(t *testing.T) {
	x := slices.Concat(make([]float64, Rate), whiteNoise(3*Rate, 0.003, 1), whiteNoise(3*Rate, 0.03, 2))
	out, _ := enhanced(t, x)
	for _, second := range []int{3, 6} {
		at := second * Rate
		if d := dB(rms(out[at:at+Rate/2]) / rms(x[at:at+Rate/2])); d > -10 {
			t.Errorf("second %d: noise has %.1f dB", second, d)
		}
	}
}

func TestNoiseReport(t *testing.T) {
	f := Format{PCM, 16, Rate, 1}
	if _, _, ok := newFront(t, f, 0, false).NoiseReport(); ok {
		t.Error("a report without enhancer")
	}
	if _, _, ok := newFront(t, f, 0, true).NoiseReport(); ok {
		t.Error("a report without audio")
	}
	for _, level := range []float64{-60, -40, -20} {
		_, fr := enhanced(t, whiteNoise(4*Rate, math.Pow(10, level/20), 7))
		noise, gain, ok := fr.NoiseReport()
		if !ok || math.Abs(noise-level) > 2 {
			t.Errorf("noise of %v dB is reported as %.1f (%v)", level, noise, ok)
		}
		if gain > -10 || gain < -18.1 {
			t.Errorf("noise of %v dB: mean gain of %.1f dB", level, gain)
		}
	}
	_, fr := enhanced(t, make([]float64, 2*Rate))
	if noise, gain, ok := fr.NoiseReport(); !ok || noise > -80 || math.IsInf(noise, 0) || math.IsInf(gain, 0) ||
		gain > 0 {
		t.Errorf("silence is reported as %v, %v, %v", noise, gain, ok)
	}
}

// With gains of 1 frames must add up to the input, enhanceDelay later: nothing but the gains may
// change speech.
func TestFramesReconstruct(t *testing.T) {
	e := newEnhancer()
	x := whiteNoise(50*TickSamples, 5000, 2)
	padded := append(make([]float64, overlapped), x...)
	for at := 0; at < len(x); at += TickSamples {
		for i := range e.frame {
			e.frame[i] = padded[at+i] * e.windows.analysis[i]
		}
		e.fft.forward(e.spectrum, e.frame)
		e.fft.inverse(e.frame, e.spectrum)
		var out [TickSamples]float64
		e.overlapAdd(out[:])
		for i, v := range out {
			if was := at + i - enhanceDelay; was >= 0 && math.Abs(v-x[was]) > 0.01 {
				t.Fatalf("sample %d is %v, not %v", at+i, v, x[was])
			}
		}
	}
}

// A click in clean silence keeps its place.
func TestEnhancedDelayByImpulse(t *testing.T) {
	for _, rate := range rates {
		f := Format{PCM, 16, rate, 1}
		fr := newFront(t, f, 0, true)
		x := make([]float64, 20*f.TickFrames())
		x[5*f.TickFrames()] = 0.99
		out := unit(runFront(fr, encode(f, 0, x)))
		peak := 0
		for i, v := range out {
			if math.Abs(v) > math.Abs(out[peak]) {
				peak = i
			}
		}
		if want := 5*TickSamples + fr.Delay(); peak != want {
			t.Errorf("%d Hz: the click comes at %d, not %d", rate, peak, want)
		}
	}
}
