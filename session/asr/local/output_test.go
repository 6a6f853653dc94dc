package local

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", lineBytes+10)
	for _, pieces := range [][]string{
		{"one\n\n two \r\n" + long + "\nrest"},
		{"o", "ne\n", "\n two", " \r\n" + long[:5], long[5:], "\n", "rest"},
	} {
		var got []string
		l := lines{tell: func(s string) { got = append(got, s) }}
		for _, p := range pieces {
			if n, err := fmt.Fprint(&l, p); n != len(p) || err != nil {
				t.Fatalf("wrote %d, %v", n, err)
			}
		}
		if want := []string{"one", "two", long[:lineBytes]}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
