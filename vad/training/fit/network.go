package main

import (
	"steno/vad"
	"steno/vad/internal/logmel"
)

// network is what a learner has learnt, for bands as they are.
func network(l *learner, n *normal) *vad.Network {
	out := &vad.Network{
		Dense: rows(l.p.dense, l.inputs), DenseBias: clone(l.p.denseBias),
		Input: rows(l.p.input, l.hidden), InputBias: clone(l.p.inputBias),
		State: rows(l.p.state, l.units), StateBias: clone(l.p.stateBias),
		Out: clone(l.p.out), OutBias: l.p.outBias[0],
	}
	for i, row := range out.Dense {
		for k := range row {
			row[k] *= n.scale[k%logmel.Bands]
			out.DenseBias[i] -= row[k] * n.mean[k%logmel.Bands]
		}
	}
	return out
}

// adopt sets the parameters to those of a network; network undoes it.
func (p *parameters) adopt(from *vad.Network, n *normal) {
	flat := func(to []float32, rows [][]float32) {
		for _, row := range rows {
			to = to[copy(to, row):]
		}
	}
	flat(p.dense, from.Dense)
	flat(p.input, from.Input)
	flat(p.state, from.State)
	copy(p.denseBias, from.DenseBias)
	copy(p.inputBias, from.InputBias)
	copy(p.stateBias, from.StateBias)
	copy(p.out, from.Out)
	p.outBias[0] = from.OutBias
	inputs := len(p.dense) / len(p.denseBias)
	for i := range p.dense {
		p.denseBias[i/inputs] += p.dense[i] * n.mean[i%logmel.Bands]
		p.dense[i] /= n.scale[i%logmel.Bands]
	}
}

func rows(x []float32, columns int) [][]float32 {
	var out [][]float32
	for ; len(x) > 0; x = x[columns:] {
		out = append(out, clone(x[:columns]))
	}
	return out
}

func clone(x []float32) []float32 { return append([]float32(nil), x...) }
