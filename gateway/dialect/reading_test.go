package dialect

import (
	"slices"
	"strings"
	"testing"

	"steno/messages"
)

func TestBare(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "Hello, World!": "hello world", "It's 50% — done.": "it's 50% — done", "¿Qué?": "qué", "...": "...",
	} {
		if got := Bare(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestParagraphs(t *testing.T) {
	word := func(text string, at float64) messages.Word {
		return messages.Word{Word: " " + text, Start: at, End: at + 0.5}
	}
	one, again, two := 0, 0, 1
	u := func(speaker *int, words ...messages.Word) messages.Utterance {
		return messages.Utterance{Words: words, Text: messages.TextOf(words), Speaker: speaker}
	}
	var got []string
	for _, p := range Paragraphs([]messages.Utterance{
		u(&one, word("One.", 0), word("Two", 1), word("three.", 1.5)), u(&again, word("Four.", 2)),
		u(&one, word("Late.", 9)), u(&two, word("Me.", 10)), {},
	}) {
		var sentences []string
		for _, s := range p {
			sentences = append(sentences, strings.TrimSpace(s.Text))
		}
		got = append(got, strings.Join(sentences, "|"))
	}
	if want := []string{"One.|Two three.|Four.", "Late.", "Me."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
