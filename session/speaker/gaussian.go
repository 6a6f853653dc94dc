package speaker

import "math"

const (
	crossed = dims * (dims + 1) / 2
	freedom = dims + crossed // parameters of a Gaussian

	leastVariance = 1e-3 // added to each variance
)

// diagonal returns the index of element (i, i) in a lower triangle.
func diagonal(i int) int { return i * (i + 3) / 2 }

// gaussian is the statistics of frames for a Gaussian with full covariance.
type gaussian struct {
	n     float64
	sum   [dims]float64
	cross [crossed]float64 // lower triangle of the sum of outer products, row by row
}

func (g *gaussian) add(x []float32) {
	g.n++
	at := 0
	for i := range dims {
		v := float64(x[i])
		g.sum[i] += v
		for j := 0; j <= i; j++ {
			g.cross[at] += v * float64(x[j])
			at++
		}
	}
}

func (g *gaussian) merge(o *gaussian) {
	g.n += o.n
	for i, v := range o.sum {
		g.sum[i] += v
	}
	for i, v := range o.cross {
		g.cross[i] += v
	}
}

func (g *gaussian) remove(o *gaussian) {
	g.n -= o.n
	for i, v := range o.sum {
		g.sum[i] -= v
	}
	for i, v := range o.cross {
		g.cross[i] -= v
	}
}

// scatter computes the covariance times n.
func (g *gaussian) scatter(s *[crossed]float64) {
	at := 0
	for i := range dims {
		mean := g.sum[i] / max(g.n, 1)
		for j := 0; j <= i; j++ {
			s[at] = g.cross[at] - mean*g.sum[j]
			at++
		}
	}
}

// prior is a covariance that regularizes those of few frames, with the weight of count frames.
type prior struct {
	cov   [crossed]float64
	count float64
}

// newPrior returns the covariance of all frames as a prior.
func newPrior(all *gaussian, count float64) *prior {
	p := &prior{count: count}
	all.scatter(&p.cov)
	for i := range p.cov {
		p.cov[i] /= max(all.n, 1)
	}
	for i := range dims {
		p.cov[diagonal(i)] += leastVariance
	}
	return p
}

// cost returns n/2 times the log determinant of the covariance: the negative log-likelihood of the
// frames, without terms that depend on n alone.
func (p *prior) cost(g *gaussian) float64 {
	var s [crossed]float64
	g.scatter(&s)
	total := g.n + p.count
	for i := range s {
		s[i] = (s[i] + p.count*p.cov[i]) / total
	}
	return g.n / 2 * logDeterminant(&s)
}

// logDeterminant returns the log determinant of a positive definite matrix, and replaces the matrix
// by its Cholesky factor.
func logDeterminant(a *[crossed]float64) float64 {
	sum := 0.0
	row := 0
	for i := range dims {
		other := 0
		for j := 0; j < i; j++ {
			v := a[row+j]
			for k := 0; k < j; k++ {
				v -= a[row+k] * a[other+k]
			}
			a[row+j] = v / a[other+j]
			other += j + 1
		}
		v := a[row+i]
		for k := 0; k < i; k++ {
			v -= a[row+k] * a[row+k]
		}
		v = max(v, 1e-9)
		sum += math.Log(v)
		a[row+i] = math.Sqrt(v)
		row += i + 1
	}
	return sum
}
