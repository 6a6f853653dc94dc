package main

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync"

	"steno/vad"
	"steno/vad/noise"
)

const (
	batch = 64
	rate  = 0.004 // of learning at the start; falls to 0
	decay = 4e-3  // of the weights: keeps them small
)

// fit returns the mean of the networks with seeds o.seed .. o.seed+o.nets-1, as one.
func fit(data *dataset, o options) *vad.Network {
	mean, scale := standardise(data)
	single := make([]*trainer, o.nets)
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for i := range single {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			single[i] = newTrainer(o.units, noise.Seed(o.seed+uint64(i)))
			single[i].run(data, o.epochs)
		})
	}
	wait.Wait()
	out := &vad.Network{Mean: mean, Scale: scale}
	for _, t := range single {
		for _, u := range t.units() {
			u.Out /= float64(o.nets)
			out.Hidden = append(out.Hidden, u)
		}
		out.Offset += t.p[len(t.p)-1] / float64(o.nets)
	}
	return out
}

// standardise puts the inputs to mean 0 and variance 1.
func standardise(data *dataset) (mean, scale [vad.Inputs]float64) {
	n := float64(len(data.inputs))
	for _, x := range data.inputs {
		for i, v := range x {
			mean[i] += v / n
			scale[i] += v * v / n
		}
	}
	for i := range scale {
		scale[i] = 1 / math.Sqrt(max(scale[i]-mean[i]*mean[i], 1e-4))
	}
	for k := range data.inputs {
		for i := range mean {
			data.inputs[k][i] = (data.inputs[k][i] - mean[i]) * scale[i]
		}
	}
	return mean, scale
}

// trainer holds one network as a row of numbers: for each unit its weights, its offset
// and its weight in the sum; last the offset of the sum.
type trainer struct {
	r                          *rand.Rand
	p, gradient, first, second []float64
	hidden                     []float64
	steps                      int
}

const stride = vad.Inputs + 2

func newTrainer(units int, r *rand.Rand) *trainer {
	n := units*stride + 1
	t := &trainer{r: r, p: make([]float64, n), gradient: make([]float64, n), first: make([]float64, n), second: make([]float64, n), hidden: make([]float64, units)}
	for j := range units {
		for i := range vad.Inputs {
			t.p[j*stride+i] = r.NormFloat64() * 0.6 / math.Sqrt(vad.Inputs)
		}
		t.p[j*stride+vad.Inputs+1] = r.NormFloat64() * 0.5
	}
	return t
}

func (t *trainer) units() []vad.Unit {
	out := make([]vad.Unit, len(t.hidden))
	for j := range out {
		row := t.p[j*stride:]
		copy(out[j].In[:], row)
		out[j].Offset, out[j].Out = row[vad.Inputs], row[vad.Inputs+1]
	}
	return out
}

func (t *trainer) run(data *dataset, epochs int) {
	order := t.r.Perm(len(data.inputs))
	for e := range epochs {
		learn := rate * (1 - float64(e)/float64(epochs))
		for at := 0; at+batch <= len(order); at += batch {
			clear(t.gradient)
			for _, k := range order[at : at+batch] {
				t.learn(&data.inputs[k], data.speech[k], data.weight[k]/batch)
			}
			t.step(learn)
		}
	}
}

// learn adds the gradient of the cross entropy of one frame.
func (t *trainer) learn(x *[vad.Inputs]float64, speech, weight float64) {
	z := t.p[len(t.p)-1]
	for j := range t.hidden {
		row := t.p[j*stride : j*stride+stride]
		a := row[vad.Inputs]
		for i, v := range x {
			a += row[i] * v
		}
		t.hidden[j] = math.Tanh(a)
		z += row[vad.Inputs+1] * t.hidden[j]
	}
	d := weight * (1/(1+math.Exp(-z)) - speech)
	t.gradient[len(t.p)-1] += d
	for j, h := range t.hidden {
		g := t.gradient[j*stride : j*stride+stride]
		g[vad.Inputs+1] += d * h
		back := d * t.p[j*stride+vad.Inputs+1] * (1 - h*h)
		g[vad.Inputs] += back
		for i, v := range x {
			g[i] += back * v
		}
	}
}

// step is one of Adam: D. P. Kingma, J. Ba, "Adam: a method for stochastic
// optimization", ICLR 2015.
func (t *trainer) step(learn float64) {
	t.steps++
	c1 := 1 - math.Pow(0.9, float64(t.steps))
	c2 := 1 - math.Pow(0.999, float64(t.steps))
	for i := range t.p {
		g := t.gradient[i] + decay*t.p[i]
		t.first[i] = 0.9*t.first[i] + 0.1*g
		t.second[i] = 0.999*t.second[i] + 0.001*g*g
		t.p[i] -= learn * (t.first[i] / c1) / (math.Sqrt(t.second[i]/c2) + 1e-8)
	}
}
