package speaker

import (
	"context"
	"math"
	"slices"
)

const (
	rounds       = 3
	manyRounds   = 8     // where the division to begin with is rough
	stretch      = 60000 // frames decoded together, 10 min: bounds the memory
	shortestTurn = 60    // frames
	changeCost   = 30.0  // log-likelihood that a change of speaker costs
	pauseCost    = 15.0  // the same at a pause
	mostParts    = 8     // of a mixture
	partFrames   = 300   // that a mixture has at least for each of its parts
	mostFrames   = 20000 // that a mixture is fitted to
	leastScore   = -1000 // of a frame, so that one outlier does not decide a turn
	leastSpread  = 0.1   // of a mixture's variances, as a share of the whole recording's
)

// resegment moves the borders between k speakers by Viterbi decoding with a mixture for each
// speaker, several rounds. It stops before fewer than least speakers would remain.
func (v *features) resegment(ctx context.Context, of []uint8, k, least, rounds int) ([]uint8, error) {
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

// stretchEnd returns the end of a stretch of frames that are decoded together, at a pause if there
// is one.
func (v *features) stretchEnd(from int) int {
	all := len(v.loud)
	if all-from <= stretch {
		return all
	}
	i, _ := slices.BinarySearch(v.pauses, from+stretch+1)
	if at := v.pauses[i-1]; at > from {
		return at
	}
	return from + stretch
}

// compact renumbers speakers from 0 on without gaps and returns their number.
func compact(of []uint8) int {
	var number numbering
	for i, s := range of {
		of[i] = uint8(number.of(int(s)))
	}
	return len(number)
}

// models fits a mixture for each speaker, with more parts the more speech there is.
func (v *features) models(ctx context.Context, of []uint8, k int) ([]*mixture, error) {
	sets := make([][]int32, k)
	for i, s := range of {
		if v.loud[i] {
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

// model fits a mixture to frames, and returns those that it was fitted to.
func (v *features) model(set []int32) (*mixture, [][]float32) {
	var floor [dims]float64
	for i := range floor {
		floor[i] = leastSpread * v.prior.cov[diagonal(i)]
	}
	stride := (len(set)-1)/mostFrames + 1
	var x [][]float32
	for j := 0; j < len(set); j += stride {
		x = append(x, v.frame(int(set[j])))
	}
	parts := 1
	for parts < mostParts && len(x) >= 2*parts*partFrames {
		parts *= 2
	}
	return fit(x, parts, &floor), x
}

// decode returns the likeliest speakers of the frames from one up to another. Turns have at least
// shortestTurn frames; the last may be shorter.
func (v *features) decode(models []*mixture, from, to int) []uint8 {
	n, k := to-from, len(models)
	p := newViterbi(n, k)
	pause := make([]bool, n+1)
	for _, s := range v.pauses {
		if from <= s && s <= to {
			pause[s-from] = true
		}
	}
	scores := make([]float64, k)
	for t := range n {
		if v.loud[from+t] {
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
	return p.path()
}

// viterbi is the state of a Viterbi decoder with a minimum length of turns.
type viterbi struct {
	n, k     int
	sums     [][]float64 // cumulative scores of each speaker at the last frames; a ring of shortestTurn
	best     []float64   // score of the best path that ends with each speaker
	top      []float64   // score of the best path at each time
	speakers []uint8     // its speaker
	began    []bool      // n*k: whether the best path to a speaker began a turn exactly shortestTurn ago
}

func newViterbi(n, k int) *viterbi {
	p := &viterbi{n: n, k: k, best: make([]float64, k), top: make([]float64, n+1), speakers: make([]uint8, n+1),
		began: make([]bool, n*k), sums: make([][]float64, shortestTurn)}
	for i := range p.sums {
		p.sums[i] = make([]float64, k)
	}
	return p
}

// advance takes the scores of frame t. cost is that of beginning a turn shortestTurn frames before
// its end.
func (p *viterbi) advance(t int, scores []float64, cost float64) {
	last, now := p.sums[t%len(p.sums)], p.sums[(t+1)%len(p.sums)]
	begin := t + 1 - shortestTurn
	most := math.Inf(-1)
	for j, s := range scores {
		before := now[j] // the oldest of the ring: up to begin
		now[j] = last[j] + s
		p.best[j] += s
		if begin >= 0 {
			if w := p.top[begin] - cost + now[j] - before; w > p.best[j] {
				p.best[j], p.began[t*p.k+j] = w, true
			}
		}
		if p.best[j] > most {
			most, p.speakers[t+1] = p.best[j], uint8(j)
		}
	}
	p.top[t+1] = most
}

// back returns the speakers along the best path.
func (p *viterbi) path() []uint8 {
	out := make([]uint8, p.n)
	t, j := p.n, p.speakers[p.n]
	for t > 0 {
		if !p.began[(t-1)*p.k+int(j)] {
			t--
			out[t] = j
			continue
		}
		for range shortestTurn {
			t--
			out[t] = j
		}
		j = p.speakers[t]
	}
	return out
}
