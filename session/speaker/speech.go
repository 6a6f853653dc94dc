package speaker

import (
	"cmp"
	"slices"
)

// Span is a stretch of a recording: the samples from Start up to End.
type Span struct{ Start, End int }

// normal puts spans into order and within so many samples, and joins those that overlap or are nearly one.
func normal(spans []Span, samples int) []Span {
	sorted := slices.Clone(spans)
	slices.SortFunc(sorted, func(a, b Span) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
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
	shortest = rate / 5    // of a span that is found by its energy
	block    = 60 * rate   // over which the level of speech is judged
	rise     = float32(6)  // dB above the floor that speech has at least
	silence  = float32(18) // dB, below which nothing is speech
)

// loudSpans finds speech by its energy: frames that stand out of the quietest of their minute.
func loudSpans(samples []int16) []Span {
	var out []Span
	var x [window]float64
	for at := 0; at < len(samples); at += block {
		n := frames(min(block+window-step, len(samples)-at))
		loud := make([]float32, n)
		for i := range loud {
			loud[i] = cut(samples[at:], i, &x)
		}
		for _, s := range standingOut(loud) {
			out = append(out, Span{at + s.Start*step, at + s.End*step + window - step})
		}
	}
	out = normal(out, len(samples))
	return slices.DeleteFunc(out, func(s Span) bool { return s.End-s.Start < shortest })
}

// standingOut returns spans of frames.
func standingOut(loud []float32) []Span {
	if len(loud) == 0 {
		return nil
	}
	sorted := slices.Clone(loud)
	slices.Sort(sorted)
	floor, top := sorted[len(sorted)/20], sorted[len(sorted)*19/20]
	bar := max(floor+max(rise, 0.35*(top-floor)), silence)
	if top-floor < 2*rise {
		bar = silence // all of one level
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
