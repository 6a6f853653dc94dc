package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestAlign(t *testing.T) {
	for _, c := range []struct {
		said, heard string
		errors      int
		right       []bool
	}{
		{"a b c", "a b c", 0, []bool{true, true, true}},
		{"a b c", "a x c", 1, []bool{true, false, true}},
		{"a b c", "b c", 1, []bool{true, true}},
		{"b c", "a b c", 1, []bool{false, true, true}},
		{"", "a", 1, []bool{false}},
		{"a", "", 1, []bool{}},
	} {
		s, right := Align(Words(c.said), Words(c.heard))
		if s.Errors != c.errors || !slices.Equal(right, c.right) {
			t.Errorf("%q heard as %q: %d errors, right %v", c.said, c.heard, s.Errors, right)
		}
	}
}

func TestWords(t *testing.T) {
	got := fmt.Sprint(Words("Um, Mr. O’Neill’s 'okay' -- don't!"))
	if want := "[mister o'neill's ok don't]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestNumbers has numbers in digits be the words they are read as.
func TestNumbers(t *testing.T) {
	for written, spoken := range map[string]string{
		"24 of 1,500":           "twenty-four of one thousand five hundred",
		"$5, 3.05% and 0":       "five dollars, three point zero five per cent and zero",
		"the 21st and 30th":     "the twenty first and thirtieth",
		"in 1905, 1462, 2012.":  "in nineteen oh five fourteen sixty two twenty twelve",
		"2003 or 1900":          "two thousand and three or nineteen hundred",
		"105 and 42, the 1990s": "a hundred and five and forty two the nineteen nineties",
		"1,2,3: 007":            "one two three zero zero seven",
		"1,000,001 & 15":        "one million one and fifteen",
	} {
		said := strings.ReplaceAll(spoken, "a hundred", "one hundred")
		if got, want := Words(written), Words(said); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", written, got, want)
		}
	}
}

func TestPairs(t *testing.T) {
	if got := Pairs(Words("a b c d"), Words("x b d")); !slices.Equal(got, []int{-1, 1, 3}) {
		t.Errorf("got %v", got)
	}
}

// TestStanding has a partial compared with the beginning of its final, not with the same words
// later in it.
func TestStanding(t *testing.T) {
	for partial, want := range map[string]int{"a b": 2, "x b": 1, "": 0, "a x y": 1, "d e f": 0, "a b c a b c q": 6} {
		if got := Standing(Words("a b c a b c d e f"), Words(partial)); got != want {
			t.Errorf("%q: got %d, want %d", partial, got, want)
		}
	}
}

func TestAUC(t *testing.T) {
	words := []Judged{{0.9, true}, {0.5, true}, {0.5, false}, {0.1, false}}
	if got := AUC(words); got != 3.5/4 {
		t.Errorf("got %v", got)
	}
}
