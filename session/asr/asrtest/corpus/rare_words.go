package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inflections are endings that words take on.
var inflections = strings.Fields("'s s' s es d ed ing ings ly r er ers est st ness ful less able ment ments y al " +
	"ally ies ied ier iest ily")

// RareWords returns the words of a transcript that a vocabulary might list: long ones that are not
// common.
func RareWords(words []string, common func(string) bool) []string {
	var out []string
	for _, w := range words {
		if len(w) >= 5 && !strings.Contains(w, "'") && !common(w) {
			out = append(out, w)
		}
	}
	return out
}

// DictionaryWithout writes a copy of a pronunciation dictionary without the words and their
// inflections, so that no recognizer can know them, and returns its path. It skips the test if
// there is no such dictionary.
func DictionaryWithout(t testing.TB, dictionary string, words []string) string {
	t.Helper()
	b, err := os.ReadFile(dictionary)
	if err != nil {
		t.Skipf("Debian package pocketsphinx-en-us: %v", err)
	}
	lacks := map[string]bool{}
	for _, w := range words {
		for _, ending := range append(inflections[:len(inflections):len(inflections)], "") {
			lacks[w+ending] = true
			if stem := strings.TrimSuffix(w, ending); len(stem) > 3 {
				lacks[stem], lacks[stem+"s"], lacks[stem+"e"] = true, true, true
			}
		}
	}
	var kept strings.Builder
	for line := range strings.Lines(string(b)) {
		word, _, _ := strings.Cut(line, " ")
		word, _, _ = strings.Cut(word, "(")
		if !lacks[word] {
			kept.WriteString(line)
		}
	}
	file := filepath.Join(t.TempDir(), "lacking.dict")
	if err := os.WriteFile(file, []byte(kept.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
