package chapters_test

import (
	"slices"
	"strings"
	"testing"

	"steno/session/addon/chapters"
)

// TestNamesKeepTheirCapitals: what is written as a name within sentences is so in keywords and
// headlines; what only begins a sentence or is shouted is not.
func TestNamesKeepTheirCapitals(t *testing.T) {
	for name, c := range map[string]struct {
		say  []string
		want []string
	}{
		"names": {[]string{"Tell it to all Americans.", "Americans know Cronkite.", "Ask Cronkite about NASA."},
			[]string{"Americans", "Cronkite", "NASA"}},
		"beginnings": {[]string{"Bridges fall.", "Bridges rust and the bridges bend."}, []string{"bridges"}},
		"shouted":    {[]string{"THE BRIDGES FALL.", "THE BRIDGES RUST."}, []string{"bridges"}},
		"mixed":      {[]string{"All bridges fall.", "Some Bridges rust.", "The bridges bend."}, []string{"bridges"}},
		"acronym":    {[]string{"NASA flies.", "NASA builds."}, []string{"NASA"}},
		"irish":      {[]string{"We saw O'Hara.", "O'Hara saw the U.S. and us."}, []string{"O'Hara"}},
		"hyphen":     {[]string{"A side-door opened.", "The side-door shut."}, []string{"side-door"}},
		"possessive": {[]string{"We saw Cronkite's show.", "We liked Cronkite."}, []string{"Cronkite"}},
	} {
		var s speech
		for _, l := range c.say {
			s.say(l)
		}
		got := chapters.Split(s.us)[0]
		for _, w := range c.want {
			if !slices.Contains(got.Keywords, w) {
				t.Errorf("%s: keywords %q lack %q", name, got.Keywords, w)
			}
			if name == "names" && !strings.Contains(got.Headline, w) {
				t.Errorf("%s: headline %q lacks %q", name, got.Headline, w)
			}
		}
	}
}
