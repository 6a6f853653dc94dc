package sentiment

import (
	"strconv"
	"strings"
	"testing"
)

// Every line of the lists is well formed, has the form in which words are compared, and is unique.
func TestLists(t *testing.T) {
	seen := map[string]bool{}
	for line := range lines(phraseText) {
		value, said, found := strings.Cut(line, " ")
		if v, err := strconv.ParseFloat(value, 64); err != nil || !found || v < -4 || v > 4 {
			t.Errorf("phrase %q", line)
		}
		check(t, seen, said)
	}
	for line := range lines(emotionText) {
		name, list, found := strings.Cut(line, ":")
		if !found || strings.ContainsAny(name, " ,") {
			t.Errorf("emotion %q", line)
		}
		for said := range strings.SplitSeq(list, ",") {
			check(t, seen, name+":"+strings.TrimSpace(said))
		}
	}
}

func check(t *testing.T, seen map[string]bool, said string) {
	t.Helper()
	_, words, found := strings.Cut(said, ":")
	if !found {
		words = said
	}
	if plain := strings.Join(tokenize(words), " "); plain != words {
		t.Errorf("%q is never said so: %q", words, plain)
	}
	if seen[said] {
		t.Errorf("%q twice", said)
	}
	seen[said] = true
}
