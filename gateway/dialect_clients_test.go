package gateway

import (
	"encoding/json"
	"strings"
	"testing"
)

// The public Python library of AssemblyAI streams by a key or by a temporary token: it reads each
// message, its session ends as those of that service do, and it is warned of a setting that cannot
// change.
func TestAssemblyAIPython(t *testing.T) {
	t.Parallel()
	dialectPython(t)
	r := newTestServer(t, nil)
	audio := audioFile(t, speech(5, 3))
	said := runSessions(t, "assemblyai_streaming.py", []string{r.http.URL, testKey, audio}, "key", "token", "wrong")
	for _, how := range []string{"key", "token"} {
		var texts []string
		var id, last, warning string
		for _, line := range said[how] {
			var m struct {
				Type, ID, Text   string
				Ended, Formatted bool
				Seconds, Words   int
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			switch last = m.Type; m.Type {
			case "begin":
				id = m.ID
			case "turn":
				if m.Ended && m.Formatted {
					texts = append(texts, m.Text)
				}
			case "warning":
				warning += m.Text
			case "termination":
				if m.Seconds != 5 {
					t.Errorf("%s: %d s", how, m.Seconds)
				}
			default:
				t.Errorf("%s: %s", how, line)
			}
		}
		want := r.result(id).Transcription.FullTranscript
		if got := strings.Join(texts, " "); got != want || got == "" || last != "termination" {
			t.Errorf("%s: %q, ended by %q, the record has %q", how, got, last, want)
		}
		if !strings.HasPrefix(warning, "language_codes cannot change") {
			t.Errorf("%s: warned of %q", how, warning)
		}
	}
	if lines := said["wrong"]; len(lines) != 1 || !strings.Contains(lines[0], "401") {
		t.Errorf("a wrong key: %q", lines)
	}
}

// The public Python library of Wyoming has two utterances transcribed on one connection.
func TestWyomingPython(t *testing.T) {
	dialectPython(t)
	r := newTestServer(t, nil)
	a := callPort(t, r, testKey)
	var texts []string
	for _, line := range runClient(t, "wyoming_asr.py", a.conn.RemoteAddr().String(), audioFile(t, speech(4, 3))) {
		var e wyomingEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if e.Type == "transcript" {
			texts = append(texts, e.Data.Text)
		}
	}
	want := r.result(r.lastLive()).Transcription.FullTranscript
	if len(texts) != 2 || texts[0] != want || texts[1] != want || want == "" {
		t.Errorf("%q, the record has %q", texts, want)
	}
}
