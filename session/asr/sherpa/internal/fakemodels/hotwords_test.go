//go:build linux && cgo

package fakemodels

import (
	"testing"
	"time"
)

// doubts is speech with two doubts, after a pause and a number of samples.
func doubts(after int) Speech {
	var s Speech
	s.Pause(200*time.Millisecond + samplesTime(after))
	s.Mumble(English(), "alpha", "delta")
	s.Mumble(English(), "hotel", "bravo")
	s.AddWords(English(), "golf")
	return s
}

func TestHotwordsSettleDoubts(t *testing.T) {
	for hotwords, want := range map[string]string{
		"": "alpha hotel golf", "echo": "alpha hotel golf", "bravo": "alpha bravo golf",
		"delta\nbravo": "delta bravo golf",
	} {
		r := streamingTransducer(t, English(), hotwords)
		for after := 0; after < 640; after += 53 {
			if got := stream(t, r, doubts(after).Samples, 1600).Text; got != want {
				t.Errorf("with the hotwords %q, %d samples later, heard %q, want %q", hotwords, after, got, want)
			}
		}
	}
}
