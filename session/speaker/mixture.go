package speaker

import "math"

// mixture is a Gaussian mixture with diagonal covariances.
type mixture struct {
	parts []part
}

type part struct {
	bias        float64 // log weight and normaliser
	mean, scale [dims]float64
}

const spread = 0.2 // distance of the halves of a split part from its mean, in standard deviations

// fit returns a mixture of a number of parts, doubled from one on, by a few rounds of expectation
// maximization. Variances are not less than those in floor.
func fit(frames [][]float32, parts int, floor *[dims]float64) *mixture {
	m := &mixture{parts: make([]part, 1)}
	m.parts[0].scale = [dims]float64{}
	m.learn(frames, floor, true)
	for len(m.parts) < parts {
		m.split()
		for range 4 {
			m.learn(frames, floor, false)
		}
	}
	return m
}

func (m *mixture) split() {
	for _, p := range m.parts {
		twin := p
		twin.bias -= math.Ln2
		for d := range dims {
			twin.mean[d] += spread / math.Sqrt(max(p.scale[d], 1e-9))
		}
		m.parts = append(m.parts, twin)
	}
	half := len(m.parts) / 2
	for i := range half {
		p := &m.parts[i]
		p.bias -= math.Ln2
		for d := range dims {
			p.mean[d] -= spread / math.Sqrt(max(p.scale[d], 1e-9))
		}
	}
}

// tally is the weighted statistics of the frames of a part.
type tally struct {
	n            float64
	sum, squares [dims]float64
}

func (m *mixture) learn(frames [][]float32, floor *[dims]float64, first bool) {
	tallies := make([]tally, len(m.parts))
	scores := make([]float64, len(m.parts))
	for _, x := range frames {
		if first {
			scores[0] = 1
		} else {
			m.posterior(x, scores)
		}
		for k, w := range scores {
			if w > 1e-4 {
				tallies[k].add(x, w)
			}
		}
	}
	for k := range m.parts {
		m.parts[k].set(&tallies[k], float64(len(frames)), floor)
	}
}

func (t *tally) add(x []float32, w float64) {
	t.n += w
	for d := range dims {
		v := float64(x[d])
		t.sum[d] += w * v
		t.squares[d] += w * v * v
	}
}

// set sets a part from its statistics. A part with hardly any frame keeps its mean and variance.
func (p *part) set(t *tally, total float64, floor *[dims]float64) {
	p.bias = math.Log((t.n + 1e-3) / (total + 1e-3))
	if t.n >= 2 {
		for d := range dims {
			p.mean[d] = t.sum[d] / t.n
			v := t.squares[d]/t.n - p.mean[d]*p.mean[d]
			p.scale[d] = 1 / max(v, floor[d])
		}
	}
	for d := range dims {
		p.bias += 0.5 * math.Log(max(p.scale[d], 1e-12))
	}
}

func (p *part) score(x []float32) float64 {
	sum := 0.0
	for d := range dims {
		v := float64(x[d]) - p.mean[d]
		sum += v * v * p.scale[d]
	}
	return p.bias - sum/2
}

// posterior computes the probability of each part.
func (m *mixture) posterior(x []float32, out []float64) {
	most := math.Inf(-1)
	for k := range m.parts {
		out[k] = m.parts[k].score(x)
		most = max(most, out[k])
	}
	sum := 0.0
	for k := range out {
		out[k] = math.Exp(out[k] - most)
		sum += out[k]
	}
	for k := range out {
		out[k] /= sum
	}
}

// score returns the log-likelihood of a frame, without a constant.
func (m *mixture) score(x []float32) float64 {
	if len(m.parts) == 1 {
		return m.parts[0].score(x)
	}
	sum, most := 0.0, math.Inf(-1)
	for k := range m.parts {
		v := m.parts[k].score(x)
		if v > most {
			sum = sum*math.Exp(most-v) + 1
			most = v
		} else {
			sum += math.Exp(v - most)
		}
	}
	return most + math.Log(sum)
}
