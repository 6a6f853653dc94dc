package audio

import (
	"math"
	"sync"
)

const (
	upFactor, downFactor = 3, 2 // of the conversion from Rate to UpsampledRate
	// upHalf is half the length of its low-pass prototype, at upFactor*Rate: 2.5 ms.
	upHalf = 120
	// upCutoff is the -6 dB point: the images of what lies below 7 kHz begin at 9.
	upCutoff = 7500
	// upTaps is how many coefficients an output sample has at most.
	upTaps = 2*upHalf/upFactor + 1
)

// UpsampledRate is the rate of what an [Upsampler] returns, in Hz.
const UpsampledRate = Rate * upFactor / downFactor

// Upsampler converts a stream at Rate to UpsampledRate, without a delay between the two: output
// sample m is heard when input sample 2/3 m is. The cuts between the pieces that it is given do not
// change what it returns. One goroutine calls its methods.
type Upsampler struct {
	in    []float64 // from the first sample that is still needed
	first int       // that sample
	n     int       // samples of input so far
	m     int       // samples of output so far
}

// Append appends what the samples so far make certain to dst and returns it. It does not keep
// samples.
func (u *Upsampler) Append(dst, samples []int16) []int16 {
	for _, s := range samples {
		u.in = append(u.in, float64(s))
	}
	u.n += len(samples)
	for (downFactor*u.m+upHalf)/upFactor < u.n {
		dst = append(dst, u.next())
	}
	return dst
}

// Flush appends the rest to dst and returns it: the input ends there. All calls together have
// returned 3/2 as many samples as they were given, rounded up.
func (u *Upsampler) Flush(dst []int16) []int16 {
	for downFactor*u.m < upFactor*u.n {
		dst = append(dst, u.next())
	}
	return dst
}

// next returns the next output sample. Input before the first sample and after the last is silent.
func (u *Upsampler) next() int16 {
	at := downFactor * u.m
	u.m++
	oldest := ceilDiv(at-upHalf, upFactor)
	coefficients := &upsampling()[upFactor*oldest-(at-upHalf)]
	from, to := max(oldest, u.first), min(oldest+upTaps, u.n)
	sum := dot(coefficients[from-oldest:to-oldest], u.in[from-u.first:])
	if drop := oldest - u.first; drop >= Rate {
		u.in = u.in[:copy(u.in, u.in[drop:])]
		u.first = oldest
	}
	return toInt16(sum)
}

// ceilDiv returns a/b, rounded up; b is positive.
func ceilDiv(a, b int) int {
	q := a / b
	if q*b < a {
		q++
	}
	return q
}

// upsampling returns the coefficients of an output sample by how far, in samples of the prototype,
// the first input sample in its reach lies within that.
var upsampling = sync.OnceValue(func() *[upFactor][upTaps]float64 {
	var rows [upFactor][upTaps]float64
	for phase := range rows {
		sum := 0.0
		for j := range rows[phase] {
			if k := phase + j*upFactor - upHalf; k <= upHalf {
				rows[phase][j] = windowedSinc(int(math.Abs(float64(k))), upHalf, upCutoff/float64(upFactor*Rate))
				sum += rows[phase][j]
			}
		}
		for j := range rows[phase] { // each row alone has gain 1 at 0 Hz
			rows[phase][j] /= sum
		}
	}
	return &rows
})
