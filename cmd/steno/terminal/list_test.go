package terminal

import (
	"strings"
	"testing"
)

func TestBriefly(t *testing.T) {
	for list, want := range map[string]string{
		"": "any", "en": "en", "en fr de es": "en, fr, de, es", "en fr de es it": "en, fr, de and 2 more",
	} {
		if got := Briefly(strings.Fields(list)); got != want {
			t.Errorf("%q is %q, want %q", list, got, want)
		}
	}
}
