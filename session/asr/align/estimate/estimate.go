// Package estimate estimates when words were said, from the audio and their letters alone.
package estimate

import (
	"math"
	"slices"
	"unicode"

	"steno/session/asr"
)

const (
	frame    = asr.Rate / 100    // samples
	MinSpan  = frame             // of a word with sound
	minPause = 3 * asr.Rate / 10 // that no word reaches over
	margin   = 5 * frame         // of quiet that belongs to speech
)

// Span is where a word lies in the samples that it was aligned with.
type Span struct {
	Start, End int  // in samples; 0 <= Start <= End
	Known      bool // aligned; otherwise an estimate
}

// Spans spreads words over the part of the audio that is voiced, by their letters. No word reaches
// over a pause of more than 0.3 s. There is a span for each word, in order, within the samples, and
// of [MinSpan] at least where there is room. None is Known.
func Spans(samples []int16, words []string) []Span {
	weights := make([]float64, len(words))
	var all float64
	for i, w := range words {
		weights[i] = Letters(w)
		all += weights[i]
	}
	out := make([]Span, len(words))
	voiced := voicedRanges(samples)
	var total float64
	for _, r := range voiced {
		total += float64(r.end - r.start)
	}
	var before, passed float64 // weight of the words, and length of the ranges, so far
	next := 0
	for k, r := range voiced {
		passed += float64(r.end - r.start)
		first := next
		var weight float64
		for next < len(words) && (k == len(voiced)-1 || (before+weight+weights[next]/2)*total <= passed*all) {
			weight += weights[next]
			next++
		}
		spread(out[first:next], weights[first:next], r)
		before += weight
	}
	Settle(out, weights, len(samples))
	return out
}

// spread divides a range among words by their weights.
func spread(out []Span, weights []float64, r interval) {
	var all, before float64
	for _, w := range weights {
		all += w
	}
	at := func(x float64) int { return r.start + int(x/max(all, 1)*float64(r.end-r.start)) }
	for i, w := range weights {
		out[i] = Span{Start: at(before), End: at(before + w)}
		before += w
	}
}

// digitLetters is how many letters a digit counts.
const digitLetters = 4

// Letters returns the length of a word as it is spoken; 0: it has no sound.
func Letters(word string) float64 {
	var n float64
	for _, c := range word {
		switch {
		case unicode.IsDigit(c):
			n += digitLetters
		case unicode.IsLetter(c):
			n++
		case unicode.IsSymbol(c) && c < unicode.MaxLatin1 || c == '%' || c == '&' || c == '@' || c == '#' || c == '€':
			n += digitLetters
		}
	}
	return n
}

// Voiced returns how much of the samples from the first on is louder than the background of all, in
// samples.
func Voiced(samples []int16, first int) (n int) {
	for i, loud := range loudFrames(samples) {
		if loud && i*frame >= first {
			n += frame
		}
	}
	return n
}

// interval is a range of samples.
type interval struct{ start, end int }

// voicedRanges returns the ranges between pauses: those of less than minPause apart are one. There
// is one at least, of all samples if nothing stands out.
func voicedRanges(samples []int16) []interval {
	loud := loudFrames(samples)
	var out []interval
	for i, l := range loud {
		if !l {
			continue
		}
		start, end := max(i*frame-margin, 0), min((i+1)*frame+margin, len(samples))
		if n := len(out) - 1; n >= 0 && start-out[n].end < minPause-2*margin {
			out[n].end = end
		} else {
			out = append(out, interval{start, end})
		}
	}
	if len(out) == 0 {
		return []interval{{0, len(samples)}}
	}
	return out
}

// How far, in dB, a loud frame lies above the quiet ones, and below the loudest at most.
const (
	aboveFloor = 9
	belowPeak  = 35
)

// loudFrames reports for each 10 ms whether they are louder than the background.
func loudFrames(samples []int16) []bool {
	levels := make([]float64, len(samples)/frame)
	for i := range levels {
		levels[i] = level(samples[i*frame : (i+1)*frame])
	}
	out := make([]bool, len(levels))
	if len(levels) == 0 {
		return out
	}
	ranked := slices.Sorted(slices.Values(levels))
	floor, peak := ranked[len(ranked)/10], ranked[len(ranked)*19/20]
	limit := max(floor+aboveFloor, peak-belowPeak)
	for i, l := range levels {
		out[i] = l >= limit
	}
	return out
}

// level returns the power of samples in dB, low frequencies attenuated.
func level(samples []int16) float64 {
	power, before := 1.0, float64(samples[0])
	for _, v := range samples {
		d := float64(v) - 0.9*before
		before = float64(v)
		power += d * d / float64(len(samples))
	}
	return 10 * math.Log10(power)
}

// Settle moves spans so that they are in order, within n samples, and long enough: MinSpan for
// words with weight, less if there is no room.
func Settle(spans []Span, weights []float64, n int) {
	sounding := 0
	for _, w := range weights {
		if w > 0 {
			sounding++
		}
	}
	least := func(i int) int {
		if weights[i] == 0 {
			return 0
		}
		return min(MinSpan, n/sounding)
	}
	at := 0
	for i := range spans {
		s := &spans[i]
		s.Start = max(s.Start, at)
		s.End = max(s.End, s.Start+least(i))
		at = s.End
	}
	at = n
	for i := len(spans) - 1; i >= 0; i-- {
		s := &spans[i]
		s.End = min(s.End, at)
		s.Start = min(s.Start, s.End-least(i))
		at = s.Start
	}
}
