package endtoend_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/zaf/g711"

	"steno/cmd/cmdtest"
)

// TestDocumentation runs what the documentation has people run, against one gateway: the samples of
// the page /docs, and the blocks of the Markdown files that documents_test.go does not check.
func TestDocumentation(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	// Callbacks to nowhere are dropped immediately: there is something to send again.
	g := newGateway(t, build(t), "scripted", "STENO_ALLOW_PRIVATE=true",
		"STENO_CALLBACKS_FIRST_RETRY=10ms", "STENO_CALLBACKS_LONGEST_RETRY=10ms", "STENO_CALLBACKS_GIVE_UP=10ms")
	cmdtest.Build(t, "loadtest")
	w := newWorkbench(t, g)
	t.Run("samples", func(t *testing.T) { t.Parallel(); testSamples(t, w) })
	blocks := cmdtest.Blocks(t, "../../../README.md", "../../../gateway/GUIDE.md", "../DEPLOYMENT.md",
		"../OPERATIONS.md")
	env := environment{"ID": (&bench{workbench: w}).talk(t)}
	for _, b := range blocks {
		run := w.runner(b)
		if run == nil {
			continue
		}
		t.Run(fmt.Sprintf("%s:%d", filepath.Base(b.File), b.Line), func(t *testing.T) { t.Parallel(); run(t, b, env) })
	}
}

// runner is what runs a block; nil: it is not to be run here.
func (w *workbench) runner(b cmdtest.Block) func(*testing.T, cmdtest.Block, environment) {
	return map[string]func(*testing.T, cmdtest.Block, environment){
		"sh": w.runShell, "sh shortened": w.runShortened, "js": w.runJavaScript, "js page": w.runPage,
		"js twilio": w.runTwilio,
		"python":    w.runPython, "python agents": w.runAgents, "json": w.readJSON,
	}[strings.TrimSpace(b.Language+" "+b.Kind)]
}

func (w *workbench) runShell(t *testing.T, b cmdtest.Block, env environment) {
	needCommands(t)
	if strings.Contains(b.Text, "sqlite3 ") {
		needPrograms(t, "sqlite3")
	}
	if said, err := w.shell(env, b.Text); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// runShortened runs a load that is shorter than the documented one.
func (w *workbench) runShortened(t *testing.T, b cmdtest.Block, env environment) {
	short := strings.NewReplacer("--audio talks/", "--audio talk.wav", "--sessions 50", "--sessions 2",
		"--duration 2m", "--duration 2s",
		"--find-capacity", "--find-capacity --max-sessions 1 --settle 1ms --trial 1s --confirm 1s")
	text := short.Replace(b.Text)
	if text == b.Text {
		t.Error("nothing of it is shortened")
	}
	said, err := w.shell(env, text)
	var code *exec.ExitError
	// an objective was missed, or the generator was too slow
	busy := errors.As(err, &code) && (code.ExitCode() == 1 || code.ExitCode() == 3)
	if err != nil && !busy {
		t.Errorf("%v\n%s", err, said)
	}
	for _, m := range regexp.MustCompile(`--(?:json|html) (\S+)`).FindAllStringSubmatch(text, -1) {
		if !fileExists(filepath.Join(w.dir, m[1])) {
			t.Errorf("there is no report %s:\n%s", m[1], said)
		}
	}
}

func (w *workbench) runJavaScript(t *testing.T, b cmdtest.Block, env environment) {
	findSDK(t)
	text := w.here(b.Text)
	said, err := w.run(env, "node", w.write(fmt.Sprintf("block%d.mjs", b.Line), []byte(text)))
	if err != nil || strings.Contains(text, "talk.wav") && len(strings.Fields(said)) < 3 {
		t.Errorf("%v\n%s", err, said)
	}
}

// runPage has Chromium open a page with the module, a recording as its microphone. What it prints
// first is sent to the test.
func (w *workbench) runPage(t *testing.T, b cmdtest.Block, _ environment) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	const report = "const said = (text) => fetch('/said', { method: 'POST', body: String(text) })\n" +
		"console.log = said\naddEventListener('unhandledrejection', (e) => said('error: ' + e.reason))\n"
	said := make(chan string, 100)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(rw, "<!doctype html><script>%s</script><script type=module>%s</script>", report, w.here(b.Text))
	})
	mux.HandleFunc("POST /open-session", func(rw http.ResponseWriter, r *http.Request) {
		request, _ := io.ReadAll(io.LimitReader(r.Body, 1<<16))
		if len(request) == 0 {
			request = []byte("{}")
		}
		var opened json.RawMessage
		w.g.ask(t, "POST", "/v2/live", "application/json", bytes.NewReader(request), http.StatusCreated, &opened)
		_, _ = rw.Write(opened)
	})
	mux.HandleFunc("POST /said", func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(io.LimitReader(r.Body, 1<<16))
		select {
		case said <- string(text):
		default:
		}
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), documentedWithin)
	defer cancel()
	cmd := w.command(ctx, nil, browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-dev-shm-usage",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-port=0",
		"--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream", "--use-file-for-fake-audio-capture="+
			w.dir+"/talk.wav",
		"--autoplay-policy=no-user-gesture-required", "--user-data-dir="+t.TempDir(), server.URL)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cancel(); _ = cmd.Wait() }()
	select {
	case text := <-said:
		if strings.HasPrefix(text, "error:") || len(strings.Fields(text)) == 0 {
			t.Errorf("the page says %q", text)
		}
	case <-ctx.Done():
		t.Error("the page says nothing")
	}
}

func (w *workbench) readJSON(t *testing.T, b cmdtest.Block, _ environment) {
	if !json.Valid([]byte(b.Text)) {
		t.Error("it is no JSON")
	}
}

// runTwilio runs the bridge and calls it as Twilio's Media Streams do.
func (w *workbench) runTwilio(t *testing.T, b cmdtest.Block, env environment) {
	findSDK(t)
	addr := cmdtest.Address(t)
	text := strings.Replace(w.here(b.Text), "{ port: 8081 }", "{ host: '127.0.0.1', port: "+
		addr[strings.LastIndexByte(addr, ':')+1:]+" }", 1)
	ctx, cancel := context.WithTimeout(t.Context(), documentedWithin)
	defer cancel()
	cmd := w.command(ctx, env, "node", w.write("twilio.mjs", []byte(text)))
	out := new(lockedBuffer)
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cancel(); _ = cmd.Wait() }()
	call := dialPatiently(ctx, t, "ws://"+addr)
	defer func() { _ = call.CloseNow() }()
	send := func(event map[string]any) {
		text, err := json.Marshal(event)
		if err == nil {
			err = call.Write(ctx, websocket.MessageText, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	send(map[string]any{"event": "connected", "protocol": "Call", "version": "1.0.0"})
	send(map[string]any{"event": "start", "streamSid": "MZ1", "start": map[string]any{"tracks": []string{"inbound"}}})
	for piece := range slices.Chunk(g711.EncodeUlaw(halveRate(babble(t).pcm)), 160) {
		send(map[string]any{"event": "media", "streamSid": "MZ1", "media": map[string]string{
			"track": "inbound", "payload": base64.StdEncoding.EncodeToString(piece),
		}})
	}
	send(map[string]any{"event": "stop", "streamSid": "MZ1"})
	for len(strings.Fields(out.String())) < 3 {
		select {
		case <-ctx.Done():
			t.Fatalf("the bridge told %q", out)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// dialPatiently connects to a server that is being started.
func dialPatiently(ctx context.Context, t *testing.T, url string) *websocket.Conn {
	t.Helper()
	for {
		conn, _, err := websocket.Dial(ctx, url, nil)
		if err == nil {
			return conn
		}
		select {
		case <-ctx.Done():
			t.Fatal(err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// fileExists tells whether there is a file.
func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
