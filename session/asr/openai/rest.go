package openai

import (
	"math"

	"steno/session/asr"
	"steno/session/asr/align/estimate"
	"steno/session/asr/clean"
)

const (
	// leastRest is the least speech after the last segment of an answer that the server is asked
	// for again: 0.6 s. Whisper stops early now and then, above all where the language changes; the
	// ends of its segments are some tenths of a second off.
	leastRest = asr.Rate * 6 / 10
	// around is how far from the end of the last segment the audio may be cut: 0.25 s.
	around = asr.Rate / 4
	// maxOverlap is how many words at a cut may be heard on both sides.
	maxOverlap = 3
)

// stopped returns the sample from which on an answer leaves out speech, 0 if it leaves out none:
// the quietest place near the end of its last segment.
func (a *answer) stopped(samples []int16) int {
	if len(a.Segments) == 0 {
		return 0
	}
	end := 0
	for i := range a.Segments {
		end = max(end, within(a.Segments[i].End, 0, len(samples)))
	}
	if end == 0 || estimate.Voiced(samples, end) < leastRest {
		return 0
	}
	return quietest(samples, max(end-around, 0), min(end+around, len(samples)))
}

// quietest returns the middle of the quietest 50 ms between two samples.
func quietest(samples []int16, from, to int) int {
	const length = asr.Rate / 20
	best, least := from, math.Inf(1)
	for at := from; at+length <= to; at += length / 5 {
		var power float64
		for _, x := range samples[at : at+length] {
			power += float64(x) * float64(x)
		}
		if power < least {
			best, least = at+length/2, power
		}
	}
	return best
}

// followed returns the result of both parts of an utterance. Its language is that of the part with
// more words. Words at the cut that both parts begin or end with are taken once.
func (t transcript) followed(rest asr.Result) asr.Result {
	out, more := t.result, rest.Words
	for n := min(maxOverlap, len(more), len(out.Words)); n > 0; n-- {
		if alike(out.Words[len(out.Words)-n:], more[:n]) {
			more = more[n:]
			break
		}
	}
	if len(more) > len(out.Words) {
		out.Language = rest.Language
	}
	for _, w := range more {
		w.Start += t.end
		w.End += t.end
		out.Words = append(out.Words, w)
	}
	place := 0
	for i := range out.Words { // the last words of the first part may reach beyond the cut
		w := &out.Words[i]
		w.Start = max(w.Start, place)
		w.End = max(w.End, w.Start)
		place = w.Start
	}
	return out
}

// alike reports whether words have the same letters.
func alike(a, b []asr.Word) bool {
	for i := range a {
		if clean.Letters(a[i].Text) != clean.Letters(b[i].Text) {
			return false
		}
	}
	return true
}
