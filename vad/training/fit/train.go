package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"steno/vad"
	"steno/vad/internal/activation"
	"steno/vad/internal/logmel"
	"steno/vad/training/matrix"
)

const (
	batch = 64 // scenes
	parts = 2  // of a batch, computed side by side
)

// course is how a network is trained.
type course struct {
	seed   uint64
	epochs int
	rate   float64 // highest rate of learning
}

// train fits a network to the pool, from its beginnings or from another network.
func train(pool []example, s shape, c course, from *vad.Network, w io.Writer) (*learner, *normal) {
	r := rand.New(rand.NewPCG(c.seed, 0x7ea))
	var ls [parts]*learner
	for i := range ls {
		ls[i] = newLearner(s, batch/parts)
		ls[i].p = ls[0].p
	}
	ls[0].p.randomize(s, r)
	n := newNormal(pool)
	if from != nil {
		ls[0].p.adopt(from, n)
	}
	o := newOptimizer(len(ls[0].p.all), c.epochs*(len(pool)/batch), c.rate)
	start := time.Now()
	for epoch := range c.epochs {
		loss := 0.0
		order := r.Perm(len(pool))
		for len(order) >= batch {
			loss += learn(&ls, pool, order[:batch], n, r)
			o.step(ls[0].p.all, ls[0].slope.all)
			order = order[batch:]
		}
		fmt.Fprintf(w, "seed %d, epoch %d of %d: loss %.4f, %v\n", c.seed, epoch+1, c.epochs,
			loss/float64(len(pool)/batch), time.Since(start).Round(time.Second))
	}
	return ls[0], n
}

// learn computes the loss of a batch; its slopes are left with the first learner.
func learn(ls *[parts]*learner, pool []example, scenes []int, n *normal, r *rand.Rand) float64 {
	change := r.Float64() < 0.5
	views := make([]*viewing, len(scenes))
	for i := range views {
		views[i] = n.view(0, 0)
		if change { // another microphone
			views[i] = n.view(between(r, -2, 2), between(r, -1, 1))
		}
	}
	var loss [parts]float64
	var wait sync.WaitGroup
	for i, l := range ls {
		from, to := i*l.batch, (i+1)*l.batch
		wait.Go(func() { loss[i] = l.learn(pool, scenes[from:to], views[from:to]) })
	}
	wait.Wait()
	sum := loss[0]
	for i, l := range ls[1:] {
		sum += loss[i+1]
		matrix.Axpy(ls[0].slope.all, l.slope.all, 1)
	}
	return sum
}

// learn computes the share of the scenes in the loss and its slopes.
func (l *learner) learn(pool []example, scenes []int, views []*viewing) float64 {
	for k, i := range scenes {
		l.load(k, &pool[i], views[k])
	}
	loss := 0.0
	for t := range l.moments {
		l.forward(t)
		m := &l.moments[t]
		for k, z := range l.logOdds {
			y, w := pool[scenes[k]].speech[t], pool[scenes[k]].weight[t]
			p := activation.Sigmoid(z)
			m.slope[k] = w * (p - y) / (steps * batch)
			loss += float64(w) * (math.Log1p(math.Exp(-math.Abs(float64(z)))) + math.Max(float64(z), 0) - float64(y*z))
		}
	}
	l.prepare()
	for t := len(l.moments) - 1; t >= 0; t-- {
		l.backward(t)
	}
	return loss / (steps * batch)
}

// load puts an example into column k of all steps.
func (l *learner) load(k int, e *example, view *viewing) {
	const b = logmel.Bands
	for t := range l.moments {
		x := l.moments[t].x[k*2*b:][:2*b]
		before, now := e.bands[2*t*b:][:b], e.bands[(2*t+1)*b:][:b]
		for i := range b {
			x[i] = view.see(i, now[i])
			x[b+i] = view.see(i, before[i])
		}
		l.moments[t].keep[k] = e.keep[t]
	}
}

// normal brings each band to mean 0 and deviation 1.
type normal struct{ mean, scale [logmel.Bands]float32 }

func newNormal(pool []example) *normal {
	n := new(normal)
	n.mean, n.scale = spread(pool)
	return n
}

// viewing is how bands are seen: through a gain per band, never below the floor.
type viewing struct {
	*normal
	gain [logmel.Bands]float32
}

// view is through a gain and a tilt, in nepers of power.
func (n *normal) view(gain, tilt float64) *viewing {
	v := &viewing{normal: n}
	for b := range v.gain {
		v.gain[b] = float32(gain + tilt*(2*float64(b)/(logmel.Bands-1)-1))
	}
	return v
}

func (v *viewing) see(band int, value int16) float32 {
	return (max(float32(value)*grain+v.gain[band], logmel.Floor) - v.mean[band]) * v.scale[band]
}
