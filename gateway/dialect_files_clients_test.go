package gateway

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The public client libraries of other services, given nothing but the gateway's address and a key,
// send a recording: each gets the transcript that a job of the gateway's own has.
func TestFilesByClients(t *testing.T) {
	for name, run := range map[string]func(t *testing.T, args ...string) []string{
		"python": func(t *testing.T, args ...string) []string { return runClient(t, "files.py", args...) },
		"node":   runNode,
	} {
		t.Run(name, func(t *testing.T) {
			r := recordedServer(t, nil)
			r.engines.languages = []string{"en"}
			file := wavOf(speech(4, 9), 16000, 1)
			want := r.transcribeFile("talk.wav", file).Transcription.FullTranscript
			lines := run(t, r.http.URL, testKey, audioFile(t, file))
			for _, line := range lines {
				var got struct{ Client, Text string }
				if err := json.Unmarshal([]byte(line), &got); err != nil {
					t.Fatalf("%q: %v", line, err)
				}
				wanted := want
				if strings.HasSuffix(got.Client, "unknown key") {
					wanted = "invalid_api_key"
				}
				if got.Text != wanted {
					t.Errorf("%s: %q, want %q", got.Client, got.Text, wanted)
				}
			}
			if len(lines) != 5 {
				t.Errorf("answers %q", lines)
			}
		})
	}
}

// runNode runs the script with the public client libraries for Node, which "make deps" installs.
func runNode(t *testing.T, args ...string) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs other programs")
	}
	const dir = "../cmd/steno/testdata/sdk"
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "assemblyai")); err != nil {
		t.Skip("no client libraries: make deps installs them")
	}
	cmd := exec.CommandContext(t.Context(), "node", append([]string{"files.mjs"}, args...)...)
	cmd.Dir = dir
	var fault bytes.Buffer
	cmd.Stderr = &fault
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, fault.Bytes())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
