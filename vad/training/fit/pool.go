package main

import (
	"math"
	"runtime"
	"sync"

	"steno/vad"
	"steno/vad/internal/logmel"
	"steno/vad/training/corpus"
)

const (
	steps = sceneFrames / 2 // of the network
	// grain is the resolution at which the pool keeps logarithms.
	grain = 1.0 / 1024
)

// example is a scene as the network sees it.
type example struct {
	bands  []int16   // sceneFrames x logmel.Bands, in grains
	speech []float32 // per step
	weight []float32 // per step; 0 where the network is not asked
	keep   []float32 // per step: 0 where the state is reset, else 1
}

// pool makes n examples, those of the numbers from seed<<32 on.
func (k *stock) pool(n int, seed uint64, workers int) []example {
	out := make([]example, n)
	var wait sync.WaitGroup
	next := make(chan int)
	for range max(1, min(workers, runtime.GOMAXPROCS(0))) {
		wait.Go(func() {
			var m logmel.Meter
			for i := range next {
				out[i] = k.scene(seed<<32 + uint64(i)).example(&m)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
	return out
}

// example is the scene at 16 bits, measured.
func (s *scene) example(m *logmel.Meter) example {
	const lead = logmel.Samples - corpus.Frame
	x := make([]int16, lead+sceneSamples)
	for i, v := range s.x {
		x[lead+i] = int16(math.Round(float64(max(-32768, min(32767, v*32768)))))
	}
	e := example{
		bands:  make([]int16, sceneFrames*logmel.Bands),
		speech: make([]float32, steps), weight: make([]float32, steps), keep: make([]float32, steps),
	}
	var bands [logmel.Bands]float32
	calm := 0
	for f := range sceneFrames {
		m.Measure((*[logmel.Samples]int16)(x[f*corpus.Frame:]), bands[:])
		for b, v := range bands {
			e.bands[f*logmel.Bands+b] = int16(v / grain)
		}
		if vad.Silent(x[lead+f*corpus.Frame:][:corpus.Frame]) {
			calm++
		} else {
			calm = 0
		}
		if f%2 == 0 {
			continue
		}
		e.speech[f/2], e.weight[f/2], e.keep[f/2] = s.speech[f], s.weight[f], 1
		if calm >= vad.SilentFrames {
			e.weight[f/2], e.keep[f/2] = 0, 0
		}
	}
	e.stress()
	return e
}

// stress doubles the weight of the first quarter of a second of speech: there decisions
// are made.
func (e *example) stress() {
	const long = 250 / 20
	left := 0
	for i, p := range e.speech {
		switch {
		case p <= 0.5:
			left = 0
			continue
		case i == 0 || e.speech[i-1] <= 0.5:
			left = long
		}
		if left > 0 {
			e.weight[i] *= 2
			left--
		}
	}
}

// spread is the mean of each band and one over its standard deviation.
func spread(pool []example) (mean, scale [logmel.Bands]float32) {
	var sum, squares [logmel.Bands]float64
	n := 0.0
	for _, e := range pool[:min(len(pool), 2000)] {
		for i, v := range e.bands {
			x := float64(v) * grain
			sum[i%logmel.Bands] += x
			squares[i%logmel.Bands] += x * x
		}
		n += sceneFrames
	}
	for b := range mean {
		m := sum[b] / n
		mean[b], scale[b] = float32(m), float32(1/math.Sqrt(squares[b]/n-m*m))
	}
	return mean, scale
}
