package speaker

import (
	"context"
	"math"
	"slices"
)

const (
	rounds       = 3
	stretch      = 60000 // frames decoded at once: 10 min, which bounds the memory
	shortestTurn = 60    // frames
	changeCost   = 30.0  // log-likelihood that a change of speaker costs
	pauseCost    = 15.0  // at a pause
	mostParts    = 8     // of a mixture
	partFrames   = 300   // that a mixture has for each of its parts at least
	mostFrames   = 20000 // that a mixture learns from
	leastScore   = -1000 // of a frame: one odd frame shall not decide a turn
	leastSpread  = 0.1   // of a mixture's variances, as a share of the whole recording's
)

// redraw moves the borders between k speakers to where mixtures of their speech have them, some times over. It stops
// before fewer than least speakers would be left.
func (v *voiced) redraw(ctx context.Context, of []uint8, k, least int) ([]uint8, error) {
	for range rounds {
		if k == 1 {
			break
		}
		models, err := v.models(ctx, of, k)
		if err != nil {
			return nil, err
		}
		drawn := make([]uint8, 0, len(of))
		for from := 0; from < len(of); {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			to := v.stretchEnd(from)
			drawn = append(drawn, v.decode(models, from, to)...)
			from = to
		}
		left := compact(drawn)
		if left < min(k, least) {
			break
		}
		of, k = drawn, left
	}
	return of, nil
}

// stretchEnd is the end of a stretch of frames, at a pause if there is one.
func (v *voiced) stretchEnd(from int) int {
	all := len(v.counts)
	if all-from <= stretch {
		return all
	}
	i, _ := slices.BinarySearch(v.cuts, from+stretch+1)
	if at := v.cuts[i-1]; at > from {
		return at
	}
	return from + stretch
}

// compact numbers speakers from 0 without gaps and returns how many there are.
func compact(of []uint8) int {
	var number numbering
	for i, s := range of {
		of[i] = uint8(number.of(int(s)))
	}
	return len(number)
}

// models learns a mixture for each speaker, of more parts the more he has spoken.
func (v *voiced) models(ctx context.Context, of []uint8, k int) ([]*mixture, error) {
	sets := make([][]int32, k)
	for i, s := range of {
		if v.counts[i] {
			sets[s] = append(sets[s], int32(i))
		}
	}
	out := make([]*mixture, k)
	for i, set := range sets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i], _ = v.model(set)
	}
	return out, nil
}

// model learns a mixture of frames, and returns those of them that it has learnt.
func (v *voiced) model(set []int32) (*mixture, [][]float32) {
	var floor [dims]float64
	for i := range floor {
		floor[i] = leastSpread * v.prior.cov[diagonal(i)]
	}
	apart := (len(set)-1)/mostFrames + 1
	var x [][]float32
	for j := 0; j < len(set); j += apart {
		x = append(x, v.frame(int(set[j])))
	}
	parts := 1
	for parts < mostParts && len(x) >= 2*parts*partFrames {
		parts *= 2
	}
	return fit(x, parts, &floor), x
}

// decode finds the likeliest sequence of speakers for the frames from one up to another, with turns of shortestTurn at
// least (the last may be shorter).
func (v *voiced) decode(models []*mixture, from, to int) []uint8 {
	n, k := to-from, len(models)
	p := newPath(n, k)
	pause := make([]bool, n+1)
	for _, s := range v.cuts {
		if from <= s && s <= to {
			pause[s-from] = true
		}
	}
	scores := make([]float64, k)
	for t := range n {
		if v.counts[from+t] {
			for j, m := range models {
				scores[j] = max(m.score(v.frame(from+t)), leastScore)
			}
		} else {
			clear(scores)
		}
		cost := changeCost
		if begin := t + 1 - shortestTurn; begin == 0 {
			cost = 0
		} else if begin > 0 && pause[begin] {
			cost = pauseCost
		}
		p.advance(t, scores, cost)
	}
	return p.back()
}

// path is the state of a Viterbi decoder with turns of a least length.
type path struct {
	n, k  int
	sums  [][]float64 // of the scores of each speaker up to each of the last frames, a ring of shortestTurn
	best  []float64   // of paths that end with each speaker
	top   []float64   // the best of each time
	who   []uint8     // and its speaker
	begun []bool      // n*k: whether the best path to a speaker began a turn just shortestTurn ago
}

func newPath(n, k int) *path {
	p := &path{n: n, k: k, best: make([]float64, k), top: make([]float64, n+1), who: make([]uint8, n+1),
		begun: make([]bool, n*k), sums: make([][]float64, shortestTurn)}
	for i := range p.sums {
		p.sums[i] = make([]float64, k)
	}
	return p
}

// advance takes the scores of frame t; cost is that of a turn's beginning shortestTurn frames before its end.
func (p *path) advance(t int, scores []float64, cost float64) {
	last, now := p.sums[t%len(p.sums)], p.sums[(t+1)%len(p.sums)]
	begin := t + 1 - shortestTurn
	most := math.Inf(-1)
	for j, s := range scores {
		before := now[j] // the ring's oldest: up to begin
		now[j] = last[j] + s
		p.best[j] += s
		if begin >= 0 {
			if w := p.top[begin] - cost + now[j] - before; w > p.best[j] {
				p.best[j], p.begun[t*p.k+j] = w, true
			}
		}
		if p.best[j] > most {
			most, p.who[t+1] = p.best[j], uint8(j)
		}
	}
	p.top[t+1] = most
}

// back follows the best path from its end.
func (p *path) back() []uint8 {
	out := make([]uint8, p.n)
	t, j := p.n, p.who[p.n]
	for t > 0 {
		if !p.begun[(t-1)*p.k+int(j)] {
			t--
			out[t] = j
			continue
		}
		for range shortestTurn {
			t--
			out[t] = j
		}
		j = p.who[t]
	}
	return out
}
