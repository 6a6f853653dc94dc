package gateway

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"steno/messages"
)

// dialectPython returns the interpreter with the public client libraries of other services, which
// "make deps" installs.
func dialectPython(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs other programs")
	}
	cache, err := os.UserCacheDir()
	python := filepath.Join(cache, "steno", "dialect-clients", "bin", "python")
	if err == nil {
		_, err = os.Stat(python)
	}
	if err != nil {
		t.Skip("no client libraries: make deps installs them")
	}
	return python
}

// runClient runs a script of testdata/dialects, and returns the lines that it prints.
func runClient(t *testing.T, script string, args ...string) (lines []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), dialectPython(t), append([]string{filepath.Join("testdata", "dialects",
		script)}, args...)...)
	cmd.WaitDelay = time.Minute
	var fault bytes.Buffer
	cmd.Stderr = &fault
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, fault.Bytes())
	}
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

// runSessions runs a script that has a session for each of its last arguments, one after the other,
// and prints an empty line after each: to load a library takes longer than the sessions. It returns
// the lines of each session by its argument.
func runSessions(t *testing.T, script string, args []string, sessions ...string) map[string][]string {
	t.Helper()
	lines, printed := map[string][]string{}, runClient(t, script, append(args, sessions...)...)
	for _, session := range sessions {
		end := slices.Index(printed, "")
		if end < 0 {
			t.Fatalf("%s: nothing of %s: %q", script, session, printed)
		}
		lines[session], printed = printed[:end], printed[end+1:]
	}
	return lines
}

// audioFile returns the path of a file of audio.
func audioFile(t *testing.T, audio []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audio")
	if err := os.WriteFile(path, audio, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The public Python library of OpenAI has realtime sessions, by a key or by a client secret, and is
// refused with a key that is not known.
func TestOpenAIRealtimePython(t *testing.T) {
	t.Parallel()
	dialectPython(t)
	r := newTestServer(t, nil)
	audio := audioFile(t, resampled(speech(5, 3), 24000))
	said := runSessions(t, "openai_realtime.py", []string{r.http.URL, testKey, audio}, "key", "secret", "wrong")
	var made struct {
		Expires int64 `json:"expires_at"`
		Kind    string
	}
	secret := said["secret"][0]
	if err := json.Unmarshal([]byte(secret), &made); err != nil || made.Kind != "transcription" ||
		time.Until(time.Unix(made.Expires, 0)) > time.Minute {
		t.Fatalf("secret: %s, %v", secret, err)
	}
	var list struct{ Items []messages.Job }
	if err := json.Unmarshal(r.do("GET", "/v2/live?limit=9", "").body, &list); err != nil || len(list.Items) != 2 {
		t.Fatalf("%d sessions, %v", len(list.Items), err)
	}
	for i, how := range []string{"secret", "key"} { // the newest is the first
		lines := said[how]
		var last struct {
			Type, Transcript string
			Logprobs         []struct{ Token string }
		}
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
			t.Fatal(err)
		}
		want := r.result(list.Items[i].ID).Transcription.FullTranscript
		if !strings.HasSuffix(last.Type, "completed") || last.Transcript != want || len(last.Logprobs) < 3 {
			t.Errorf("%q: %+v, the record has %q", how, last, want)
		}
	}
	if lines := said["wrong"]; len(lines) != 1 || !strings.Contains(lines[0], "401") {
		t.Errorf("a wrong key: %q", lines)
	}
}
