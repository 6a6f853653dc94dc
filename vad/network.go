package vad

import (
	"sync"

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

// layers is a Network laid out to be computed. It is read by every Detector that uses it and never written.
type layers struct {
	dense, input, state matrix
	out                 []float32
	outBias             float32
}

func newLayers(n *Network) *layers {
	return &layers{
		dense: newMatrix(n.Dense, n.DenseBias), input: newMatrix(n.Input, n.InputBias), state: newMatrix(n.State, n.StateBias),
		out: n.Out, outBias: n.OutBias,
	}
}

// builtinLayers are those of the built-in network, the same for all Detectors: they take 50 kB.
var builtinLayers = sync.OnceValue(func() *layers { return newLayers(&builtin) })

// workspace is the memory in which a step is computed. Nothing in it outlives the step.
type workspace struct {
	meter                        logmel.Meter
	bands                        [inputs]float32 // of the two windows
	hidden, fromInput, fromState []float32       // whole blocks
}

// workspaces hold those that are not in use: as many as there are steps at a time, not as there are Detectors.
var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// fit makes room for the layers.
func (w *workspace) fit(l *layers) {
	if units := 3 * len(l.out); len(w.hidden) != len(l.dense.bias) || len(w.fromInput) != blocks(units) {
		w.hidden, w.fromInput, w.fromState = scratch(len(l.dense.bias)), scratch(units), scratch(units)
	}
}

// step takes the bands of two windows in w, moves the state h on and returns log-odds.
func (l *layers) step(w *workspace, h []float32) float32 {
	l.dense.apply(w.hidden, w.bands[:])
	for i, v := range w.hidden {
		w.hidden[i] = max(v, 0)
	}
	l.input.apply(w.fromInput, w.hidden[:l.input.columns])
	l.state.apply(w.fromState, h)
	n := len(h)
	gates, candidate := w.fromInput[:2*n], w.fromInput[2*n:3*n]
	for i, v := range w.fromState[:len(gates)] {
		gates[i] += v
	}
	activation.Sigmoids(gates)
	reset, update := gates[:n], gates[n:]
	for i, v := range w.fromState[2*n:][:n] {
		candidate[i] += float32(reset[i] * v)
	}
	activation.Tanhs(candidate)
	odds := l.outBias
	for i, c := range candidate {
		h[i] = c + float32(update[i]*(h[i]-c))
		odds += float32(h[i] * l.out[i])
	}
	return odds
}
