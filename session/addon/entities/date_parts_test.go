package entities_test

import (
	"strings"
	"testing"

	"steno/session/addon/entities"
)

// TestDateParts finds months, days and years within dates where nothing wider is wanted.
func TestDateParts(t *testing.T) {
	for _, c := range []struct{ kind, in, want string }{
		{"YEAR", "my birthday is June 5th 1990, i am old", "1990"},
		{"YEAR", "i was born in June 1990.", "1990"},
		{"YEAR", "pay on March third two thousand and four to me", "two thousand and four"},
		{"YEAR", "since the second of august nineteen seventy one", "nineteen seventy one"},
		{"YEAR", "from june first 1990 to june tenth 1991", "1990|1991"},
		{"YEAR", "between 2015 and 2018", "2015|2018"},
		{"YEAR", "it was 2015-2018 there", "2015-2018"},
		{"YEAR", "born 1990-06-05 in a house", "1990-06-05"},
		{"YEAR", "born three slash two slash nineteen eighty four", "nineteen eighty four"},
		{"YEAR", "born three slash two slash eighty four", "eighty four"},
		{"YEAR", "on the 3rd of march", ""},
		{"MONTH", "my birthday is June 5th 1990, i am old", "June"},
		{"MONTH", "pay on March third two thousand and four to me", "March"},
		{"MONTH", "from june first to july tenth", "june|july"},
		{"MONTH", "born three slash two slash nineteen eighty four", "three"},
		{"MONTH", "on 3/2/1984 then", "3/2/1984"},
		{"MONTH", "my birthday is oh three oh two nineteen eighty four", "oh three oh two nineteen eighty four"},
		{"DAY", "my birthday is June 5th 1990, i am old", "5th"},
		{"DAY", "on monday the third of march", "monday|third"},
		{"DAY", "from june first to the tenth of july", "first|tenth"},
		{"DAY", "monday to thursday", "monday|thursday"},
		{"DAY", "from june first to tenth", "first|tenth"},
		{"MONTH", "you may march to the five of us", ""},
		{"DAY", "five of us may see three people", ""},
	} {
		var got []string
		for _, f := range entities.FindAcross(words(c.in), nil, "en", entities.Expand([]string{c.kind})) {
			got = append(got, f.Text)
			if f.Type != c.kind {
				t.Errorf("%q: %s", c.in, f.Type)
			}
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s in %q: %q, want %q", c.kind, c.in, got, c.want)
		}
	}
	for in, want := range map[string]string{"my birthday is June 5th 1990": "DOB", "due June 5th 1990": "DATE",
		"from june first to june tenth": "DATE_INTERVAL"} {
		if got := find(in); len(got) != 1 || got[0].Type != want {
			t.Errorf("%q: %+v, want %s alone", in, got, want)
		}
	}
}
