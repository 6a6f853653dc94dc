package main

import (
	"math"
	"math/rand/v2"

	"steno/vad/internal/activation"
	"steno/vad/training/matrix"
)

// shape is the size of a network: inputs -> dense, ReLU -> gated recurrent units -> one.
type shape struct{ inputs, hidden, units int }

// parameters are the numbers of a network in one slice, with views of its parts.
type parameters struct {
	all []float32

	dense, denseBias []float32 // hidden x inputs
	input, inputBias []float32 // 3*units x hidden: reset, update, candidate
	state, stateBias []float32 // 3*units x units
	out, outBias     []float32 // units
}

func newParameters(s shape) *parameters {
	p := new(parameters)
	parts := []struct {
		view *[]float32
		size int
	}{
		{&p.dense, s.hidden * s.inputs}, {&p.input, 3 * s.units * s.hidden}, {&p.state, 3 * s.units * s.units},
		{&p.out, s.units},
		{&p.denseBias, s.hidden}, {&p.inputBias, 3 * s.units}, {&p.stateBias, 3 * s.units}, {&p.outBias, 1},
	}
	size := 0
	for _, v := range parts {
		size += v.size
	}
	p.all = make([]float32, size)
	rest := p.all
	for _, v := range parts {
		*v.view, rest = rest[:v.size:v.size], rest[v.size:]
	}
	return p
}

// randomize draws the first numbers uniformly, the wider a layer's input the smaller.
func (p *parameters) randomize(s shape, r *rand.Rand) {
	fill := func(inputs int, views ...[]float32) {
		bound := 1 / math.Sqrt(float64(inputs))
		for _, v := range views {
			for i := range v {
				v[i] = float32(between(r, -bound, bound))
			}
		}
	}
	fill(s.inputs, p.dense, p.denseBias)
	fill(s.units, p.input, p.inputBias, p.state, p.stateBias, p.out, p.outBias)
}

// moment is what the network computed at a step, a column for each scene.
type moment struct {
	x      []float32 // batch x inputs
	hidden []float32
	gates  []float32 // 3*units: reset, update, candidate
	recall []float32 // units: the state's share of the candidate
	h      []float32 // units, after the step
	keep   []float32 // batch
	slope  []float32 // batch: of the loss by the log-odds
}

// learner computes losses and slopes of a batch of scenes over all steps.
type learner struct {
	shape
	batch    int
	p, slope *parameters
	moments  []moment

	x, fromInput, fromState, zero    []float32 // scratch of forward
	dIn, dState, dHidden, dh, turned []float32 // scratch of backward
	inputTurned, stateTurned         []float32
	logOdds                          []float32
}

func newLearner(s shape, batch int) *learner {
	floats := func(n int) []float32 { return make([]float32, n*batch) }
	l := &learner{
		shape: s, batch: batch, p: newParameters(s), slope: newParameters(s), moments: make([]moment, steps),
		x: floats(s.inputs), fromInput: floats(3 * s.units), fromState: floats(3 * s.units), zero: floats(s.units),
		dIn: floats(3 * s.units), dState: floats(3 * s.units), dHidden: floats(s.hidden), dh: floats(s.units),
		turned:      floats(max(s.inputs, s.hidden, s.units)),
		inputTurned: make([]float32, 3*s.units*s.hidden), stateTurned: make([]float32, 3*s.units*s.units),
		logOdds: floats(1),
	}
	for t := range l.moments {
		l.moments[t] = moment{
			x: floats(s.inputs), hidden: floats(s.hidden), gates: floats(3 * s.units), recall: floats(s.units),
			h: floats(s.units), keep: floats(1), slope: floats(1),
		}
	}
	return l
}

func (l *learner) before(t int) []float32 {
	if t == 0 {
		return l.zero
	}
	return l.moments[t-1].h
}

// spreadBias sets all columns of rows to the rows' biases.
func spreadBias(rows, bias []float32, batch int) {
	for i, v := range bias {
		row := rows[i*batch : (i+1)*batch]
		for k := range row {
			row[k] = v
		}
	}
}

// forward computes step t and its log-odds.
func (l *learner) forward(t int) {
	m, n := &l.moments[t], l.batch
	matrix.Transpose(l.x, m.x, n, l.inputs)
	spreadBias(m.hidden, l.p.denseBias, n)
	matrix.MulAdd(m.hidden, l.p.dense, l.x, l.hidden, l.inputs, n)
	for i, v := range m.hidden {
		m.hidden[i] = max(v, 0)
	}
	spreadBias(l.fromInput, l.p.inputBias, n)
	matrix.MulAdd(l.fromInput, l.p.input, m.hidden, 3*l.units, l.hidden, n)
	spreadBias(l.fromState, l.p.stateBias, n)
	h := l.before(t)
	matrix.MulAdd(l.fromState, l.p.state, h, 3*l.units, l.units, n)
	size := l.units * n
	reset, update, candidate := m.gates[:size], m.gates[size:2*size], m.gates[2*size:]
	for i, k := 0, 0; i < size; i, k = i+1, k+1 {
		if k == n {
			k = 0
		}
		reset[i] = activation.Sigmoid(l.fromInput[i] + l.fromState[i])
		update[i] = activation.Sigmoid(l.fromInput[size+i] + l.fromState[size+i])
		m.recall[i] = l.fromState[2*size+i]
		candidate[i] = activation.Tanh(l.fromInput[2*size+i] + reset[i]*m.recall[i])
		m.h[i] = (candidate[i] + update[i]*(h[i]-candidate[i])) * m.keep[k]
	}
	for k := range l.logOdds {
		l.logOdds[k] = l.p.outBias[0]
	}
	matrix.MulAdd(l.logOdds, l.p.out, m.h, 1, l.units, n)
}

// prepare turns the matrices for the way back and forgets the slopes.
func (l *learner) prepare() {
	matrix.Transpose(l.inputTurned, l.p.input, 3*l.units, l.hidden)
	matrix.Transpose(l.stateTurned, l.p.state, 3*l.units, l.units)
	clear(l.slope.all)
	clear(l.dh)
}

// backward adds the slopes of step t; dh holds that of the state after it and is left as
// that of the state before.
func (l *learner) backward(t int) {
	m, n := &l.moments[t], l.batch
	h, size := l.before(t), l.units*l.batch
	reset, update, candidate := m.gates[:size], m.gates[size:2*size], m.gates[2*size:]
	for u, o := range l.p.out {
		sum := float32(0)
		row := l.dh[u*n : (u+1)*n]
		for k, d := range m.slope {
			row[k] += o * d
			sum += d * m.h[u*n+k]
		}
		l.slope.out[u] += sum
	}
	for _, d := range m.slope {
		l.slope.outBias[0] += d
	}
	for i, k := 0, 0; i < size; i, k = i+1, k+1 {
		if k == n {
			k = 0
		}
		d := l.dh[i] * m.keep[k]
		dCandidate := d * (1 - update[i]) * (1 - candidate[i]*candidate[i])
		dUpdate := d * (h[i] - candidate[i]) * update[i] * (1 - update[i])
		dReset := dCandidate * m.recall[i] * reset[i] * (1 - reset[i])
		l.dIn[i], l.dIn[size+i], l.dIn[2*size+i] = dReset, dUpdate, dCandidate
		l.dState[i], l.dState[size+i], l.dState[2*size+i] = dReset, dUpdate, dCandidate*reset[i]
		l.dh[i] = d * update[i]
	}
	matrix.MulAdd(l.dh, l.stateTurned, l.dState, l.units, 3*l.units, n)
	clear(l.dHidden)
	matrix.MulAdd(l.dHidden, l.inputTurned, l.dIn, l.hidden, 3*l.units, n)
	for i, v := range m.hidden {
		if v <= 0 {
			l.dHidden[i] = 0
		}
	}
	l.gather(l.slope.state, l.slope.stateBias, l.dState, h, l.units)
	l.gather(l.slope.input, l.slope.inputBias, l.dIn, m.hidden, l.hidden)
	matrix.MulAdd(l.slope.dense, l.dHidden, m.x, l.hidden, n, l.inputs)
	addRows(l.slope.denseBias, l.dHidden, n)
}

// gather adds the slopes of a layer's weights: d of its outputs, x its inputs.
func (l *learner) gather(weight, bias, d, x []float32, inputs int) {
	turned := l.turned[:inputs*l.batch]
	matrix.Transpose(turned, x[:inputs*l.batch], inputs, l.batch)
	matrix.MulAdd(weight, d, turned, len(bias), l.batch, inputs)
	addRows(bias, d, l.batch)
}

func addRows(sums, rows []float32, columns int) {
	for i := range sums {
		s := float32(0)
		for _, v := range rows[i*columns : (i+1)*columns] {
			s += v
		}
		sums[i] += s
	}
}
