package vad

import "math"

// Network is the judge of the features: a layer of tanh units and a linear one. The
// built-in one is what `go run ./vad/fit` wrote.
//
// Its numbers are read by every Detector that uses it and never written.
type Network struct {
	Bias   [Bands]float64  // mean over minimum of white noise, per band
	Mean   [Inputs]float64 // of the features in the fit
	Scale  [Inputs]float64 // one over their standard deviation
	Hidden []Unit
	Offset float64
}

// Unit is tanh(Offset + sum of In times the standardised features), weighed by Out.
type Unit struct {
	In          [Inputs]float64
	Offset, Out float64
}

// logOdds of speech.
func (n *Network) logOdds(x *[Inputs]float64) float64 {
	var z [Inputs]float64
	for i, v := range x {
		z[i] = (v - n.Mean[i]) * n.Scale[i]
	}
	sum := n.Offset
	for i := range n.Hidden {
		u := &n.Hidden[i]
		a := u.Offset
		for j, w := range u.In {
			a += w * z[j]
		}
		sum += u.Out * tanh(a)
	}
	return sum
}

func tanh(x float64) float64 {
	e := math.Exp(-2 * math.Abs(limit(x, -20, 20)))
	return math.Copysign((1-e)/(1+e), x)
}
