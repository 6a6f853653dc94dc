package clean

import (
	"unicode/utf8"

	"steno/session/asr"
)

const (
	// maxBeyond is how far times may lie beyond the audio, in samples: models pad it, and round to
	// whole seconds where they are unsure.
	maxBeyond = asr.Rate
	// leastWord is the shortest time of a word, in samples: 10 ms.
	leastWord = asr.Rate / 100
	// usualWord is how long a word without a time of its own takes at most, where there is room.
	usualWord = asr.Rate / 2
)

// tidy sets times of words so that they are in order, within n samples of audio, and none is
// shorter than leastWord where there is room. It returns false if they cannot be what the speaker
// took, and are estimates by the words' lengths now.
func tidy(words []asr.Word, n int) (kept bool) {
	if len(words) == 0 {
		return true
	}
	if kept = possible(words, n); kept {
		widen(words, n)
	} else {
		spread(words, 0, n)
	}
	if n < len(words)*leastWord {
		spread(words, 0, n)
		return kept
	}
	order(words, n)
	return kept
}

// order moves times so that they are in order, and none is shorter than leastWord, within n
// samples, which have room for all.
func order(words []asr.Word, n int) {
	at := 0
	for i := range words {
		w := &words[i]
		w.Start = max(w.Start, at)
		if i+1 < len(words) {
			w.End = min(w.End, max(words[i+1].Start, at))
		}
		w.End = max(w.End, w.Start+leastWord)
		at = w.End
	}
	for i, limit := len(words)-1, n; i >= 0 && words[i].End > limit; i-- {
		words[i].End = limit
		words[i].Start = min(words[i].Start, limit-leastWord)
		limit = words[i].Start
	}
}

// possible reports whether words may have been said at their times: one after the other, within n
// samples, and few of them in no time.
func possible(words []asr.Word, n int) bool {
	at, none := 0, 0
	for _, w := range words {
		if w.Start < 0 || w.End < w.Start || w.Start < at-maxBeyond || w.End > n+maxBeyond {
			return false
		}
		if w.End == w.Start {
			none++
		}
		at = w.Start
	}
	return 2*none <= len(words) || len(words) == 1 && n > 0
}

// widen divides time among words of no duration and the word before them: from the start of that
// word to the start of the next word with a duration.
func widen(words []asr.Word, n int) {
	for i := 0; i < len(words); {
		to := i + 1
		for to < len(words) && words[to].End == words[to].Start {
			to++
		}
		if empty := words[i].End == words[i].Start; to > i+1 || empty {
			end := n
			if to < len(words) {
				end = words[to].Start
			}
			last := words[to-1].End
			for _, w := range words[i:to] {
				last = max(last, w.End)
			}
			limit := last + usualWord*(to-i-1)
			if empty {
				limit += usualWord
			}
			spread(words[i:to], min(words[i].Start, n), max(min(limit, end), min(last, n)))
		}
		i = to
	}
}

// spread divides a time among words by their lengths.
func spread(words []asr.Word, from, to int) {
	total, before := 0, 0
	for _, w := range words {
		total += utf8.RuneCountInString(w.Text) + 1
	}
	for i := range words {
		words[i].Start = from + (to-from)*before/total
		before += utf8.RuneCountInString(words[i].Text) + 1
		words[i].End = from + (to-from)*before/total
	}
}
