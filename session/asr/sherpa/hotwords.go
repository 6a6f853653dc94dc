package sherpa

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"unicode"

	"steno/session/asr"
)

const (
	maxHotwords = 1000 // terms of a vocabulary
	maxHotword  = 100  // characters of a term
)

// vocabulary is the set of letters that a model can spell.
type vocabulary struct {
	letters      map[rune]bool
	lower, upper bool // it has letters of that case
}

// readVocabulary reads a list of tokens, one a line, each with its number.
func readVocabulary(tokens string) (*vocabulary, error) {
	v := &vocabulary{letters: map[rune]bool{}}
	err := eachToken(tokens, func(token, _ string) {
		for _, r := range token {
			v.letters[r] = true
			v.lower = v.lower || unicode.IsLower(r)
			v.upper = v.upper || unicode.IsUpper(r)
		}
	})
	return v, err
}

// eachToken calls f with each token of a list and its number, except for those that are not text.
func eachToken(path string, f func(token, number string)) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("read tokens: %w", err)
	}
	defer file.Close() //nolint:errcheck // only read
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		at := strings.LastIndexAny(line, " \t")
		if at < 1 || line[0] == '<' && strings.HasSuffix(line[:at], ">") || line[0] == '#' { // <blk>, <0xE4>, #0
			continue
		}
		f(strings.TrimSpace(line[:at]), line[at+1:])
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read tokens %s: %w", path, err)
	}
	return nil
}

// hotwords writes terms in the library's format: phrases with their scores, separated by slashes.
// Terms that the model cannot spell are left out, as is everything that the library would take for
// a mark of its own: it ends the process over marks that it cannot parse. Pronunciations are left
// out, since the model would write them as they are spelled. Intensities become scores of 0.5 to 3
// for each token: the library's default is 1.5, and more than 3 inserts words that were not spoken.
func (v *vocabulary) hotwords(terms []asr.Term) string {
	var out []string
	for _, term := range terms[:min(len(terms), maxHotwords)] {
		if phrase := v.phrase(term.Text); phrase != "" {
			score := 0.5 + 2.5*min(max(term.Intensity, 0), 1)
			out = append(out, phrase+" :"+strconv.FormatFloat(score, 'f', 2, 64))
		}
	}
	return strings.Join(out, "/")
}

// phrase returns a term in the model's case, or "" if the model cannot spell it.
func (v *vocabulary) phrase(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	switch {
	case len([]rune(text)) > maxHotword:
		return ""
	case v.upper && !v.lower:
		text = strings.ToUpper(text)
	case v.lower && !v.upper:
		text = strings.ToLower(text)
	}
	for _, r := range text {
		plain := unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '\''
		if r != ' ' && (!plain || !v.letters[r]) {
			return ""
		}
	}
	return text
}
