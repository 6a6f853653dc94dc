package cmdtest

import (
	"os"
	"strings"
	"testing"
)

// Block is a fenced block of a Markdown file. What follows its language, its kind, is what to do
// with it.
type Block struct {
	File     string
	Line     int // of the fence that opens it
	Language string
	Kind     string
	Text     string
}

// Blocks reads the fenced blocks of Markdown files. A block without a language, or without an end,
// fails the test.
func Blocks(t testing.TB, paths ...string) []Block {
	t.Helper()
	var all []Block
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, blocksOf(t, path, string(text))...)
	}
	return all
}

func blocksOf(t testing.TB, path, text string) (all []Block) {
	t.Helper()
	var open *Block
	for i, line := range strings.Split(text, "\n") {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			open = &Block{File: path, Line: i + 1}
			open.Language, open.Kind, _ = strings.Cut(info, " ")
			if open.Language == "" {
				t.Errorf("%s:%d: a block without a language", path, i+1)
			}
		case fence:
			all = append(all, *open)
			open = nil
		case open != nil:
			open.Text += line + "\n"
		}
	}
	if open != nil {
		t.Errorf("%s:%d: the block does not end", path, open.Line)
	}
	return all
}
