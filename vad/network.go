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

// layers is a Network laid out to be computed. It is read by every Detector that uses it and never
// written.
type layers struct {
	units        int
	dense, input matrix
	state        matrix // to reset and update, whose biases are in input
	recall       matrix // from the state to the candidate
	out          []float32
	outBias      float32
}

func newLayers(n *Network) *layers {
	units := len(n.Out)
	l := &layers{
		units: units, dense: newMatrix(n.Dense, n.DenseBias), input: newGates(3, n.Input, n.InputBias),
		state:  newGates(2, n.State[:2*units], n.StateBias[:2*units]),
		recall: newMatrix(n.State[2*units:], n.StateBias[2*units:]),
		out:    scratch(units), outBias: n.OutBias,
	}
	copy(l.out, n.Out)
	for i, b := range l.state.bias {
		l.input.bias[i] += b
	}
	return l
}

// builtinLayers are those of the built-in network, the same for all Detectors: they take 60 kB.
var builtinLayers = sync.OnceValue(func() *layers { return newLayers(&builtin) })

// workspace is the memory in which a step is computed. Nothing in it outlives the step.
type workspace struct {
	meter                 logmel.Meter
	bands                 [inputs]float32 // of the two windows
	hidden, gates, recall []float32       // whole blocks
}

// workspaces hold those that are not in use: as many as there are steps at a time, not as there are
// Detectors.
var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// fit makes room for the layers.
func (w *workspace) fit(l *layers) {
	if len(w.hidden) != len(l.dense.bias) || len(w.gates) != len(l.input.bias) {
		w.hidden, w.gates, w.recall = scratch(len(l.dense.bias)), scratch(len(l.input.bias)), scratch(l.units)
	}
}

// step takes the bands of two windows in w, moves the state h, whole blocks, on and
// returns log-odds.
func (l *layers) step(w *workspace, h []float32) float32 {
	n := len(h)
	l.dense.apply(w.hidden, w.bands[:], l.dense.bias, 0)
	l.input.apply(w.gates, w.hidden, l.input.bias, unlimited)
	l.state.apply(w.gates, h, w.gates, unlimited)
	l.recall.apply(w.recall, h, l.recall.bias, unlimited)
	reset, update, candidate := w.gates[:n], w.gates[n:2*n], w.gates[2*n:]
	return l.outBias + activation.Units(h, reset, update, candidate, w.recall, l.out)
}
