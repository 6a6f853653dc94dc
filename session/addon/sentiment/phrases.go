package sentiment

import (
	_ "embed"
	"strconv"
	"strings"
)

//go:embed lexicon/phrases.txt
var phraseText string

// phrases maps phrases to their valence, where the general word list does not have them or is wrong
// about speech.
type phrases struct {
	valence map[string]float64 // by what is said
	longest int                // words of the longest
}

func newPhrases() phrases {
	p := phrases{valence: map[string]float64{}}
	for line := range lines(phraseText) {
		value, said, _ := strings.Cut(line, " ")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			continue // a test reads every line
		}
		p.valence[said] = v
		p.longest = max(p.longest, 1+strings.Count(said, " "))
	}
	return p
}

// lines are those of a list that are neither empty nor a remark.
func lines(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// match is the longest phrase that begins the words, and how many words it has: 0 for none.
func (p phrases) match(words []string) (string, int) {
	for n := min(p.longest, len(words)); n > 0; n-- {
		said := strings.Join(words[:n], " ")
		if _, ok := p.valence[said]; ok {
			return said, n
		}
	}
	return "", 0
}

// token stands for a phrase in the scored text. No word looks like it, so that none of its words
// negates or stresses the next.
func token(said string) string {
	return "\x01" + strings.NewReplacer(" ", "_", "n't", "nt").Replace(said)
}

// score is the text to score: phrases replaced by their tokens, and those that mean nothing left
// out.
func (p phrases) score(words []string) string {
	var b strings.Builder
	for i := 0; i < len(words); {
		said, n := p.match(words[i:])
		word := words[i]
		switch {
		case n == 0:
			n = 1
		case p.valence[said] == 0:
			i += n
			continue
		default:
			word = token(said)
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		i += n
	}
	return b.String()
}
