package moonshine

import (
	"math"

	"steno/session/asr"
)

const rate = asr.Rate

const (
	before = rate * 3 / 10 // zeros before a padded utterance
	after  = rate / 2      // zeros after it
	peak   = 0.5           // what the loudest sample of a scaled utterance becomes
	// least is the audio that the encoder is given at least (0.5 s): of less its first layers make
	// too few frames.
	least = rate / 2
)

// variant is a way to present an utterance to the encoder. A model makes other mistakes in each, so
// the more probable of several texts is right more often than any one.
type variant struct {
	padded bool
	scaled bool
	speed  float64 // 1: as it was spoken
}

// single is the length (1.6 s) of what may be a single word. All variants are decoded of it, which
// costs little: of digits and commands 21 % are wrong with two variants, 18 % with all.
const single = rate * 16 / 10

// ordinaryDecodes is how many variants a final is chosen from at most, unless a request has another
// number; sure is the mean log probability (-0.2) from which a text needs no other. With both a
// third of the processor time of always two is saved, and as many words are right.
const (
	ordinaryDecodes = 2
	sure            = -0.2
)

// variants are in the order in which they are worth their time.
var variants = []variant{
	{padded: true, scaled: true, speed: 1},
	{speed: 1},
	{padded: true, scaled: true, speed: 14. / 15},
	{padded: true, scaled: true, speed: 15. / 14},
	{scaled: true, speed: 1},
}

// apply returns the utterance's samples between -1 and 1 as the encoder is to hear them.
func (v variant) apply(samples []int16) []float32 {
	audio := make([]float32, len(samples))
	for i, s := range samples {
		audio[i] = float32(s) / 32768
	}
	if v.speed != 1 {
		audio = stretch(audio, v.speed)
	}
	if v.scaled {
		scale(audio)
	}
	if !v.padded {
		return append(audio, make([]float32, max(0, least-len(audio)))...)
	}
	out := make([]float32, before+len(audio)+after)
	copy(out[before:], audio)
	return out
}

// scale makes the loudest sample as loud as peak. Digital silence stays.
func scale(audio []float32) {
	top := float32(0)
	for _, s := range audio {
		top = max(top, s, -s)
	}
	if top == 0 {
		return
	}
	for i := range audio {
		audio[i] *= peak / top
	}
}

const (
	taps   = 16  // samples on each side that a stretched one is made of
	phases = 512 // places between two samples for which weights are kept
)

// kernels are the weights of the samples around a place between two samples, by phase: a sinc under
// a Hann window.
var kernels = func() (k [phases][2 * taps]float32) {
	for p := range k {
		for i := range k[p] {
			x := float64(i-taps+1) - float64(p)/phases
			w := 1.0
			if x != 0 {
				w = math.Sin(math.Pi*x) / (math.Pi * x)
			}
			k[p][i] = float32(w * (0.5 + 0.5*math.Cos(math.Pi*x/taps)))
		}
	}
	return k
}()

// stretch changes speed and pitch together, as a tape does: speed 2 halves the length. Speeds are
// near 1, so no filter against aliases is needed.
func stretch(audio []float32, speed float64) []float32 {
	out := make([]float32, int(float64(len(audio))/speed))
	for i := range out {
		at := float64(i) * speed
		first := int(at)
		k := &kernels[int((at-float64(first))*phases)]
		sum := float32(0)
		for j, w := range k {
			if n := first + j - taps + 1; n >= 0 && n < len(audio) {
				sum += w * audio[n]
			}
		}
		out[i] = sum
	}
	return out
}
