// Package activation has the activation functions of the speech detector's network. The detector and the program that fits
// it share them, so that the weights are used with the arithmetic they were fitted with.
package activation

import "math"

// Sigmoid is 1/(1+e^-x), to about five digits.
func Sigmoid(x float32) float32 { return 1 / (1 + exp(-x)) }

// Tanh is the hyperbolic tangent, to about five digits.
func Tanh(x float32) float32 { return 1 - 2/(1+exp(2*x)) }

// Sigmoids puts Sigmoid of each number in its place.
func Sigmoids(x []float32) {
	n := curves(x, -1, 0, 1)
	for i, v := range x[n:] {
		x[n+i] = Sigmoid(v)
	}
}

// Tanhs puts Tanh of each number in its place.
func Tanhs(x []float32) {
	n := curves(x, 2, 1, -2)
	for i, v := range x[n:] {
		x[n+i] = Tanh(v)
	}
}

// exp is e to the x to about five digits: a power of two times the first six terms of the series. x is limited to ±80, so
// that the result is a normal number.
func exp(x float32) float32 {
	x = max(-80, min(80, x)) * math.Log2E
	k := float32(int32(x+127.5) - 127)
	f := (x - k) * math.Ln2
	p := 1 + f*(1+f*(0.5+f*(1.0/6+f*(1.0/24+f*(1.0/120)))))
	return p * math.Float32frombits(uint32(int32(k)+127)<<23)
}
