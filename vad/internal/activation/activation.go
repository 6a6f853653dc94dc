// Package activation has the activation functions of the speech detector's network. The detector
// and the program that fits it share them, so that the weights are used with the arithmetic they
// were fitted with.
package activation

import "math"

// Sigmoid is 1/(1+e^-x), to about five digits.
func Sigmoid(x float32) float32 { return 1 / (1 + exp(-x)) }

// Tanh is the hyperbolic tangent, to about five digits.
func Tanh(x float32) float32 { return 1 - 2/(1+exp(2*x)) }

// exp is e to the x to about five digits: a power of two times the first six terms of the series. x
// is limited to ±80, so that the result is a normal number. Each product and sum is rounded
// separately, on every machine.
func exp(x float32) float32 {
	x = float32(max(-80, min(80, x)) * math.Log2E)
	k := int32(x + 127.5) // and 127
	f := float32((x - float32(k-127)) * math.Ln2)
	p := 1.0/24 + float32(f*(1.0/120))
	p = 1.0/6 + float32(f*p)
	p = 0.5 + float32(f*p)
	p = 1 + float32(f*p)
	p = 1 + float32(f*p)
	return float32(p * math.Float32frombits(uint32(k)<<23))
}
