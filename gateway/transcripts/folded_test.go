package transcripts

import (
	"slices"
	"strings"
	"testing"

	"steno/messages"
)

// A text is found in any case and with any punctuation, and the excerpt shows its place.
func TestSearchedTexts(t *testing.T) {
	long := strings.Repeat("It rained all day long, and then some more. ", 8)
	r := &result{utterances: []messages.Utterance{
		{Text: " Dr. Weber's twenty-one men paid $1,462.50 at 10:30 a.m."}, {Text: " thank you peter"},
		{Text: " Thank you, Peter... \"Bye!\""},
		{Text: " 早上好。你怎么样？"}, {Text: long + "Ask O’Hara, İzmir's \"Green-Door\" man."}, {Text: " ?!"},
	}}
	for text, want := range map[string][]int{
		"dr weber": {0}, "Dr. Weber": {0}, "twenty one": {0}, "Twenty-One": {0}, "1,462.50": {0}, "a.m.": {0},
		"thank you Peter": {1, 2}, "peter bye": {2}, "好。你": {3}, "o'hara": {4}, "green door": {4}, "?!": {5},
		"nobody": nil, "web": {0},
	} {
		if got := r.places(text); !slices.Equal(got, want) {
			t.Errorf("%q is in %v, not %v", text, got, want)
		}
	}
	for _, part := range []string{"o'hara", "green door", "İZMİR"} {
		if got := around(r.utterances[4].Text, part, "en"); !strings.HasPrefix(got, "…") ||
			!strings.Contains(got, "Green-Door") || len(got) > 120 {
			t.Errorf("around %q is %q", part, got)
		}
	}
	if got := around(r.utterances[0].Text, "weber", "en"); got != strings.TrimSpace(r.utterances[0].Text) {
		t.Errorf("around the beginning is %q", got)
	}
}

// A search finds what languages write with other letters in capitals.
func TestSearchFoldsByLanguage(t *testing.T) {
	for _, c := range []struct {
		language, in, part string
		found              bool
	}{
		{"tr", " IŞIK yandı", "ışık", true}, {"tr", " IŞIK yandı", "işik", false}, {"tr", " izmir", "İZMİR", true},
		{"de", " die Straße", "STRASSE", true}, {"de", " STRASSE", "straße", true}, {"el", " Ο ΟΔΥΣΣΕΥΣ", "οδυσσεύς",
			true},
		{"fr", " l'e\u0301te\u0301", "été", true}, {"en", " Istanbul", "istanbul", true},
	} {
		r := result{utterances: []messages.Utterance{{Language: c.language, Text: c.in}}}
		if got := len(r.places(c.part)) > 0; got != c.found {
			t.Errorf("%s: %q in %q: %v", c.language, c.part, c.in, got)
		}
	}
}
