package vad

import (
	"steno/vad/internal/activation"
	"steno/vad/internal/logmel"
)

// Network judges steps of 20 ms: a dense layer over two windows of logarithms of power
// in bands, gated recurrent units (K. Cho et al., "Learning phrase representations using
// RNN encoder-decoder", 2014) and one output. The built-in one is what `make fit` wrote.
//
// Matrices are lists of rows, a row for each output. A Network is read by every Detector
// that uses it and never written.
type Network struct {
	Dense     [][]float32 // from the window of the step, then that 10 ms before
	DenseBias []float32
	Input     [][]float32 // from the dense layer to the gates: reset, update, candidate
	InputBias []float32
	State     [][]float32 // from the state to the gates
	StateBias []float32
	Out       []float32 // from the state to log-odds of speech
	OutBias   float32
}

const inputs = 2 * logmel.Bands

// layers is a Network laid out to be computed, and the memory to do it in.
type layers struct {
	dense, input, state matrix
	out                 []float32
	outBias             float32

	hidden, fromInput, fromState []float32 // scratch, whole blocks
}

func newLayers(n *Network) *layers {
	units := len(n.Out)
	return &layers{
		dense: newMatrix(n.Dense, n.DenseBias), input: newMatrix(n.Input, n.InputBias), state: newMatrix(n.State, n.StateBias),
		out: n.Out, outBias: n.OutBias,
		hidden: scratch(len(n.Dense)), fromInput: scratch(3 * units), fromState: scratch(3 * units),
	}
}

// step takes the bands of two windows, moves the state h on and returns log-odds.
func (l *layers) step(x *[inputs]float32, h []float32) float32 {
	l.dense.apply(l.hidden, x[:])
	for i, v := range l.hidden {
		l.hidden[i] = max(v, 0)
	}
	l.input.apply(l.fromInput, l.hidden[:l.input.columns])
	l.state.apply(l.fromState, h)
	n := len(h)
	odds := l.outBias
	for i := range h {
		reset := activation.Sigmoid(l.fromInput[i] + l.fromState[i])
		update := activation.Sigmoid(l.fromInput[n+i] + l.fromState[n+i])
		candidate := activation.Tanh(l.fromInput[2*n+i] + reset*l.fromState[2*n+i])
		h[i] = candidate + update*(h[i]-candidate)
		odds += h[i] * l.out[i]
	}
	return odds
}
