package gateway

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/messages"
)

// agents are the speech-to-text services of frameworks for voice agents, by the variable that names
// the framework's interpreter.
var agents = map[string]struct {
	script   string
	services []string
}{
	"STENO_TEST_PIPECAT": {"pipecat_agent.py", []string{"openai realtime", "openai", "deepgram", "flux",
		"assemblyai"}},
	"STENO_TEST_LIVEKIT": {"livekit_agent.py", []string{"openai realtime", "openai", "deepgram", "deepgram file",
		"flux", "assemblyai"}},
}

// The services of pipecat and LiveKit, given an address and a key, return the words of the session
// or the job that they made. "make test-agents" installs them.
func TestAgents(t *testing.T) {
	for variable, agent := range agents {
		python := os.Getenv(variable)
		t.Run(strings.TrimSuffix(agent.script, "_agent.py"), func(t *testing.T) {
			if python == "" {
				t.Skip("it is not installed: make test-agents does that")
			}
			r := recordedServer(t, nil)
			for _, service := range agent.services {
				t.Run(service, func(t *testing.T) {
					t.Parallel()
					r.runAgent(t, python, agent.script, service)
				})
			}
		})
	}
}

// runAgent has a service transcribe speech.
func (r *testServer) runAgent(t *testing.T, python, script, service string) {
	audio := append(make([]byte, 16000), speech(2, 3)...)
	if script == "livekit_agent.py" && service == "openai realtime" {
		audio = resampled(audio, 24000)
	}
	cmd := exec.CommandContext(t.Context(), python, filepath.Join("testdata", "dialects", script), service,
		strings.TrimPrefix(r.http.URL, "http://"), testKey, audioFile(t, audio))
	cmd.WaitDelay = time.Minute
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, log.Bytes())
	}
	var finals []string
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		var line struct{ Final, Error string }
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			continue // of a library
		}
		if line.Error != "" {
			t.Errorf("it reports %s", line.Error)
		}
		finals = append(finals, strings.TrimSpace(line.Final))
	}
	if got := strings.Join(finals, " "); got == "" || !r.hasTranscript(got) {
		t.Errorf("its text %q is that of no session and no job\n%s", got, log.Bytes())
	}
}

// hasTranscript reports whether a record has a text, but for case and marks.
func (r *testServer) hasTranscript(text string) bool {
	var list struct{ Items []messages.Job }
	if err := json.Unmarshal(r.do("GET", "/v2/transcription?limit=100", "").body, &list); err != nil {
		r.t.Fatal(err)
	}
	for _, job := range list.Items {
		var record struct {
			Result struct {
				Transcription messages.Transcription
			}
		}
		a := r.do("GET", "/v2/transcription/"+job.ID, "")
		if json.Unmarshal(a.body, &record) != nil {
			continue
		}
		if plainText(record.Result.Transcription.FullTranscript) == plainText(text) {
			return true
		}
	}
	return false
}

// plainText is the words of a text in small letters without marks.
func plainText(text string) string {
	words := strings.Fields(strings.ToLower(text))
	for i := range words {
		words[i] = strings.Trim(words[i], ".,!?")
	}
	return strings.Join(words, " ")
}
