package gateway

import (
	"encoding/json"
	"strings"
	"testing"
)

// The public Python library of Deepgram listens live, by either version, and is refused with a key
// that is not known.
func TestDeepgramLivePython(t *testing.T) {
	t.Parallel()
	dialectPython(t)
	r := newTestServer(t, nil)
	audio := audioFile(t, speech(5, 3))
	said := runSessions(t, "deepgram_live.py", []string{r.http.URL, testKey, audio}, "v1", "v2", "v1-wrong", "v2-wrong")
	for _, version := range []string{"v1", "v2"} {
		var texts []string
		var id string
		finalized := 0
		for _, line := range said[version] {
			var m struct {
				Type, ID, Text   string
				Final, Finalized bool
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			switch m.Type {
			case "Results", "TurnInfo":
				if m.Final && m.Text != "" {
					texts = append(texts, m.Text)
				}
				if m.Finalized {
					finalized++
				}
			case "Metadata", "Connected":
				id = m.ID
			default:
				t.Errorf("%s: %s", version, line)
			}
		}
		want := r.result(id).Transcription.FullTranscript
		if got := strings.Join(texts, " "); got != want || got == "" || version == "v1" && finalized < 1 {
			t.Errorf("%s: %q, finalized %d times, the record has %q", version, got, finalized, want)
		}
		if lines := said[version+"-wrong"]; len(lines) != 1 || !strings.Contains(lines[0], "401") {
			t.Errorf("%s, a wrong key: %q", version, lines)
		}
	}
}
