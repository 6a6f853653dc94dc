package wer

import "testing"

func TestScore(t *testing.T) {
	for _, tt := range []struct {
		said, heard, language string
		want                  Score
	}{
		{"One, two; three.", "one TWO three", "en", Score{3, 0}},
		{"one two three", "two tree four", "en", Score{3, 3}},
		{"it's été", "its été", "fr", Score{2, 1}},
		{"", "noise", "", Score{0, 1}},
		{"one", "", "", Score{1, 1}},
		{"今天 天气。", "今天天汽", "zh", Score{4, 1}},
	} {
		if got := Of(tt.said, tt.heard, tt.language); got != tt.want {
			t.Errorf("%q, %q: %+v, not %+v", tt.said, tt.heard, got, tt.want)
		}
	}
	if r := (Score{3, 1}).Add(Score{1, 2}).Rate(); r != 0.75 {
		t.Error(r)
	}
	if r := (Score{}).Rate(); r != 0 {
		t.Error(r)
	}
}
