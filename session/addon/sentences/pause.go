package sentences

import (
	"unicode/utf8"
)

// Pauses in seconds. They are what speech divided by hand shows: sentences are parted by half a second and more, words
// of a phrase by less than a fifth.
const (
	cutPause  = 0.2 // an utterance that ends with less was cut, not ended
	textPause = 0.7 // parts sentences within an utterance of text without marks
	longPause = 1.5 // parts what the marks leave undecided
)

// pauseEnds reports whether a sentence of text without marks ends between two words.
func pauseEnds(a, b word) bool {
	pause := b.Start - a.End
	return pause >= textPause || a.last && pause >= cutPause
}

// limit is how long a sentence may be, in characters. Marks are trusted further than their absence.
func limit(punctuated bool) int {
	if punctuated {
		return 600
	}
	return 240
}

// bounded cuts words into pieces of at most limit characters, or one word: each time in the middle part, at the longest
// pause or after a comma.
func bounded(words []word, limit int) [][]word {
	total := 0
	for _, w := range words {
		total += utf8.RuneCountInString(w.Word.Word)
	}
	if total <= limit || len(words) < 2 {
		return [][]word{words}
	}
	at := bestCut(words, total)
	return append(bounded(words[:at], limit), bounded(words[at:], limit)...)
}

// bestCut is the index before which to cut words of total characters.
func bestCut(words []word, total int) int {
	best, bestScore, before := len(words)/2, -1.0, 0
	for i := 1; i < len(words); i++ {
		before += utf8.RuneCountInString(words[i-1].Word.Word)
		if before*5 < total || before*5 > total*4 {
			continue
		}
		score := min(max(words[i].Start-words[i-1].End, 0), longPause)
		if marked(words[i-1].Word.Word) {
			score += 0.5
		}
		// Among equals, the middle.
		score += 0.01 * (1 - float64(max(total-2*before, 2*before-total))/float64(total))
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}
