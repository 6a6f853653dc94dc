package capabilities

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode"

	"steno/session/asr"
)

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name, text, marked string
		capitals           bool
		want               string
	}{
		{"nothing added", "a b", "a b", false, "a b"},
		{"marks", "how are you i am fine", "how are you? i am fine.", false, "how are you? i am fine."},
		{"wide marks after letters", "how are you i am fine", "how are you？i am fine。", false,
			"how are you? i am fine."},
		{"wide marks after Chinese", "你好世界", "你好，世界。", false, "你好，世界。"},
		{"spaces kept", " a\tb\n", "a, b.", false, " a,\tb.\n"},
		{"capitals of the model", "hello nasa", "Hello NASA", false, "Hello NASA"},
		{"capitals of the text", "Hello Émile", "hello émile.", false, "Hello Émile."},
		{"capitals at the beginnings", "one two three", "one. two, three?", true, "One. Two, three?"},
		{"no second mark", "a, b.", "a,, b..", false, "a, b."},
		{"no mark within a word", "it's", "it,'s.", false, "it's."},
		{"a mark between scripts", "你好world", "你好，world。", false, "你好，world."},
		{"numbers", "3.5 is", "3.5 is.", true, "3.5 is."},
		{"a word changed", "colour", "color.", false, "colour"},
		{"a word lost", "a b", "a.", false, "a b"},
		{"a word added", "a", "a b.", false, "a"},
		{"a word repeated", "a b", "a b b.", false, "a b"},
		{"a sign added", "a b", "a; b", false, "a b"},
		{"a mark of the text lost", "3.5", "35", false, "3.5"},
		{"a mark before all", "a", ".a", false, "a"},
		{"nothing returned", "a b", "", false, "a b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := merge(c.text, c.marked, c.capitals); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// FuzzMerge checks that whatever the library returns, the text's words and spaces stay.
func FuzzMerge(f *testing.F) {
	f.Add("how are you", "How, are you?", true)
	f.Add("你好 world", "你好，world。", false)
	f.Add("a\xffb .", "a b.", true)
	f.Fuzz(func(t *testing.T, text, marked string, capitals bool) {
		got := merge(text, marked, capitals)
		plain := func(s string) string {
			return strings.Map(func(r rune) rune {
				if marks[r] != 0 {
					return -1
				}
				return unicode.ToLower(unicode.ToUpper(r))
			}, s)
		}
		if plain(got) != plain(text) {
			t.Errorf("%q became %q", text, got)
		}
		if strings.Count(got, " ") != strings.Count(text, " ") {
			t.Errorf("the spaces of %q became those of %q", text, got)
		}
	})
}

// words is a library that returns the same text whatever it is given.
type words struct{ text string }

func (w words) punctuate(string) string { return w.text }

func (words) free() {}

func TestPunctuatorReturnsTextWhoseWordsWereChanged(t *testing.T) {
	p := &Punctuator{newGate(), words{"goodbye, world."}, []string{"en"}, false}
	defer p.Close()
	for text, want := range map[string]string{"hello world": "hello world", "goodbye world": "goodbye, world."} {
		if got, err := p.Punctuate(t.Context(), "en", text); got != want || err != nil {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	long := strings.Repeat("x", maxWord+1)
	if got, err := p.Punctuate(t.Context(), "en", long); got != long || err != nil {
		t.Errorf("a word longer than the library looks at: got %q, %v", got, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Punctuate(ended, "en", "hello"); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	if _, err := p.Punctuate(t.Context(), "de", "hallo"); !errors.Is(err, asr.ErrLanguage) {
		t.Errorf("another language: %v", err)
	}
}
