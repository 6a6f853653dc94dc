package entities

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"steno/messages"
)

// Each detector finds the types that its line in the table lists, and no others.
func TestDetectorsFindTheirTypes(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	found := map[string]bool{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			for _, language := range []string{"en", "de"} {
				checkDetectors(t, plain(line), language, found)
			}
		}
	}
	for _, name := range Implemented() {
		if !found[name] {
			t.Errorf("nothing tested is %s", name)
		}
	}
}

// plain is a line of the corpora without the marks of its entities, as words.
func plain(line string) []messages.Word {
	var words []messages.Word
	for _, f := range strings.Fields(strings.NewReplacer("|", " ", "]", "").Replace(line)) {
		if _, rest, ok := strings.Cut(f, ":"); ok && strings.HasPrefix(f, "[") {
			f = rest
		}
		words = append(words, messages.Word{Word: " " + f})
	}
	return words
}

func checkDetectors(t *testing.T, words []messages.Word, language string, found map[string]bool) {
	text := newText(words, nil, language)
	for _, d := range detectors() {
		if d.english && !text.english {
			continue
		}
		for _, c := range d.find(text) {
			found[c.kind] = true
			if !slices.Contains(strings.Fields(d.types), c.kind) {
				t.Errorf("the detector of %s finds %s in %v", d.types, c.kind, words)
			}
		}
	}
}
