package terminal

import "testing"

// A shell reads a word as it was, whatever is in it.
func TestShellWord(t *testing.T) {
	for text, want := range map[string]string{
		"data/models": "data/models", "it's here": `'it'\''s here'`, "$HOME": "'$HOME'", "": "",
	} {
		if got := ShellWord(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
