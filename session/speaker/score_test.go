package speaker

import (
	"cmp"
	"slices"
)

// errors of a diarization, in seconds.
type errorTimes struct{ speech, missed, alarm, confused float64 }

func (e errorTimes) rate() float64 { return 100 * (e.missed + e.alarm + e.confused) / e.speech }

func (e *errorTimes) add(o errorTimes) {
	e.speech, e.missed, e.alarm, e.confused = e.speech+o.speech, e.missed+o.missed, e.alarm+o.alarm, e.confused+
		o.confused
}

// score is the diarization error as NIST's md-eval has it: the time of each instant counts once for
// every reference speaker; speakers are mapped one to one so that they share the most time; around
// every border of a reference turn a collar (samples, each side) is not scored. Overlap is scored.
func score(reference, found []Turn, collar int) errorTimes {
	cuts := borders(reference, found, collar)
	nr, nf := speakers(reference), speakers(found)
	shared := make([][]int, nr)
	for i := range shared {
		shared[i] = make([]int, nf)
	}
	type slice struct {
		length int
		r, f   []int
	}
	var slices_ []slice
	for i := 1; i < len(cuts); i++ {
		a, b := cuts[i-1], cuts[i]
		if b <= a || near(reference, (a+b)/2, collar) {
			continue
		}
		s := slice{b - a, active(reference, a), active(found, a)}
		for _, r := range s.r {
			for _, f := range s.f {
				shared[r][f] += s.length
			}
		}
		slices_ = append(slices_, s)
	}
	match := assignment(shared)
	var e errorTimes
	for _, s := range slices_ {
		right := 0
		for _, r := range s.r {
			if match[r] >= 0 && slices.Contains(s.f, match[r]) {
				right++
			}
		}
		l := float64(s.length) / rate
		e.speech += l * float64(len(s.r))
		e.missed += l * float64(max(0, len(s.r)-len(s.f)))
		e.alarm += l * float64(max(0, len(s.f)-len(s.r)))
		e.confused += l * float64(min(len(s.r), len(s.f))-right)
	}
	return e
}

func borders(reference, found []Turn, collar int) []int {
	var cuts []int
	for _, t := range reference {
		cuts = append(cuts, t.Start, t.End, t.Start-collar, t.Start+collar, t.End-collar, t.End+collar)
	}
	for _, t := range found {
		cuts = append(cuts, t.Start, t.End)
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}

func speakers(turns []Turn) int {
	n := 0
	for _, t := range turns {
		n = max(n, t.Speaker+1)
	}
	return n
}

func near(turns []Turn, at, collar int) bool {
	return slices.ContainsFunc(turns, func(t Turn) bool {
		return max(at-t.Start, t.Start-at) < collar || max(at-t.End, t.End-at) < collar
	})
}

func active(turns []Turn, at int) []int {
	var out []int
	for _, t := range turns {
		if t.Start <= at && at < t.End && !slices.Contains(out, t.Speaker) {
			out = append(out, t.Speaker)
		}
	}
	slices.SortFunc(out, cmp.Compare)
	return out
}

// assignment maps rows to columns (-1: none) so that the sum is the greatest: dynamic programming
// over sets of columns, of which there are few.
func assignment(w [][]int) []int {
	if len(w) == 0 {
		return nil
	}
	cols := len(w[0])
	type cell struct{ sum, pick int }
	table := make([][]cell, len(w)+1)
	for i := range table {
		table[i] = make([]cell, 1<<cols)
	}
	for i := len(w) - 1; i >= 0; i-- {
		for used := range 1 << cols {
			best := cell{table[i+1][used].sum, -1}
			for j := range cols {
				if used>>j&1 == 0 {
					if s := w[i][j] + table[i+1][used|1<<j].sum; s > best.sum {
						best = cell{s, j}
					}
				}
			}
			table[i][used] = best
		}
	}
	out, used := make([]int, len(w)), 0
	for i := range out {
		out[i] = table[i][used].pick
		if out[i] >= 0 {
			used |= 1 << out[i]
		}
	}
	return out
}
