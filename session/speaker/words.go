package speaker

import (
	"cmp"
	"slices"

	"steno/messages"
)

// A change of speaker within an utterance needs so much, or it is taken for a mistake of some frames.
const (
	fewestWords  = 2
	leastSeconds = 0.5
)

// Assign tells of each utterance who speaks, and cuts those in which several do. turns are those of each channel, in
// samples; they may overlap. A word is its speaker's whose turns it shares the most time with, else that of the nearest
// turn. A change of speaker within an utterance needs two words or half a second: less goes to the neighbour in time.
//
// The parts of an utterance that was cut have its words, in order, with the times and the mean confidence of their own
// words, and the text of those joined; the others keep their text. What comes back is ordered by start, and its
// speakers count from 0 in the order of their first utterance. The words are shared with the input, which stays as
// it is. The utterances of a channel without turns have a speaker of their own.
func Assign(utterances []messages.Utterance, turns [][]Turn) []messages.Utterance {
	of := make([]voices, len(turns))
	for i, t := range turns {
		of[i] = newVoices(t)
	}
	var out []messages.Utterance
	for _, u := range utterances {
		if u.Channel < 0 || u.Channel >= len(of) || len(of[u.Channel].turns) == 0 {
			out = append(out, as(u, -1-u.Channel)) // like no one else
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

type voice struct {
	start, end float64 // seconds
	speaker    int
}

// voices are turns ordered by start; latest[i] is the latest end of those up to i.
type voices struct {
	turns  []voice
	latest []float64
}

func newVoices(turns []Turn) voices {
	var v voices
	for _, t := range turns {
		v.turns = append(v.turns, voice{float64(t.Start) / rate, float64(t.End) / rate, t.Speaker})
	}
	slices.SortStableFunc(v.turns, func(a, b voice) int { return cmp.Compare(a.start, b.start) })
	for i, t := range v.turns {
		if i > 0 {
			t.end = max(t.end, v.latest[i-1])
		}
		v.latest = append(v.latest, t.end)
	}
	return v
}

// at is who speaks most of the time from start to end; of those who speak as long, the one who began first.
func (v voices) at(start, end float64) int {
	first, _ := slices.BinarySearch(v.latest, start)
	first = max(first-1, 0) // of those before it, one of the latest end
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

func (v voices) split(u messages.Utterance) []messages.Utterance {
	if len(u.Words) == 0 {
		return []messages.Utterance{as(u, v.at(u.Start, u.End))}
	}
	var runs []run
	for i, w := range u.Words {
		runs = appendRun(runs, run{i, i + 1, v.at(w.Start, w.End)})
	}
	runs = steady(runs, u.Words)
	if len(runs) == 1 {
		return []messages.Utterance{as(u, runs[0].speaker)}
	}
	out := make([]messages.Utterance, len(runs))
	for i, r := range runs {
		out[i] = as(excerpt(u, u.Words[r.from:r.to:r.to]), r.speaker)
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

// steady gives runs that are too short to the one before or after them, whichever is nearer in time.
func steady(runs []run, words []messages.Word) []run {
	var out []run
	for i, r := range runs {
		if r.to-r.from >= fewestWords || words[r.to-1].End-words[r.from].Start >= leastSeconds || len(runs) == 1 {
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

// excerpt is the utterance with these of its words alone.
func excerpt(u messages.Utterance, words []messages.Word) messages.Utterance {
	u.Words = words
	u.Start, u.End = words[0].Start, words[len(words)-1].End
	u.Text, u.Confidence = messages.TextOf(words), messages.MeanConfidence(words)
	return u
}

func as(u messages.Utterance, speaker int) messages.Utterance {
	u.Speaker = &speaker
	return u
}
