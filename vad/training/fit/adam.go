package main

import "math"

// optimizer is AdamW: I. Loshchilov, F. Hutter, "Decoupled weight decay regularization",
// 2019, with a rate that rises over the first tenth of the steps and falls along a cosine.
type optimizer struct {
	mean, square []float32
	at, steps    int
	rate         float64
}

func newOptimizer(size, steps int, rate float64) *optimizer {
	return &optimizer{mean: make([]float32, size), square: make([]float32, size), steps: steps, rate: rate}
}

const (
	momentum, memory = 0.9, 0.999
	decay            = 1e-3
	longestSlope     = 1.0
)

// now is the rate at the current step.
func (o *optimizer) now() float64 {
	const rise = 0.1
	at := float64(o.at) / float64(o.steps)
	cosine := func(from, to, share float64) float64 { return to + (from-to)*(1+math.Cos(math.Pi*share))/2 }
	if at < rise {
		return cosine(o.rate/25, o.rate, at/rise)
	}
	return cosine(o.rate, o.rate/250000, (at-rise)/(1-rise))
}

// step moves the numbers against the slopes, which are shortened to length 1.
func (o *optimizer) step(p, slope []float32) {
	sum := 0.0
	for _, v := range slope {
		sum += float64(v) * float64(v)
	}
	shorten := float32(min(1, longestSlope/(math.Sqrt(sum)+1e-6)))
	rate := o.now()
	o.at++
	mean := 1 - math.Pow(momentum, float64(o.at))
	square := math.Sqrt(1 - math.Pow(memory, float64(o.at)))
	for i, v := range slope {
		v *= shorten
		o.mean[i] += (1 - momentum) * (v - o.mean[i])
		o.square[i] += (1 - memory) * (v*v - o.square[i])
		root := math.Sqrt(float64(o.square[i]))/square + 1e-8
		p[i] -= float32(rate * (float64(o.mean[i])/mean/root + decay*float64(p[i])))
	}
}
