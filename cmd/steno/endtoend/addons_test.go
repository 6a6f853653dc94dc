package endtoend_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/messages"
)

// chatServer answers as a server with OpenAI's interface for chats does; answer makes the text of a
// reply to a request.
func chatServer(t *testing.T, answer func(request string) string) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !strings.HasSuffix(r.URL.Path, "/chat/completions") || r.Header.Get("Authorization") !=
			"Bearer sesame" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		reply := answer(string(body))
		if reply == "" {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{"message": map[string]string{"role": "assistant", "content": reply},
				"finish_reason": "stop"}},
		})
	}))
	t.Cleanup(s.Close)
	return s
}

// TestConfiguredAddons has a language model and apertium do add-ons of a recorded file, by
// configuration alone.
func TestConfiguredAddons(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	t.Parallel()
	model := chatServer(t, func(request string) string {
		switch {
		case strings.Contains(request, "Who speaks?"):
			return "Somebody does."
		case strings.Contains(request, `summary`):
			return `{"summary":"A summary by the model."}`
		}
		return "" // whatever else is asked fails
	})
	path := filepath.Join(t.TempDir(), "steno.yml")
	text := fmt.Sprintf("addons:\n  llm: {url: %q, key_env: MODEL_KEY, model: small, use: [summarization]}\n",
		model.URL)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	g := newGateway(t, build(t), "scripted", "STENO_CONFIG="+path, "MODEL_KEY=sesame")
	result := g.result(t, g.submit(t, babble(t).wav(t), `"language_config":{"languages":["en"]},"summarization":true,"audio_to_llm":true,
		"audio_to_llm_config":{"prompts":[["Who speaks?"]]},"name_consistency":true,
		"translation":true,"translation_config":{"target_languages":["es"]}`))
	if s := result.Summarization; s == nil || !s.Success || *s.Results != "A summary by the model." {
		t.Errorf("summary %+v", s)
	}
	if a := result.AudioToLLM; a == nil || !a.Success || *a.Results[0].Results.Response != "Somebody does." {
		t.Errorf("answers %+v", a)
	}
	if n := result.NameConsistency; n == nil || n.Success || n.Error.StatusCode != 502 {
		t.Errorf("names %+v", n)
	}
	if _, err := exec.LookPath("apertium"); err != nil {
		t.Log("translation not tested: no apertium")
		return
	}
	if tr := result.Translation; tr == nil || !tr.Success || tr.Results[0].FullTranscript == "" ||
		tr.Results[0].FullTranscript == result.Transcription.FullTranscript {
		t.Errorf("translation %+v", tr)
	}
}

// result is that of a job once it is done.
func (g *gateway) result(t *testing.T, path string) (result messages.PreRecordedResult) {
	t.Helper()
	for deadline := time.Now().Add(recordedWithin); ; time.Sleep(100 * time.Millisecond) {
		var job struct {
			Status string
			Result *messages.PreRecordedResult
		}
		g.ask(t, "GET", path, "", nil, 200, &job)
		switch {
		case job.Status == "done":
			return *job.Result
		case job.Status == "error" || time.Now().After(deadline):
			t.Fatalf("job %+v", job)
		}
	}
}
