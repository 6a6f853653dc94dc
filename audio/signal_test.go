package audio

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/zaf/g711"
)

// rates are all declared ones.
var rates = []int{8000, 16000, 32000, 44100, 48000}

// formats are all encodings and depths, mono at 16 kHz.
var formats = []Format{
	{PCM, 8, 16000, 1}, {PCM, 16, 16000, 1}, {PCM, 24, 16000, 1}, {PCM, 32, 16000, 1}, {ALaw, 8, 16000, 1},
	{MuLaw, 8, 16000, 1},
}

// tone returns n samples of a sine, full scale 1.
func tone(n, rate int, hz, level float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = level * math.Sin(2*math.Pi*hz*float64(i)/float64(rate)+0.3)
	}
	return x
}

// whiteNoise returns n samples of Gaussian noise of the given RMS, the same for the same seed.
func whiteNoise(n int, rms float64, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n)
	for i := range x {
		x[i] = rms * r.NormFloat64()
	}
	return x
}

// voice returns something like speech at 16 kHz: syllables of four a second with gliding pitch and
// two formants, in bursts of 1.5 s with pauses of 1 s, beginning after lead seconds. The second
// result tells which samples are speech.
func voice(seconds, lead float64) (x []float64, speech []bool) {
	x, speech = make([]float64, int(seconds*Rate)), make([]bool, int(seconds*Rate))
	phase := 0.0
	for i := range x {
		t := float64(i)/Rate - lead
		pitch := 120 + 30*math.Sin(2*math.Pi*0.7*t)
		phase += 2 * math.Pi * pitch / Rate
		at := math.Mod(t, 2.5)
		if t < 0 || at >= 1.5 {
			continue
		}
		f1, f2 := 500+200*math.Sin(2*math.Pi*1.1*t), 1500+500*math.Sin(2*math.Pi*0.9*t)
		for h := 1.0; h*pitch < 5000; h++ {
			f := h * pitch
			a := 1/(1+math.Pow((f-f1)/120, 2)) + 0.5/(1+math.Pow((f-f2)/200, 2)) + 0.01
			x[i] += a * math.Sin(h*phase)
		}
		x[i] *= 0.12 * math.Pow(math.Sin(math.Pi*math.Mod(at*4, 1)), 0.5)
		speech[i] = true
	}
	return x, speech
}

// encode writes samples of full scale 1 into channel c of an otherwise counter-phased stream in
// format f.
func encode(f Format, c int, x []float64) []byte {
	b := make([]byte, len(x)*f.FrameBytes())
	w := f.BitDepth / 8
	for i, v := range x {
		for ch := range f.Channels {
			s := v
			if ch != c {
				s = -v / 2
			}
			encodeSample(f, b[i*f.FrameBytes()+ch*w:], s)
		}
	}
	return b
}

func encodeSample(f Format, b []byte, v float64) {
	v = math.Max(-1, v)
	quantised := func(bits int) int64 {
		scale := math.Ldexp(1, bits-1)
		return int64(math.Min(math.RoundToEven(v*scale), scale-1))
	}
	switch {
	case f.Encoding == ALaw:
		b[0] = g711.EncodeAlawFrame(int16(quantised(16)))
	case f.Encoding == MuLaw:
		b[0] = g711.EncodeUlawFrame(int16(quantised(16)))
	case f.BitDepth == 8:
		b[0] = byte(quantised(8) + 128)
	case f.BitDepth == 16:
		binary.LittleEndian.PutUint16(b, uint16(quantised(16)))
	case f.BitDepth == 24:
		v := quantised(24)
		b[0], b[1], b[2] = byte(v), byte(v>>8), byte(v>>16)
	default:
		binary.LittleEndian.PutUint32(b, uint32(quantised(32)))
	}
}

func newFront(t testing.TB, f Format, channel int, enhance bool) *Front {
	t.Helper()
	fr, err := NewFront(f, channel, enhance)
	if err != nil {
		t.Fatal(err)
	}
	return fr
}

// runFront returns what a Front makes of all whole ticks of raw.
func runFront(fr *Front, raw []byte) []int16 {
	var out []int16
	var tick [TickSamples]int16
	for size := fr.format.TickBytes(); len(raw) >= size; raw = raw[size:] {
		fr.Tick(raw[:size], tick[:])
		out = append(out, tick[:]...)
	}
	return out
}

// unit scales samples to full scale 1.
func unit(x []int16) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v) / 32768
	}
	return y
}

func rms(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(x)))
}

func dB(ratio float64) float64 { return 20 * math.Log10(ratio) }

// spectrumSize is the length of the tests' spectra: 0.98 Hz per bin at 16 kHz.
const spectrumSize = 16384

// spectrum returns the amplitudes of sines in the last spectrumSize samples of x, per bin, through
// a Blackman-Harris window (side lobes below -92 dB, main lobe 4 bins on each side).
func spectrum(x []float64) []float64 {
	x = x[len(x)-spectrumSize:]
	w := make([]float64, spectrumSize)
	sum := 0.0
	for i := range w {
		p := 2 * math.Pi * float64(i) / spectrumSize
		h := 0.35875 - 0.48829*math.Cos(p) + 0.14128*math.Cos(2*p) - 0.01168*math.Cos(3*p)
		sum += h
		w[i] = x[i] * h
	}
	bins := make([]complex128, spectrumSize/2+1)
	newRealFFT(spectrumSize).forward(bins, w)
	a := make([]float64, len(bins))
	for k, z := range bins {
		a[k] = 2 * math.Hypot(real(z), imag(z)) / sum
	}
	return a
}

// loudest is the greatest amplitude and its frequency, leaving out what lies within 6 bins of the
// frequency without.
func loudest(a []float64, without float64) (hz, amplitude float64) {
	for k, v := range a {
		f := float64(k) * Rate / spectrumSize
		if v > amplitude && math.Abs(f-without) > 6*Rate/spectrumSize {
			hz, amplitude = f, v
		}
	}
	return hz, amplitude
}
