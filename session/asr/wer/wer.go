// Package wer measures how far what was recognized is from what was said.
package wer

import (
	"strings"
	"unicode"
)

// Score sums up recordings.
type Score struct {
	Words  int // said
	Errors int // words to be changed, added and left out, the fewest possible
}

// Of compares what was said with what was heard. Case and punctuation do not count. In the
// languages that are written without spaces each character is a word.
func Of(said, heard, language string) Score {
	split := Words
	if unspaced[language] {
		split = characters
	}
	a, b := split(said), split(heard)
	return Score{len(a), Distance(a, b)}
}

// Add returns the sum of two scores.
func (s Score) Add(o Score) Score { return Score{s.Words + o.Words, s.Errors + o.Errors} }

// Rate returns the errors for each word that was said: 0 is perfect, it may be above 1.
func (s Score) Rate() float64 { return float64(s.Errors) / float64(max(s.Words, 1)) }

// unspaced are the languages that are written without spaces between words.
var unspaced = map[string]bool{"zh": true, "yue": true, "ja": true, "th": true, "lo": true, "my": true, "km": true}

// Words splits a text into words in lower case without punctuation.
func Words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\''
	})
}

func characters(text string) []string { return strings.Split(strings.Join(Words(text), ""), "") }

// Distance returns how many words are to be changed, added and left out to make b of a, the fewest
// possible (Levenshtein 1966).
func Distance(a, b []string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			cost := diagonal
			if x != y {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
