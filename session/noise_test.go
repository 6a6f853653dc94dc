package session

import (
	"testing"

	"steno/messages"
	"steno/session/asr"
)

// Words over a noise of a tenth of a second are left out and counted; those of the shortest words
// are not, nor those after a forced cut, nor any if the request wants all.
func TestWordsOverNoise(t *testing.T) {
	for _, c := range []struct {
		name    string
		request string
		onset   int64
		voiced  int64
		kept    bool
	}{
		{"a click", `{}`, 3200, 6, false},
		{"a word", `{}`, 3200, leastVoice, true},
		{"after a forced cut", `{}`, 0, 6, true},
		{"any sound is wanted", `{"pre_processing":{"speech_threshold":0.2}}`, 3200, 6, true},
		{"speech is wanted", `{"pre_processing":{"speech_threshold":0.9}}`, 3200, 6, false},
	} {
		request, problem := messages.ParseLive([]byte(c.request))
		if problem != nil {
			t.Fatal(problem)
		}
		counted := 0
		k := collector{run: &run{cfg: Config{Request: request, Noise: func(string) { counted++ }}}}
		u := &utterance{onset: c.onset}
		u.voiced = c.voiced
		r := k.believed(u, asr.Result{Final: true, Words: []asr.Word{{Text: "You"}}})
		if kept := len(r.Words) > 0; kept != c.kept || kept != (r.Dropped == "") || kept != (counted == 0) {
			t.Errorf("%s: words kept %v, dropped %q, counted %d", c.name, kept, r.Dropped, counted)
		}
	}
}
