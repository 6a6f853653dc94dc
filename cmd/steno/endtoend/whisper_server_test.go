package endtoend_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"steno/cmd/cmdtest"
)

// whisperFolder is where cmd/install-whisper.sh has put a Whisper server. It skips the test where
// that has not run.
func whisperFolder(t testing.TB) string {
	t.Helper()
	var pinned []byte
	for _, name := range []string{"requirements.txt", "model.sha256"} {
		b, err := os.ReadFile(filepath.Join("testdata", "whisper", name))
		if err != nil {
			t.Fatal(err)
		}
		pinned = append(pinned, b...)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skipf("no Whisper server: %v", err)
	}
	sum := sha256.Sum256(pinned)
	folder := filepath.Join(cache, "steno", "whisper-"+hex.EncodeToString(sum[:])[:12])
	if _, err := os.Stat(filepath.Join(folder, "serve")); err != nil {
		t.Skip("no Whisper server: make test-whisper installs one")
	}
	return folder
}

// newWhisper runs a Whisper server with the multilingual base model until the test ends, and
// returns its address. It decodes greedily, since the machine has more to do.
func newWhisper(t testing.TB) string {
	t.Helper()
	folder := whisperFolder(t)
	config := filepath.Join(t.TempDir(), "whisper.yml")
	text := fmt.Sprintf("models:\n  - name: whisper-1\n    path: %q\n    model_options: {compute_type: int8, cpu_threads: 2}\n"+
		"    transcribe_options: {beam_size: 1}\n", filepath.Join(folder, "model"))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	address := cmdtest.Address(t)
	host, port := address[:len("127.0.0.1")], address[len("127.0.0.1:"):]
	var log lockedBuffer
	server := exec.Command(filepath.Join(folder, "serve"), "--config", config, "--host", host, "--port", port)
	server.Stdout, server.Stderr = &log, &log
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_ = server.Wait()
	}()
	t.Cleanup(func() {
		_ = syscall.Kill(-server.Process.Pid, syscall.SIGKILL)
		<-gone
		t.Logf("the Whisper server had %v of processor time", server.ProcessState.UserTime()+
			server.ProcessState.SystemTime())
		if t.Failed() {
			t.Logf("log of the Whisper server:\n%s", log.String())
		}
	})
	awaitServer(t, "http://"+address+"/health", gone, &log)
	return "http://" + address
}

// awaitServer waits until a server answers that has not ended.
func awaitServer(t testing.TB, address string, gone <-chan struct{}, log *lockedBuffer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), readyWithin)
	defer cancel()
	for {
		if status, err := get(ctx, address); err == nil && status == http.StatusOK {
			return
		}
		select {
		case <-gone:
			t.Fatalf("the Whisper server ended:\n%s", log.String())
		case <-ctx.Done():
			t.Fatalf("the Whisper server is not ready:\n%s", log.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// newWhisperGateway runs a gateway whose only engine is a server with OpenAI's interface. The
// options are those of the engine.
func newWhisperGateway(t *testing.T, server, options string) *gateway {
	t.Helper()
	var config bytes.Buffer
	fmt.Fprintf(&config,
		"engines:\n  more:\n    whisper:\n      openai: {url: %q, model: whisper-1, concurrency: 2, timeout: 2m%s}\n",
		server+"/v1", options)
	path := filepath.Join(t.TempDir(), "steno.yml")
	if err := os.WriteFile(path, config.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	g := gatewayToBe(t, build(t), "whisper")
	g.args = []string{"--config", path}
	if err := g.start(); err != nil {
		t.Fatal(err)
	}
	return g
}
