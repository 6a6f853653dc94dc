package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"steno/gateway/internal/pipenet"
	"steno/gateway/limits"
	"steno/messages"
	"steno/session/asr/scripted"
	"steno/session/store/embedded"
	"steno/session/store/embedded/embeddedtest"
)

// bubble is a gateway whose clock is fake, see testing/synctest.
type bubble struct {
	t      *testing.T
	dir    string
	net    *pipenet.Listener
	store  *embedded.Store
	server *Server
	served chan error
	change func(*Deps) // may be nil
	config Config      // but for its keys
}

// inBubble runs a test with a gateway whose clock is the bubble's.
func inBubble(t *testing.T, test func(t *testing.T, w *bubble)) {
	inBubbleWith(t, limits.Limits{}, test)
}

// inBubbleWith is inBubble with limits of the test's own.
func inBubbleWith(t *testing.T, l limits.Limits, test func(t *testing.T, w *bubble)) {
	dir := embeddedtest.Folder(t)
	synctest.Test(t, func(t *testing.T) {
		w := &bubble{t: t, dir: dir, config: Config{Limits: l}}
		w.start()
		defer w.stop()
		test(t, w)
	})
}

func (w *bubble) start() {
	w.t.Helper()
	var err error
	if w.store, err = embedded.OpenWith(w.t.Context(), w.dir,
		embedded.Options{ResumeWindow: w.config.Limits.ResumeWindow}); err != nil {
		w.t.Fatal(err)
	}
	w.serve()
}

// serve starts a gateway over the store.
func (w *bubble) serve() {
	w.t.Helper()
	deps := Deps{Store: w.store, Engines: &engines{asr: scripted.New(scripted.Config{})},
		Log: zerolog.New(os.Stderr).Level(zerolog.WarnLevel)}
	if w.change != nil {
		w.change(&deps)
	}
	cfg := w.config
	cfg.Keys = []Key{{Text: testKey}}
	var err error
	if w.server, err = New(cfg, deps); err != nil {
		w.t.Fatal(err)
	}
	w.net, w.served = pipenet.Listen(), make(chan error, 1)
	go func() { w.served <- w.server.Serve(w.net) }()
}

func (w *bubble) stop() {
	w.t.Helper()
	err := errors.Join(w.server.Close(), w.store.Close())
	if served := <-w.served; !errors.Is(served, http.ErrServerClosed) { // it is closed before it serves
		err = errors.Join(err, served)
	}
	if err != nil {
		w.t.Error(err)
	}
}

func (w *bubble) do(method, path, body string, into any) int {
	w.t.Helper()
	return w.doWith(testKey, method, path, body, into)
}

// doWith is do with another key.
func (w *bubble) doWith(key, method, path, body string, into any) int {
	w.t.Helper()
	resp, err := w.request(method, path, body, key)
	if err != nil {
		w.t.Fatal(err)
	}
	return decode(w.t, resp, into)
}

func (w *bubble) request(method, path, body, key string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(w.t.Context(), method, "http://steno"+path, bytes.NewBufferString(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("x-service-key", key)
	// Keep-alives stay enabled: a server that closes the connection after its answer closes both
	// directions, and a client that still sends may miss the answer.
	client := http.Client{Transport: &http.Transport{DialContext: w.net.Dial}}
	defer client.CloseIdleConnections()
	return client.Do(req)
}

func (w *bubble) post(path string, body io.Reader, size int64, kind string, into any) int {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), "POST", "http://steno"+path, body)
	if err != nil {
		w.t.Fatal(err)
	}
	req.ContentLength = size
	req.Header.Set("Content-Type", kind)
	return w.ask(req, into)
}

func (w *bubble) ask(req *http.Request, into any) int {
	w.t.Helper()
	// Keep-alives stay enabled, see request.
	client := http.Client{Transport: &http.Transport{DialContext: w.net.Dial}}
	defer client.CloseIdleConnections()
	req.Header.Set("x-service-key", testKey)
	resp, err := client.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	return decode(w.t, resp, into)
}

// decode reads an answer to its end.
func decode(t *testing.T, resp *http.Response, into any) int {
	t.Helper()
	defer resp.Body.Close()
	if into != nil {
		if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	return resp.StatusCode
}

func (w *bubble) create() (id, url string) {
	w.t.Helper()
	var got struct{ ID, URL string }
	if status := w.do("POST", "/v2/live", `{}`, &got); status != 201 {
		w.t.Fatalf("create: %d", status)
	}
	return got.ID, got.URL
}

func (w *bubble) job(id string) messages.Job {
	w.t.Helper()
	var job messages.Job
	if status := w.do("GET", "/v2/live/"+id, "", &job); status != 200 {
		w.t.Fatalf("job: %d", status)
	}
	return job
}

func (w *bubble) call(url string) *caller {
	w.t.Helper()
	c := call(w.t, url)
	c.dial = w.net.Dial
	return c.mustConnect()
}

// after checks that a job has one status just before a time has passed and another one soon after.
func (w *bubble) after(id string, wait time.Duration, before, then messages.Status) {
	w.t.Helper()
	time.Sleep(wait - time.Second)
	if got := w.job(id).Status; got != before {
		w.t.Errorf("%s before its time was over, want %s", got, before)
	}
	time.Sleep(3 * time.Second)
	synctest.Wait()
	if got := w.job(id).Status; got != then {
		w.t.Errorf("%s when its time was over, want %s", got, then)
	}
}
