package punctuation

import (
	"testing"

	"steno/messages"
)

// Text that an engine has written with marks and capitals stays as it is, whatever its pauses.
func TestWrittenTextStays(t *testing.T) {
	for _, text := range []string{
		"We flew ~ to the U.S.", "Mr. Ito paid ~ $1,462.50 | on June 3, 2024.", "Is it 3.5% ~ or \"4%\"?",
		"Well... ~ O'Hara's twenty-one men | left at 10:30 a.m.",
		"Ask Dr. Lee ~ of Alder Inc.", "One, two", "Twenty-one. three", "i left. then it rained",
	} {
		u := said("en", 0, text)
		if got := Enhance([]messages.Utterance{u}, nil)[0].Text; got != u.Text {
			t.Errorf("%q became %q", u.Text, got)
		}
	}
}

// An utterance that goes straight on loses the capital of a word that is no name. After a mark or a
// pause it keeps it.
func TestCapitalWithinSentence(t *testing.T) {
	for _, c := range []struct {
		first, second string
		pause         float64
		want          string
	}{
		{"We need it now,", "And the rest too.", 0.1, " and the rest too."},
		{"We met with", "The whole team of 5.", 0.1, " the whole team of 5."},
		{"We met with", "Anna, of course.", 0.1, " Anna, of course."},
		{"We needed it", "Twice a week.", 0.1, " twice a week."},
		{"We asked if", "Don't they know?", 0.1, " don't they know?"},
		{"We asked if", "Mark knew.", 0.1, " Mark knew."},
		{"We met and", "I'd left.", 0.1, " I'd left."},
		{"We met and", "I left early.", 0.1, " I left early."},
		{"We met and", "I'm glad.", 0.1, " I'm glad."},
		{"We met.", "And then we left.", 0.1, " And then we left."},
		{"We met, as", "And then we left.", 0.5, " And then we left."},
		{"We met, as", "AND then we left.", 0.1, " AND then we left."},
	} {
		first := said("en", 0, c.first)
		second := said("en", first.End+c.pause, c.second)
		got := Enhance([]messages.Utterance{first, second}, nil)
		if got[1].Text != c.want || got[1].Words[0].Start != second.Words[0].Start {
			t.Errorf("%q, %q: got %q, want %q", c.first, c.second, got[1].Text, c.want)
		}
		if again := Enhance(got, nil); again[0].Text != got[0].Text || again[1].Text != got[1].Text {
			t.Errorf("%q became %q", got[1].Text, again[1].Text)
		}
	}
}
