package endtoend_test

import (
	"strings"
	"testing"
)

// testVocabulary expects a vocabulary to correct words that the engine takes for others, and names
// that are not spoken to change nothing.
func testVocabulary(t *testing.T, g *gateway, e engineCase) {
	first := clip{e.clip(t).pcm[:7*clipRate*2]} // sentence
	path := first.wav(t)
	heard := func(vocabulary string) string {
		made := g.submit(t, path, `"custom_vocabulary":true`, `"custom_vocabulary_config":{"vocabulary":[`+
			vocabulary+`]}`)
		return g.await(t, made).Result.Transcription.FullTranscript
	}
	plain := g.await(t, g.submit(t, path)).Result.Transcription.FullTranscript
	if got := heard(`"Kubernetes",{"value":"Grafana"},"Siobhan","Lufthansa"`); got != plain {
		t.Errorf("names that nobody says make of\n%q\n%q", plain, got)
	}
	if got := heard(`"Kubernetes","Dashwood"`); !strings.Contains(got, "Dashwood") ||
		strings.Contains(got, "Kubernetes") {
		t.Errorf("%q has no Dashwood, or a Kubernetes", got)
	}
}
