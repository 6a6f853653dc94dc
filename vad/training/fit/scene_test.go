package main

import (
	"math"
	"slices"
	"testing"

	"steno/vad/internal/logmel"
	"steno/vad/training/corpus"
	"steno/vad/training/noise"
)

// material for scenes: tones that are speech, and noise that is not.
func testStock() *stock {
	all := generate(len(generators), 1)
	for _, k := range []kind{word, phrase, conversation} {
		s := &source{kind: k, name: string(k), samples: make([]float32, 12*corpus.Rate)}
		frames := len(s.samples) / corpus.Frame
		s.speech, s.weight = make([]float32, frames), slices.Repeat([]float32{1}, frames)
		for f := range frames {
			if f%200 < 120 {
				continue
			}
			s.speech[f] = 1
			for i := range corpus.Frame {
				s.samples[f*corpus.Frame+i] = float32(0.2 * math.Sin(float64(i)*float64(1+f%5)*2*math.Pi/corpus.Frame))
			}
		}
		all = append(all, s)
	}
	for _, k := range []kind{noises, music} {
		all = append(all, &source{kind: k, samples: narrow(noise.Scale(noise.Pink(noise.Seconds(3), noise.Seed(2)),
			0.1))})
	}
	return newStock(all)
}

func TestTheSameNumberMakesTheSameScene(t *testing.T) {
	k := testStock()
	for n := range uint64(12) {
		a, b, c := k.scene(n), k.scene(n), k.scene(n+100)
		if !slices.Equal(a.x, b.x) || !slices.Equal(a.speech, b.speech) || slices.Equal(a.x, c.x) {
			t.Errorf("scene %d is not a function of its number", n)
		}
		for i, v := range a.x {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Fatalf("scene %d: sample %d is %v", n, i, v)
			}
		}
	}
}

func TestDigitalSilenceIsNotAsked(t *testing.T) {
	s := &scene{x: make([]float32, sceneSamples), speech: make([]float32, sceneFrames),
		weight: slices.Repeat([]float32{1}, sceneFrames)}
	for i := 5 * corpus.Rate; i < 6*corpus.Rate; i++ {
		s.x[i] = 0.1
		s.speech[i/corpus.Frame] = 1
	}
	e := s.example(new(logmel.Meter))
	for step, want := range map[int]float32{5: 1, 20: 0, 249: 0, 250: 2, 255: 2, 280: 1, 320: 0} {
		if e.weight[step] != want || (e.keep[step] == 0) != (want == 0) {
			t.Errorf("step %d: weight %v, keep %v, want weight %v", step, e.weight[step], e.keep[step], want)
		}
	}
}

func TestPlacedSpeechIsWhereItsAnswerIs(t *testing.T) {
	s := &scene{r: noise.Seed(1), x: make([]float32, sceneSamples), speech: make([]float32, sceneFrames),
		weight: make([]float32, sceneFrames)}
	c := clip{samples: slices.Repeat([]float32{0.5}, 20*corpus.Frame), speech: slices.Repeat([]float32{1}, 20),
		weight: slices.Repeat([]float32{3}, 20)}
	s.place(100*corpus.Frame+7, c, 2)
	for f := range sceneFrames {
		in := f >= 100 && f < 120
		if loud := s.x[f*corpus.Frame+80] != 0; loud != in || (s.speech[f] == 1) != in || (s.weight[f] == 3) != in {
			t.Fatalf("frame %d: sounds %v, speech %v, weight %v", f, loud, s.speech[f], s.weight[f])
		}
	}
}
