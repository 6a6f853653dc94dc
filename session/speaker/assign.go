package speaker

import (
	"cmp"
	"slices"

	"steno/messages"
)

// A run of words within an utterance has its own speaker if it has at least this many words or
// lasts at least this long. Shorter runs are taken for errors of the diarization.
const (
	minRunWords   = 2
	minRunSeconds = 0.5
)

// Assign returns the utterances with their speakers, and splits those in which the speaker changes.
// turns are those of each channel, in samples; they may overlap. A word belongs to the speaker
// whose turns it shares the most time with, or to the nearest turn. A run of less than two words
// and half a second goes to its neighbor in time.
//
// The parts of an utterance that was split have its words, in order, and the times, the mean
// confidence and the text of their own words. Other utterances keep their text. The result is
// ordered by start, and its speakers count from 0 in the order of their first utterance. It shares
// the words with the input, which is not changed. The utterances of a channel without turns have a
// speaker of their own.
func Assign(utterances []messages.Utterance, turns [][]Turn) []messages.Utterance {
	of := make([]timeline, len(turns))
	for i, t := range turns {
		of[i] = newTimeline(t)
	}
	var out []messages.Utterance
	for _, u := range utterances {
		if u.Channel < 0 || u.Channel >= len(of) || len(of[u.Channel].turns) == 0 {
			out = append(out, withSpeaker(u, -1-u.Channel)) // a number that no turn has
			continue
		}
		out = append(out, of[u.Channel].split(u)...)
	}
	slices.SortStableFunc(out, func(a, b messages.Utterance) int { return cmp.Compare(a.Start, b.Start) })
	renumber(out)
	return out
}

func renumber(utterances []messages.Utterance) {
	var number numbering
	for i, u := range utterances {
		n := number.of(*u.Speaker)
		utterances[i].Speaker = &n
	}
}

type turnSeconds struct {
	start, end float64 // seconds
	speaker    int
}

// timeline is the turns of a channel, ordered by start. latest[i] is the latest end of the turns up
// to i.
type timeline struct {
	turns  []turnSeconds
	latest []float64
}

func newTimeline(turns []Turn) timeline {
	var v timeline
	for _, t := range turns {
		v.turns = append(v.turns, turnSeconds{float64(t.Start) / rate, float64(t.End) / rate, t.Speaker})
	}
	slices.SortStableFunc(v.turns, func(a, b turnSeconds) int { return cmp.Compare(a.start, b.start) })
	for i, t := range v.turns {
		if i > 0 {
			t.end = max(t.end, v.latest[i-1])
		}
		v.latest = append(v.latest, t.end)
	}
	return v
}

// at returns the speaker with the most time between start and end, in seconds; of several with as
// much, the first.
func (v timeline) at(start, end float64) int {
	first, _ := slices.BinarySearch(v.latest, start)
	first = max(first-1, 0) // the turn with the latest end before start
	shared := map[int]float64{}
	best, gap := 0, -1.0
	for _, t := range v.turns[min(first, len(v.turns)):] {
		if t.start > end && gap >= 0 && t.start-end >= gap {
			break
		}
		if s := min(end, t.end) - max(start, t.start); s > 0 {
			shared[t.speaker] += s
		}
		if away := max(t.start-end, start-t.end, 0); gap < 0 || away < gap {
			best, gap = t.speaker, away
		}
	}
	most := 0.0
	for _, t := range v.turns[min(first, len(v.turns)):] {
		if t.start > end {
			break
		}
		if s := shared[t.speaker]; s > most {
			best, most = t.speaker, s
		}
	}
	return best
}

// run is a stretch of words of one speaker.
type run struct{ from, to, speaker int }

func (v timeline) split(u messages.Utterance) []messages.Utterance {
	if len(u.Words) == 0 {
		return []messages.Utterance{withSpeaker(u, v.at(u.Start, u.End))}
	}
	var runs []run
	for i, w := range u.Words {
		runs = appendRun(runs, run{i, i + 1, v.at(w.Start, w.End)})
	}
	runs = smooth(runs, u.Words)
	if len(runs) == 1 {
		return []messages.Utterance{withSpeaker(u, runs[0].speaker)}
	}
	out := make([]messages.Utterance, len(runs))
	for i, r := range runs {
		out[i] = withSpeaker(u.Excerpt(u.Words[r.from:r.to:r.to]), r.speaker)
	}
	return out
}

func appendRun(runs []run, r run) []run {
	if n := len(runs); n > 0 && runs[n-1].speaker == r.speaker {
		runs[n-1].to = r.to
		return runs
	}
	return append(runs, r)
}

// smooth adds runs that are too short to the run before or after them, whichever is nearer in time.
func smooth(runs []run, words []messages.Word) []run {
	var out []run
	for i, r := range runs {
		if r.to-r.from >= minRunWords || words[r.to-1].End-words[r.from].Start >= minRunSeconds || len(runs) == 1 {
			out = appendRun(out, r)
			continue
		}
		before, after := i > 0, i+1 < len(runs)
		if before && after {
			before = words[r.from].Start-words[r.from-1].End <= words[r.to].Start-words[r.to-1].End
		}
		if before {
			out[len(out)-1].to = r.to
		} else {
			runs[i+1].from = r.from
		}
	}
	return out
}

func withSpeaker(u messages.Utterance, speaker int) messages.Utterance {
	u.Speaker = &speaker
	return u
}
