package corpus

import (
	"fmt"
	"slices"
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

func TestAUC(t *testing.T) {
	words := []Judged{{0.9, true}, {0.5, true}, {0.5, false}, {0.1, false}}
	if got := AUC(words); got != 3.5/4 {
		t.Errorf("got %v", got)
	}
}
