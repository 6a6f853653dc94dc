package main

import (
	"runtime"
	"sync"

	"steno/vad"
	"steno/vad/corpus"
	"steno/vad/noise"
)

// dataset is one row per frame.
type dataset struct {
	inputs [][vad.Inputs]float64
	speech []float64 // 0 or 1
	weight []float64 // their mean is 1
}

type group struct {
	kind  kind
	label corpus.Label
}

// share is how much each group counts in the fit, however many frames it has.
var share = map[group]float64{
	{conversation, corpus.Speech}:  0.25,
	{conversation, corpus.Silence}: 0.25,
	{read, corpus.Speech}:          0.17,
	{read, corpus.Silence}:         0.13,
	{negative, corpus.Silence}:     0.20,
}

// onsetWeight is what a frame of speech counts that has silence within 0.3 s before:
// there decisions are made.
const onsetWeight = 3

// frames computes the features of every second frame of the examples.
func frames(examples []example, bias [vad.Bands]float64) *dataset {
	features := make([][][vad.Inputs]float64, len(examples))
	var wait sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range examples {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			features[i] = extract(examples[i], bias)
		})
	}
	wait.Wait()
	count := map[group]float64{}
	for _, e := range examples {
		for _, l := range e.Labels {
			count[group{e.kind, l}]++
		}
	}
	data, total := new(dataset), 0.0
	for i, e := range examples {
		for k := i % 2; k < len(e.Labels); k += 2 {
			if e.Labels[k] == corpus.Unclear {
				continue
			}
			g := group{e.kind, e.Labels[k]}
			w := share[g] / count[g]
			if isOnset(e.Labels, k) {
				w *= onsetWeight
			}
			data.inputs = append(data.inputs, features[i][k])
			data.speech = append(data.speech, float64(e.Labels[k]))
			data.weight = append(data.weight, w)
			total += w
		}
	}
	for i := range data.weight {
		data.weight[i] *= float64(len(data.weight)) / total
	}
	return data
}

func isOnset(labels []corpus.Label, at int) bool {
	if labels[at] != corpus.Speech || at < 40 {
		return false
	}
	for _, l := range labels[at-30 : at] {
		if l == corpus.Silence {
			return true
		}
	}
	return false
}

func extract(e example, bias [vad.Bands]float64) [][vad.Inputs]float64 {
	d := vad.NewDetectorWith(&vad.Network{Bias: bias})
	x := noise.PCM(e.Samples)
	var out [][vad.Inputs]float64
	for i := 0; i+vad.FrameSamples <= len(x); i += vad.FrameSamples {
		d.Frame(x[i : i+vad.FrameSamples])
		out = append(out, d.Features())
	}
	return out
}
