package chapters

import (
	"strings"

	"steno/session/addon/sentences"
	"steno/session/addon/summary/terms"
)

const (
	// gistWords and gistBytes bound a gist.
	gistWords = 8
	gistBytes = 80
)

// gist returns the few consecutive words of a sentence that score highest for a part. They start
// and end with a content word.
func gist(part []sentences.Sentence, reader *terms.Reader, scores map[string]float64) string {
	best, most := "", 0.0
	for _, s := range part {
		words := weigh(strings.Fields(s.Text), s.Language, reader, scores)
		for i := range words {
			if to, score := words.window(i); score > most {
				best, most = words.text(i, to), score
			}
		}
	}
	return strings.ToValidUTF8(best[:min(len(best), gistBytes)], "")
}

// weighed is a word with its score.
type weighed struct {
	text  string
	stem  string
	score float64
}

type sentence []weighed

func weigh(fields []string, language string, reader *terms.Reader, scores map[string]float64) sentence {
	words := make(sentence, len(fields))
	for i, f := range fields {
		words[i].text = f
		for _, t := range reader.Of(f, language) {
			if t.Stem != "" {
				words[i].stem = t.Stem
				words[i].score += scores[t.Stem]
			}
		}
	}
	return words
}

// window returns the end of the best piece that begins with a word, and its score. A repeated word
// does not add to it.
func (s sentence) window(from int) (to int, most float64) {
	sum := 0.0
	for i := from; i < min(from+gistWords, len(s)); i++ {
		if s[i].score == 0 {
			if i == from {
				break
			}
			continue
		}
		if !s.said(s[i].stem, from, i) {
			sum += s[i].score
		}
		if sum > most {
			to, most = i+1, sum
		}
	}
	return to, most
}

func (s sentence) said(stem string, from, to int) bool {
	for _, w := range s[from:to] {
		if w.stem == stem {
			return true
		}
	}
	return false
}

func (s sentence) text(from, to int) string {
	words := make([]string, 0, to-from)
	for _, w := range s[from:to] {
		words = append(words, w.text)
	}
	text := strings.Trim(strings.Join(words, " "), ".,;:!?…。、！？\"-–— ")
	if strings.Count(text, `"`)%2 == 1 {
		return strings.ReplaceAll(text, `"`, "") // one of a pair is outside
	}
	return text
}
