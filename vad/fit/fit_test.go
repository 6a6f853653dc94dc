package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"math"
	"testing"

	"steno/vad"
	"steno/vad/corpus"
	"steno/vad/noise"
)

// exclusive is a task no linear judge can do: speech if two inputs differ in sign.
func exclusive() *dataset {
	r, data := noise.Seed(1), new(dataset)
	for range 4000 {
		var x [vad.Inputs]float64
		for i := range x {
			x[i] = r.NormFloat64()
		}
		speech := 0.0
		if x[3]*x[7] < 0 {
			speech = 1
		}
		data.inputs, data.speech, data.weight = append(data.inputs, x), append(data.speech, speech), append(data.weight, 1)
	}
	return data
}

func TestTheFitLearnsWhatIsNotLinear(t *testing.T) {
	data := exclusive()
	n := newTrainer(8, noise.Seed(2))
	n.run(data, 15)
	right := 0
	for i := range data.inputs {
		if (judge(n, &data.inputs[i]) > 0) == (data.speech[i] == 1) {
			right++
		}
	}
	if right < len(data.inputs)*7/10 {
		t.Errorf("%d of %d right", right, len(data.inputs))
	}
}

func judge(n *trainer, x *[vad.Inputs]float64) float64 {
	z := n.p[len(n.p)-1]
	for _, u := range n.units() {
		a := u.Offset
		for i, v := range x {
			a += u.In[i] * v
		}
		z += u.Out * math.Tanh(a)
	}
	return z
}

// The gradient must be that of the cross entropy, found by small differences.
func TestGradient(t *testing.T) {
	data := exclusive()
	n := newTrainer(3, noise.Seed(4))
	x, speech := &data.inputs[5], data.speech[5]
	loss := func() float64 {
		z := judge(n, x)
		return math.Log1p(math.Exp(z)) - speech*z
	}
	n.learn(x, speech, 1)
	for i := range n.p {
		const h = 1e-5
		p := n.p[i]
		n.p[i] = p + h
		up := loss()
		n.p[i] = p - h
		slope := (up - loss()) / (2 * h)
		n.p[i] = p
		if math.Abs(slope-n.gradient[i]) > 1e-6 {
			t.Errorf("number %d: gradient %v, slope %v", i, n.gradient[i], slope)
		}
	}
}

func TestTheSameSeedGivesTheSameSource(t *testing.T) {
	o := options{seed: 3, nets: 2, units: 2, epochs: 1}
	a, b := source(fit(exclusive(), o), o), source(fit(exclusive(), o), o)
	if !bytes.Equal(a, b) {
		t.Error("two fits differ")
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "weights.go", a, 0); err != nil {
		t.Error(err)
	}
}

func TestOnsetsWeighMore(t *testing.T) {
	labels := make([]corpus.Label, 100)
	for i := 50; i < 100; i++ {
		labels[i] = corpus.Speech
	}
	for at, want := range map[int]bool{49: false, 50: true, 79: true, 81: false} {
		if isOnset(labels, at) != want {
			t.Errorf("frame %d: %v", at, !want)
		}
	}
}
