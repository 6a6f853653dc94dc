package subtitles

import (
	"slices"
	"strings"
	"testing"

	"steno/messages"
)

// Sentences end where package sentences ends them, not within words, nor at the full stop of an
// abbreviation.
func TestWhereSentencesEnd(t *testing.T) {
	for _, c := range []struct {
		language, text string
		want           []string
	}{
		{"en", "Mr. Lee of the U.S. Navy took No. 5 at 10:30 a.m. on Monday. It cost $1,462.50. \"Why?\" she asked.",
			[]string{"Monday.", "$1,462.50."}},
		{"en", "Ask the side-by-side team... or Dr. O'Hara's staff! Done.", []string{"staff!"}},
		{"de", "Am 5. Mai kam Hr. Maier. Er blieb.", []string{"Maier."}},
		{"zh", "你好。再见！谢谢", []string{"好。", "见！"}},
		{"en", "no marks here", nil},
	} {
		var got []string
		for _, r := range runs([]messages.Utterance{spoken(0, 0, c.language, 0, c.text)}, 42) {
			for i, token := range r.tokens {
				if token.ends && i+1 < len(r.tokens) {
					got = append(got, token.text)
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: sentences end with %q, want %q", c.text, got, c.want)
		}
	}
}

// A row never begins with punctuation or ends with a title, and no row has spaces at its ends, in
// text with all kinds of marks.
func TestRowsOfWrittenText(t *testing.T) {
	text := "Well... the U.S. team, led by Mr. O'Hara (of \"New York-based\" Alder Inc.), paid $1,462.50 on June 3, 2024; " +
		"twenty-one people - so Dr. Lee's office says - came at 10:30 a.m., and 3.5% left at 11:15 p.m. Was that \"No. 7\"? Yes!"
	for _, style := range []string{"default", "compliance"} {
		for width := 12; width < 60; width++ {
			got, err := Make([]messages.Utterance{spoken(0, 0, "en", 0, text)}, messages.SubtitlesConfig{Style: style,
				MaximumCharactersPerRow: &width}, "srt", 0)
			if err != nil {
				t.Fatal(err)
			}
			for row := range strings.SplitSeq(got, "\n") {
				if row != strings.TrimSpace(row) || strings.IndexAny(row, ".,;:!?)") == 0 || width > 20 &&
					strings.HasSuffix(row, "Mr.") {
					t.Errorf("%s, %d: row %q", style, width, row)
				}
			}
		}
	}
}
