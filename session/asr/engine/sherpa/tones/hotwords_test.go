//go:build linux && cgo

package tones

import (
	"testing"
	"time"
)

func TestHotwordsSettleDoubts(t *testing.T) {
	a := English()
	var s Speech
	s.Pause(200 * time.Millisecond)
	s.Mumble(a, "alpha", "delta")
	s.Mumble(a, "hotel", "bravo")
	s.Say(a, "golf")
	if got := stream(t, streamingTransducer(t, a, ""), s.Samples, 1600).Text; got != "alpha hotel golf" {
		t.Errorf("greedy search heard %q", got)
	}
	for hotwords, want := range map[string]string{
		"echo": "alpha hotel golf", "bravo": "alpha bravo golf", "delta\nbravo": "delta bravo golf",
	} {
		if got := stream(t, streamingTransducer(t, a, hotwords), s.Samples, 1600).Text; got != want {
			t.Errorf("with the hotwords %q heard %q, want %q", hotwords, got, want)
		}
	}
}
