package main

import (
	"go/parser"
	"go/token"
	"io"
	"math"
	"slices"
	"testing"

	"steno/vad"
	"steno/vad/internal/logmel"
	"steno/vad/training/corpus"
	"steno/vad/training/noise"
)

// loudPool has examples in which speech is what is loud in a band.
func loudPool(n int) []example {
	r := noise.Seed(3)
	out := make([]example, n)
	for i := range out {
		e := example{
			bands: make([]int16, sceneFrames*logmel.Bands), speech: make([]float32, steps),
			weight: slices.Repeat([]float32{1}, steps), keep: slices.Repeat([]float32{1}, steps),
		}
		for s := range steps {
			if s/10%2 == 0 {
				e.speech[s] = 1
			}
			for b := range 2 * logmel.Bands {
				v := -10 + r.NormFloat64()
				if b%logmel.Bands == 7 {
					v += 4 * float64(e.speech[s])
				}
				e.bands[s*2*logmel.Bands+b] = int16(v / grain)
			}
		}
		out[i] = e
	}
	return out
}

// Trained networks tell speech, and the same seed trains the same one.
func TestTrainingLearnsAndRepeats(t *testing.T) {
	pool := loudPool(batch)
	size := shape{inputs: 2 * logmel.Bands, hidden: 8, units: 8}
	l, n := train(pool, size, course{seed: 1, epochs: 20, rate: 2e-2}, nil, io.Discard)
	right := 0
	l.load(0, &pool[0], n.view(0, 0))
	for s := range steps {
		l.forward(s)
		if (l.logOdds[0] > 0) == (pool[0].speech[s] == 1) {
			right++
		}
	}
	if right < steps*9/10 {
		t.Errorf("%d of %d steps are right", right, steps)
	}
	short := course{seed: 2, epochs: 1, rate: 1e-2}
	a, _ := train(pool, size, short, nil, io.Discard)
	b, _ := train(pool, size, short, nil, io.Discard)
	if !slices.Equal(a.p.all, b.p.all) {
		t.Error("two trainings of a seed differ")
	}
}

// The network that is written answers bands as the learner answers what it was shown.
func TestTheWrittenNetworkIsTheLearnt(t *testing.T) {
	pool := loudPool(1)
	l := newLearner(shape{inputs: 2 * logmel.Bands, hidden: 16, units: 16}, 8)
	l.p.randomize(l.shape, noise.Seed(4))
	n := newNormal(pool)
	l.load(0, &pool[0], n.view(0, 0))
	l.forward(0)
	written := network(l, n)
	hidden := written.DenseBias[3]
	for i, w := range written.Dense[3] {
		frame, band := 1-i/logmel.Bands, i%logmel.Bands
		hidden += w * float32(pool[0].bands[frame*logmel.Bands+band]) * grain
	}
	if got := l.moments[0].hidden[3*8]; math.Abs(float64(max(hidden, 0)-got)) > 1e-3 {
		t.Errorf("the written network has %v where the learner has %v", hidden, got)
	}
	again := newParameters(l.shape)
	again.adopt(written, n)
	for i, v := range again.all {
		if math.Abs(float64(v-l.p.all[i])) > 1e-3 {
			t.Fatalf("number %d is %v after being adopted, was %v", i, v, l.p.all[i])
		}
	}
	text, err := code(written, []string{"make"}, []string{"nothing"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "weights.go", text, 0); err != nil {
		t.Error(err)
	}
	vad.NewDetectorWith(written).Frame(nil)
}

func TestOnlyFreeMaterialIsLearntFrom(t *testing.T) {
	for licence, want := range map[string]bool{
		"CC0": true, "CC BY 4.0": true, "CC BY 3.0 (clips CC0/CC BY)": true, "Apache-2.0": true,
		"MIT repo; AMI corpus CC BY 4.0": true,
		"public domain (waiver)":         true, "CC BY-SA 4.0": false, "CC BY-NC 4.0": false, "BSD-2-Clause": false,
		"":                    false,
		"all rights reserved": false,
	} {
		if free(licence) != want {
			t.Errorf("%q: %v", licence, !want)
		}
	}
	if !heldOut(corpus.Clip{Name: "esc10_Rain_3-1-A"}) || heldOut(corpus.Clip{Name: "esc10_Rain_2-1-A"}) {
		t.Error("the wrong fold of noises is left out")
	}
}

func TestSoundIsFoundByItsLevel(t *testing.T) {
	x := make([]float32, 100*corpus.Frame)
	for i := 30 * corpus.Frame; i < 60*corpus.Frame; i++ {
		x[i] = float32(0.1 * math.Sin(float64(i)))
	}
	for f, on := range sounding(x, 26, 9) {
		if in := f >= 30 && f < 60; on != in && f != 60 {
			t.Errorf("frame %d: %v", f, on)
		}
	}
}
