package speaker

import (
	"slices"
	"testing"
)

// A branch of several voices is opened for the voices in it, however little it differs from the
// other as a whole; and one voice is not divided, of which small branches differ as large ones must
// not.
func TestWithinSpeakers(t *testing.T) {
	const enough = 120
	pair := func(distance, frames float64) []merge {
		return []merge{{from: 1, into: 0, distance: distance, smaller: frames}}
	}
	two := []merge{
		{from: 1, into: 0, distance: 6, smaller: 900, larger: 0},
		{from: 3, into: 2, distance: 6, smaller: 900, larger: 2},
		{from: 2, into: 0, distance: 1.5, smaller: 1800, larger: 0},
	}
	for _, c := range []struct {
		name        string
		steps       []merge
		n           int
		least, most int
		want        []int
	}{
		{"four voices, two and two alike", two, 4, 1, 9, []int{0, 1, 2, 3}},
		{"at most three of them", two, 4, 1, 3, []int{0, 0, 1, 2}},
		{"one wanted", two, 4, 1, 1, []int{0, 0, 0, 0}},
		{"large branches", pair(3, 3000), 2, 1, 9, []int{0, 1}},
		{"the largest", pair(2.4, 1e6), 2, 1, 9, []int{0, 0}},
		{"small branches", pair(3, 200), 2, 1, 9, []int{0, 0}},
		{"small branches, two wanted", pair(3, 200), 2, 2, 9, []int{0, 1}},
		{"too small", pair(30, enough-1), 2, 1, 9, []int{0, 0}},
	} {
		if got := labels(c.n, withinSpeakers(c.steps, c.least, c.most, enough)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
}
