package sentences

import (
	"unicode/utf8"
)

// Pauses in seconds, as found in speech that was divided by hand: between sentences there is half a
// second or more, between the words of a phrase less than a fifth.
const (
	cutPause  = 0.2 // before less than that an utterance has ended in the middle of a sentence
	textPause = 0.7 // ends a sentence within an utterance of text without marks
	longPause = 1.5 // ends a sentence where the marks do not decide
)

// pauseEnds reports whether a sentence of text without marks ends between two words.
func pauseEnds(a, b word) bool {
	pause := b.Start - a.End
	return pause >= textPause || a.last && pause >= cutPause
}

// limit returns the longest sentence in characters. It is longer in text with marks, which show
// where sentences end.
func limit(punctuated bool) int {
	if punctuated {
		return 600
	}
	return 240
}

// bounded divides words into pieces of at most limit characters, or one word. Each division is in
// the middle part, at the longest pause or after a comma.
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

// bestCut returns the index before which words with a total of so many characters are best divided.
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
		// Of equal places the one nearest to the middle is the best.
		score += 0.01 * (1 - float64(max(total-2*before, 2*before-total))/float64(total))
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}
