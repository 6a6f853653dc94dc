package speaker

import (
	"cmp"
	"slices"
)

// Span is a stretch of a recording: the samples from Start up to End.
type Span struct{ Start, End int }

// mergeSpans returns spans in order and within a number of samples, with those joined that overlap
// or nearly touch.
func mergeSpans(spans []Span, samples int) []Span {
	sorted := slices.Clone(spans)
	slices.SortFunc(sorted, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start),
			cmp.Compare(a.End, b.End))
	})
	var out []Span
	for _, s := range sorted {
		s.Start, s.End = max(s.Start, 0), min(s.End, samples)
		if s.Start >= s.End {
			continue
		}
		if n := len(out); n > 0 && s.Start-out[n-1].End <= joined {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

const (
	joined   = rate / 4    // the longest gap within a span
	shortest = rate / 5    // span found by its energy
	block    = 60 * rate   // over which the noise floor is estimated
	rise     = float32(6)  // dB of speech above the floor, at least
	silence  = float32(18) // dB, below which nothing is speech
)

// loudSpans detects speech by its energy: frames above the noise floor of their minute.
func loudSpans(samples []int16) []Span {
	var out []Span
	var x [window]float64
	for at := 0; at < len(samples); at += block {
		n := frames(min(block+window-step, len(samples)-at))
		loud := make([]float32, n)
		for i := range loud {
			loud[i] = cut(samples[at:], i, &x)
		}
		for _, s := range aboveFloor(loud) {
			out = append(out, Span{at + s.Start*step, at + s.End*step + window - step})
		}
	}
	out = mergeSpans(out, len(samples))
	return slices.DeleteFunc(out, func(s Span) bool { return s.End-s.Start < shortest })
}

// aboveFloor returns the spans of frames above the noise floor of a block.
func aboveFloor(loud []float32) []Span {
	if len(loud) == 0 {
		return nil
	}
	sorted := slices.Clone(loud)
	slices.Sort(sorted)
	floor, top := sorted[len(sorted)/20], sorted[len(sorted)*19/20]
	bar := max(floor+max(rise, 0.35*(top-floor)), silence)
	if top-floor < 2*rise {
		bar = silence // the block has one level
	}
	var out []Span
	for i, v := range loud {
		if v < bar {
			continue
		}
		if n := len(out); n > 0 && out[n-1].End == i {
			out[n-1].End++
			continue
		}
		out = append(out, Span{i, i + 1})
	}
	return out
}
