package openai

import (
	"math"
	"slices"

	"steno/session/asr"
	"steno/session/asr/clean"
	"steno/session/asr/remote"
)

// maxBeyond is how far times may lie beyond the audio: Whisper pads it, and rounds to whole seconds
// where it is unsure.
const maxBeyond = 1.0 // seconds

// place sets the words' times, in order and within the audio. Words without times of their own, and
// all where those that the server sent cannot be, get estimates.
func place(words []asr.Word, parts []spoken, samples []int16, dropped clean.Drops) {
	timed := slices.ContainsFunc(parts, spoken.timed)
	if timed && !possible(parts, len(samples)) {
		dropped[clean.Times]++
		timed = false
	}
	if timed {
		at := 0
		for i := range words {
			words[i].Start = within(parts[i].Start, at, len(samples))
			words[i].End = within(parts[i].End, words[i].Start, len(samples))
			at = words[i].Start
		}
		return
	}
	for i, end := 0, 0; i < len(words); {
		n := 1
		for i+n < len(words) && parts[i+n].of == parts[i].of {
			n++
		}
		from, to := parts[i].of.in(end, len(samples))
		if from == to { // a segment that cannot be: the estimate is for all words
			i, n, from, to = 0, len(words), 0, len(samples)
		}
		remote.Place(words[i:i+n], samples, from, to)
		i, end = i+n, to
	}
}

// timed reports whether a word has times of its own.
func (s spoken) timed() bool { return s.Start != 0 || s.End != 0 }

// possible reports whether words may have been said when the server states: one after the other,
// within n samples.
func possible(parts []spoken, n int) bool {
	end := number(n)/asr.Rate + maxBeyond
	at := number(0)
	for _, p := range parts {
		if p.Start < 0 || p.End < p.Start || p.Start < at-maxBeyond || p.End > end {
			return false
		}
		at = p.Start
	}
	return parts[len(parts)-1].End > 0
}

// in returns the segment's range within those from low to high: all of them for no segment, an
// empty one for one that cannot be.
func (s *segment) in(low, high int) (from, to int) {
	if s == nil {
		return low, high
	}
	from = within(s.Start, low, high)
	return from, within(s.End, from, high)
}

// within converts seconds to samples between two bounds. What is not a number is the lower one.
func within(seconds number, low, high int) int {
	at := math.Round(float64(seconds) * asr.Rate)
	if !(at > float64(low)) {
		return low
	}
	return int(min(at, float64(high)))
}

const (
	// maxQuiet is the greatest probability of silence that speech has, by the model.
	maxQuiet = 0.5
	// minTrust is the least probability of the words that a model has not made up.
	minTrust = 0.5
)

// quiet reports whether the audio of an answer may hold no speech: by the model, or because it is
// faint.
func (a *answer) quiet(samples []int16) bool {
	for i := range a.Segments {
		s := &a.Segments[i]
		if s.NoSpeechProb != nil && *s.NoSpeechProb > maxQuiet || s.confidence() > 0 && s.confidence() < minTrust {
			return true
		}
	}
	return clean.Loudest(samples) < clean.Faint
}
