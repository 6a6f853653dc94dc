package audio

import (
	"math"
	"sync"
)

const (
	frameSamples = 512 // 32 ms at Rate
	frameBins    = frameSamples/2 + 1
	overlapped   = frameSamples - TickSamples // samples a frame shares with the one before

	// enhanceDelay is how long a sample waits until the last frame that holds it has come: 22 ms.
	enhanceDelay = overlapped
)

const (
	// Decision-directed weight of the last frame's estimate, and the least SNR before the fact
	// (Ephraim & Malah 1984; the least SNR after O. Cappé, "Elimination of the musical noise
	// phenomenon …", 1994). The latter also sets how far noise is lowered: about -17 dB, and never
	// more than gainFloor.
	priorWeight = 0.98
	priorFloor  = 0.0178 // -17.5 dB
	gainFloor   = 0.126  // -18 dB
)

// enhancer reduces stationary and slowly changing noise in one channel. Each tick it looks at the
// last 32 ms, finds the noise's power in each of 257 frequency bins (see noiseTracker), and
// multiplies each bin by the gain that minimises the mean square error of the log spectrum: Y.
// Ephraim and D. Malah, "Speech enhancement using a minimum mean-square error log-spectral
// amplitude estimator", IEEE Trans. ASSP 33(2), 1985, with the decision-directed a priori SNR of
// their 1984 paper. Frames are windowed before and after, so that gains of 1 reproduce the input
// exactly.
//
// All that tick depends on is in memory (one block, so it can be saved as it is) and noise.frames.
type enhancer struct {
	memory  []float32
	past    []float32 // the last overlapped samples of input
	overlap []float32 // sums of earlier frames that later ones still add to
	clean   []float32 // squared amplitude estimated in the last frame
	meanDB  []float32 // one value: the mean gain of about the last second
	noise   noiseTracker

	frame    []float64 // the rest is scratch and shared tables
	spectrum []complex128
	power    []float64
	windows  *frameWindows
	gains    *lsaTable
	fft      *realFFT
}

func newEnhancer() *enhancer {
	e := &enhancer{
		memory:   make([]float32, 2*overlapped+frameBins+1+noiseFloats),
		frame:    make([]float64, frameSamples),
		spectrum: make([]complex128, frameBins),
		power:    make([]float64, frameBins),
		windows:  enhanceWindows(),
		gains:    lsaGains(),
		fft:      frameFFT(),
	}
	rest := e.memory
	e.past, rest = rest[:overlapped], rest[overlapped:]
	e.overlap, rest = rest[:overlapped], rest[overlapped:]
	e.clean, rest = rest[:frameBins], rest[frameBins:]
	e.meanDB, rest = rest[:1], rest[1:]
	e.noise.begin(rest)
	return e
}

// tick replaces x (TickSamples samples in units of a 16-bit step) by the enhanced samples
// enhanceDelay earlier.
func (e *enhancer) tick(x []float64) {
	for i, v := range e.past {
		e.frame[i] = float64(v) * e.windows.analysis[i]
	}
	copy(e.past, e.past[TickSamples:])
	recent := e.past[overlapped-TickSamples:]
	for i, v := range x {
		recent[i] = float32(v)
		e.frame[overlapped+i] = float64(recent[i]) * e.windows.analysis[overlapped+i]
	}
	e.fft.forward(e.spectrum, e.frame)
	for k, z := range e.spectrum {
		e.power[k] = real(z)*real(z) + imag(z)*imag(z)
	}
	e.noise.update(e.power)
	e.applyGains()
	e.fft.inverse(e.frame, e.spectrum)
	e.overlapAdd(x)
}

func (e *enhancer) applyGains() {
	sum := 0.0
	for k, p := range e.power {
		noise := float64(e.noise.power[k])
		post := p / noise
		prior := max(priorWeight*float64(e.clean[k])/noise+(1-priorWeight)*max(post-1, 0), priorFloor)
		wiener := prior / (1 + prior)
		g := min(max(wiener*e.gains.at(wiener*post), gainFloor), 1)
		e.clean[k] = float32(g * g * p)
		e.spectrum[k] *= complex(g, 0)
		sum += g * g
	}
	db := float32(10 * math.Log10(sum/frameBins))
	if e.noise.frames == 1 {
		e.meanDB[0] = db
	}
	e.meanDB[0] += (db - e.meanDB[0]) / ticksPerSecond
}

// overlapAdd adds the frame to what earlier frames left, and copies to out the part that no later
// frame changes.
func (e *enhancer) overlapAdd(out []float64) {
	for i := range e.frame {
		e.frame[i] *= e.windows.synthesis[i]
	}
	for i, v := range e.overlap {
		e.frame[i] += float64(v)
	}
	copy(out, e.frame[:TickSamples])
	for i, v := range e.frame[TickSamples:] {
		e.overlap[i] = float32(v)
	}
}

// report returns noise and mean gain in dB, see Front.NoiseReport.
func (e *enhancer) report() (noiseDB, gainDB float64, ok bool) {
	sum := 0.0
	for k, p := range e.noise.power {
		if k == 0 || k == frameBins-1 {
			p /= 2
		}
		sum += 2 * float64(p)
	}
	meanSquare := sum / (frameSamples * e.windows.energy)
	return 10 * math.Log10(meanSquare/(32768*32768)), float64(e.meanDB[0]), e.noise.frames > 0
}

// frameWindows holds the windows before and after the change of a spectrum. Over overlapping frames
// the sum of their products is 1 at each sample.
type frameWindows struct {
	analysis, synthesis []float64
	energy              float64 // sum of the squared analysis window: white noise's power in a bin per unit variance
}

var enhanceWindows = sync.OnceValue(func() *frameWindows {
	w := &frameWindows{analysis: make([]float64, frameSamples), synthesis: make([]float64, frameSamples)}
	for i := range w.analysis {
		w.analysis[i] = math.Sin(math.Pi * (float64(i) + 0.5) / frameSamples) // square root of Hann's
		w.energy += w.analysis[i] * w.analysis[i]
	}
	for i := range w.synthesis {
		sum := 0.0
		for j := i % TickSamples; j < frameSamples; j += TickSamples {
			sum += w.analysis[j] * w.analysis[j]
		}
		w.synthesis[i] = w.analysis[i] / sum
	}
	return w
})
