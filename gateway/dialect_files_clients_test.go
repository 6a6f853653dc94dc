package gateway

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The public client libraries of other services, given nothing but the gateway's address and a key,
// send a recording: each gets the transcript that a job of the gateway's own has.
func TestFilesByClients(t *testing.T) {
	t.Parallel()
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

// Public client libraries for Node stream over TLS, without which two of them do not connect: each
// hears what the record has.
func TestStreamingByNode(t *testing.T) {
	r := newTestServer(t, nil)
	behind, err := url.Parse(r.http.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewTLSServer(httputil.NewSingleHostReverseProxy(behind))
	defer proxy.Close()
	authority := filepath.Join(t.TempDir(), "authority.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: proxy.Certificate().Raw})
	if err := os.WriteFile(authority, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for client, rate := range map[string]int{"openai": 24000, "deepgram": 16000, "assemblyai": 16000} {
		sound := speech(5, 3)
		if rate != 16000 {
			sound = slices.Concat(sound, speech(5, 3)[:len(sound)/2]) // as long at the higher rate
		}
		lines := runScript(t, []string{"NODE_EXTRA_CA_CERTS=" + authority}, "streaming.mjs", proxy.URL, testKey,
			audioFile(t, sound), client)
		var got struct{ Text string }
		if err := json.Unmarshal([]byte(lines[0]), &got); err != nil {
			t.Fatalf("%s: %q: %v", client, lines, err)
		}
		if want := r.result(r.lastLive()).Transcription.FullTranscript; got.Text != want || want == "" {
			t.Errorf("%s: %q, the record has %q", client, got.Text, want)
		}
	}
}

func runNode(t *testing.T, args ...string) []string {
	t.Helper()
	return runScript(t, nil, "files.mjs", args...)
}

// runScript runs a script with the public client libraries for Node, which "make deps" installs,
// and returns its lines.
func runScript(t *testing.T, env []string, script string, args ...string) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs other programs")
	}
	const dir = "../cmd/steno/endtoend/testdata/sdk"
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "assemblyai")); err != nil {
		t.Skip("no client libraries: make deps installs them")
	}
	cmd := exec.CommandContext(t.Context(), "node", append([]string{script}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var fault bytes.Buffer
	cmd.Stderr = &fault
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, fault.Bytes())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
