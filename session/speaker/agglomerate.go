package speaker

import "math"

// linkage holds the cost of merging each pair of groups.
type linkage struct {
	groups  []gaussian
	p       *prior
	lambda  float64
	own     []float64 // cost of each group
	into    []int     // the group that each was merged into; itself where it was not
	delta   [][]float64
	nearest []int // by group, the nearest of the groups before it; -1: there is none
}

// merge is one step of agglomerative clustering: group from went into group into.
type merge struct {
	from, into int
	cost       float64 // change of the criterion; negative where the merge improves it
	distance   float64 // between the two groups, see distance
	smaller    float64 // frames of the smaller group
	larger     int     // the larger group of the two
}

// agglomerate merges the two most similar groups repeatedly until left groups remain. It computes
// O(n^2) determinants. It changes groups: those that remain hold the frames of their cluster.
func agglomerate(groups []gaussian, p *prior, lambda float64, left int) []merge {
	c := newLinkage(groups, p, lambda)
	var steps []merge
	for alive := len(groups); alive > left; alive-- {
		m := c.best()
		c.describe(&m)
		c.merge(m.from, m.into)
		steps = append(steps, m)
	}
	return steps
}

func newLinkage(groups []gaussian, p *prior, lambda float64) *linkage {
	n := len(groups)
	c := &linkage{groups: groups, p: p, lambda: lambda, own: make([]float64, n), into: make([]int, n),
		delta: make([][]float64, n), nearest: make([]int, n)}
	for i := range groups {
		c.own[i], c.into[i] = p.cost(&groups[i]), i
		c.delta[i] = make([]float64, i)
		for j := range i {
			c.delta[i][j] = c.change(i, j)
		}
		c.findNearest(i)
	}
	return c
}

// gain returns the log-likelihood that two groups lose by sharing a Gaussian, and their number of
// frames.
func (c *linkage) gain(i, j int) (gain, n float64) {
	both := c.groups[i]
	both.merge(&c.groups[j])
	return c.p.cost(&both) - c.own[i] - c.own[j], both.n
}

// change returns the change of the criterion by a merge.
func (c *linkage) change(i, j int) float64 {
	gain, n := c.gain(i, j)
	return gain - c.lambda/2*freedom*math.Log(max(n, 2))
}

// distance returns how different two groups of a and b frames are, independent of their size: the
// gain by a Gaussian each, less the gain expected of frames of one voice, divided by the harmonic
// mean of the counts.
func distance(gain, a, b float64) float64 {
	return (gain - chanceGain*freedom) / max(a*b/max(a+b, 1), 1)
}

// chanceGain is what frames of one voice gain by a second Gaussian, for each of its parameters.
const chanceGain = 0.75

// describe fills in the distance and the sizes of the two groups of a merge.
func (c *linkage) describe(m *merge) {
	gain, _ := c.gain(m.from, m.into)
	a, b := c.groups[m.from].n, c.groups[m.into].n
	m.distance = distance(gain, a, b)
	m.smaller, m.larger = min(a, b), m.into
	if a > b {
		m.larger = m.from
	}
}

// findNearest finds the nearest of the groups before i.
func (c *linkage) findNearest(i int) {
	c.nearest[i] = -1
	for j, d := range c.delta[i] {
		if c.into[j] == j && (c.nearest[i] < 0 || d < c.delta[i][c.nearest[i]]) {
			c.nearest[i] = j
		}
	}
}

func (c *linkage) best() merge {
	m := merge{from: -1}
	for k, n := range c.nearest {
		if c.into[k] == k && n >= 0 && (m.from < 0 || c.delta[k][n] < m.cost) {
			m = merge{from: k, into: n, cost: c.delta[k][n]}
		}
	}
	return m
}

// merge merges group i into group j, which is before it.
func (c *linkage) merge(i, j int) {
	c.groups[j].merge(&c.groups[i])
	c.into[i] = j
	c.own[j] = c.p.cost(&c.groups[j])
	for k := range c.groups {
		switch {
		case c.into[k] != k || k == j:
		case k < j:
			c.delta[j][k] = c.change(j, k)
		default:
			c.delta[k][j] = c.change(k, j)
		}
	}
	c.findNearest(j)
	for k := j + 1; k < len(c.groups); k++ {
		if c.into[k] != k {
			continue
		}
		if n := c.nearest[k]; n == i || n == j {
			c.findNearest(k)
		} else if c.delta[k][j] < c.delta[k][n] {
			c.nearest[k] = j
		}
	}
}
