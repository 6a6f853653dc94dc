package capabilities

import (
	"cmp"
	"math"
	"slices"

	"steno/session/asr"
)

// turns converts what the library found in n samples: ordered by start, within the audio, speakers
// numbered in the order of their first turns.
func turns(found []segment, n int) []asr.Turn {
	converted := make([]asr.Turn, 0, len(found))
	for _, s := range found {
		t := asr.Turn{Start: sample(s.start, n), End: sample(s.end, n), Speaker: s.speaker}
		if t.Start < t.End {
			converted = append(converted, t)
		}
	}
	slices.SortStableFunc(converted, func(a, b asr.Turn) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Speaker, b.Speaker))
	})
	numbers := map[int]int{}
	for i, t := range converted {
		number, ok := numbers[t.Speaker]
		if !ok {
			number = len(numbers)
			numbers[t.Speaker] = number
		}
		converted[i].Speaker = number
	}
	return converted
}

// sample converts seconds to samples from 0 to n.
func sample(seconds float32, n int) int {
	return int(math.Round(min(max(float64(seconds)*asr.Rate, 0), float64(n))))
}

// speakers returns how many speakers have a turn.
func speakers(found []segment) int {
	seen := map[int]bool{}
	for _, s := range found {
		seen[s.speaker] = true
	}
	return len(seen)
}
