package speaker

import "math"

// pairs holds what each merge of two groups would cost.
type pairs struct {
	groups []gaussian
	p      *prior
	lambda float64
	own    []float64 // cost of each group by itself
	into   []int     // the group that each was merged into; itself: none
	delta  [][]float64
	near   []int // for each group the nearest of those before it; -1: none
}

// merge is one step of agglomerative clustering: group from went into group into.
type merge struct {
	from, into int
	cost       float64 // change of the criterion; below 0 the merge is for the better
	apart      float64 // how different the two were, see [apart]
	smaller    float64 // frames of the smaller one
	larger     int     // which was the larger one
}

// agglomerate merges the two groups that are most alike, again and again, until there are so many left. It takes
// O(n^2) determinants. The groups are changed: those that stay hold the frames of their cluster.
func agglomerate(groups []gaussian, p *prior, lambda float64, left int) []merge {
	c := newPairs(groups, p, lambda)
	var steps []merge
	for alive := len(groups); alive > left; alive-- {
		m := c.best()
		c.describe(&m)
		c.join(m.from, m.into)
		steps = append(steps, m)
	}
	return steps
}

func newPairs(groups []gaussian, p *prior, lambda float64) *pairs {
	n := len(groups)
	c := &pairs{groups: groups, p: p, lambda: lambda, own: make([]float64, n), into: make([]int, n),
		delta: make([][]float64, n), near: make([]int, n)}
	for i := range groups {
		c.own[i], c.into[i] = p.cost(&groups[i]), i
		c.delta[i] = make([]float64, i)
		for j := range i {
			c.delta[i][j] = c.merged(i, j)
		}
		c.seek(i)
	}
	return c
}

// gain is the log-likelihood that two groups lose by sharing a Gaussian.
func (c *pairs) gain(i, j int) (gain, n float64) {
	both := c.groups[i]
	both.merge(&c.groups[j])
	return c.p.cost(&both) - c.own[i] - c.own[j], both.n
}

// merged is the change of the criterion by a merge.
func (c *pairs) merged(i, j int) float64 {
	gain, n := c.gain(i, j)
	return gain - c.lambda/2*freedom*math.Log(max(n, 2))
}

// apart is how different two groups of a and b frames are, whatever their size, that gain so much by a Gaussian each:
// the gain, less what it would be for frames of one kind, for each frame of the harmonic count.
func apart(gain, a, b float64) float64 {
	return (gain - chance*freedom) / max(a*b/max(a+b, 1), 1)
}

// chance is what frames of one voice gain by a second Gaussian, for each of its parameters.
const chance = 0.75

// describe tells how different the two groups of a merge are.
func (c *pairs) describe(m *merge) {
	gain, _ := c.gain(m.from, m.into)
	a, b := c.groups[m.from].n, c.groups[m.into].n
	m.apart = apart(gain, a, b)
	m.smaller, m.larger = min(a, b), m.into
	if a > b {
		m.larger = m.from
	}
}

// seek finds the nearest of those before i.
func (c *pairs) seek(i int) {
	c.near[i] = -1
	for j, d := range c.delta[i] {
		if c.into[j] == j && (c.near[i] < 0 || d < c.delta[i][c.near[i]]) {
			c.near[i] = j
		}
	}
}

func (c *pairs) best() merge {
	m := merge{from: -1}
	for k, n := range c.near {
		if c.into[k] == k && n >= 0 && (m.from < 0 || c.delta[k][n] < m.cost) {
			m = merge{from: k, into: n, cost: c.delta[k][n]}
		}
	}
	return m
}

// join merges i into j, which is before it.
func (c *pairs) join(i, j int) {
	c.groups[j].merge(&c.groups[i])
	c.into[i] = j
	c.own[j] = c.p.cost(&c.groups[j])
	for k := range c.groups {
		switch {
		case c.into[k] != k || k == j:
		case k < j:
			c.delta[j][k] = c.merged(j, k)
		default:
			c.delta[k][j] = c.merged(k, j)
		}
	}
	c.seek(j)
	for k := j + 1; k < len(c.groups); k++ {
		if c.into[k] != k {
			continue
		}
		if n := c.near[k]; n == i || n == j {
			c.seek(k)
		} else if c.delta[k][j] < c.delta[k][n] {
			c.near[k] = j
		}
	}
}
