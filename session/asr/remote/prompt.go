package remote

import (
	"cmp"
	"slices"
	"strings"

	"steno/session/asr"
)

// MaxPrompt bounds prompts, in bytes. Whisper takes no more than its last 224 tokens, of some four
// letters.
const MaxPrompt = 800

// Prompt lists the terms of a vocabulary, the most intense first, as many as fit.
func Prompt(vocabulary []asr.Term) string { return strings.Join(Terms(vocabulary, MaxPrompt), ", ") }

// Terms returns the texts of a vocabulary, the most intense first, as many as fit into so many
// bytes with two between them.
func Terms(vocabulary []asr.Term, most int) (texts []string) {
	terms := slices.Clone(vocabulary)
	slices.SortStableFunc(terms, func(a, b asr.Term) int { return cmp.Compare(b.Intensity, a.Intensity) })
	length := 0
	for _, term := range terms {
		text := strings.Join(strings.Fields(term.Text), " ")
		if text == "" || length+len(", ")+len(text) > most {
			continue
		}
		if length > 0 {
			length += len(", ")
		}
		length += len(text)
		texts = append(texts, text)
	}
	return texts
}
