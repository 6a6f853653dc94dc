package endtoend_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// consoleFolder has the scripts of the console's tests, and the packages that they need.
const consoleFolder = "../../../gateway/console"

// findBrowser returns the program of the browser, for the scripts in consoleFolder.
func findBrowser(t *testing.T) string {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat(filepath.Join(consoleFolder, "node_modules", "playwright-core")); err != nil {
		t.Skip("the console's packages are not installed: make deps")
	}
	return browser
}

// TestBrowser drives the pages in real browsers, before other tests of this package begin: a page
// that is short of processor time draws late and loses audio from the microphone.
func TestBrowser(t *testing.T) {
	browser := findBrowser(t)
	for _, page := range []struct {
		name string
		test func(t *testing.T, browser string)
	}{
		{"talk", testTalk}, // which takes as long as the others together
		{"states", testConsoleStates}, {"leaving", testLeaving}, {"records", testConsoleRecords},
		{"client", testBrowserClient}, {"docs", testDocsPage},
	} {
		t.Run(page.name, func(t *testing.T) {
			t.Parallel()
			page.test(t, browser)
		})
	}
}

// testTalk talks to a gateway from a browser, below a path of a proxy: the words come, though the
// gateway is killed and the page is loaded again; what is shown is what is kept; the pages hold
// what all must. See talk.mjs. A browser that has too little of a processor takes longer than the
// usual resume window to load a page.
func testTalk(t *testing.T, browser string) {
	needSphinx(t)
	g := newGateway(t, build(t), "sphinx", "STENO_LIMITS_RESUME_WINDOW=10m")
	var answer struct{ Text string }
	runScript(t, consoleFolder, "node", "testdata/talk.mjs", map[string]any{
		"browser": browser, "base": belowPath(t, g) + "/speech", "key": testKey, "microphone": austen(t).wav(t),
		"control": controlOf(t, g),
	}, &answer)
	if !strings.Contains(answer.Text, "in his power") && !strings.Contains(answer.Text, "rather selfish") {
		t.Errorf("the page showed %q", answer.Text)
	}
}

// belowPath serves a gateway below the path /speech of another address.
func belowPath(t *testing.T, g *gateway) string {
	t.Helper()
	target, err := url.Parse(g.url())
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ErrorLog = log.New(io.Discard, "", 0) // the gateway is away for a while
	mux.Handle("/speech/", http.StripPrefix("/speech", proxy))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// controlOf lets a script kill and start a gateway.
func controlOf(t *testing.T, g *gateway) string {
	t.Helper()
	mux := http.NewServeMux()
	command := func(name string, run func() error) {
		mux.HandleFunc("POST /"+name, func(w http.ResponseWriter, _ *http.Request) {
			if err := run(); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		})
	}
	command("kill", g.kill)
	command("start", func() error { // without waiting: the page does
		_, err := g.launch()
		return err
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// testConsoleStates meets what stops a person who wants to talk, and plays a recording instead. See
// states.mjs.
func testConsoleStates(t *testing.T, browser string) {
	g := newGateway(t, build(t), "scripted", "STENO_LIMITS_SESSIONS_PER_KEY=1")
	c := babble(t)
	c.pcm = c.pcm[:2*clipRate*10]
	_, err := os.Stat("/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-0870.wav")
	runScript(t, consoleFolder, "node", "testdata/states.mjs", map[string]any{
		"browser": browser, "base": g.url(), "key": testKey, "recording": c.wav(t), "seconds": c.duration().Seconds(),
		"sample": err == nil,
	}, new(struct{}))
}

// testLeaving loads a page again that records, and sees what becomes of its microphone. See
// leaving.mjs.
func testLeaving(t *testing.T, browser string) {
	g := newGateway(t, build(t), "scripted", "STENO_LIMITS_RESUME_WINDOW=10m")
	runScript(t, consoleFolder, "node", "testdata/leaving.mjs", map[string]any{
		"browser": browser, "base": g.url(), "key": testKey, "microphone": babble(t).wav(t),
	}, new(struct{}))
}

// testBrowserClient streams a clip with the client that the gateway serves, from a page of another
// origin, over connections that break. See client.mjs.
func testBrowserClient(t *testing.T, browser string) {
	g := newGateway(t, build(t), "scripted")
	c := babble(t)
	const cuts = 4
	p := newProxy(t, g.addr, func(n int, _ bool) cut {
		if n < cuts {
			return cut{up: int64(7_001 + 23_456*n), down: -1, reset: n%2 == 0}
		}
		return cut{up: -1, down: -1}
	})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>Another origin</title><link rel=icon href=data:,>"))
	})
	clip := c.file(t)
	mux.HandleFunc("GET /clip.raw", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, clip) })
	pages := httptest.NewServer(mux)
	t.Cleanup(pages.Close)
	var answer struct{ Transcript string }
	runScript(t, consoleFolder, "node", "testdata/client.mjs", map[string]any{
		"browser": browser, "base": p.url(), "key": testKey, "pages": pages.URL, "cuts": cuts,
	}, &answer)
	if want := g.await(t,
		g.submit(t, c.wav(t))).Result.Transcription.FullTranscript; len(strings.Fields(answer.Transcript)) < 10 ||
		answer.Transcript != want {
		t.Errorf("transcript %q, of the recording %q", answer.Transcript, want)
	}
}
