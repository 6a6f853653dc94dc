package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/rs/zerolog"

	"steno/messages"
	"steno/session/asr/scripted"
	"steno/session/store/embedded"
)

// pipes is a network inside one process, in which a test's fake clock counts.
type pipes struct {
	conns chan net.Conn
	gone  chan struct{}
	once  sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), gone: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.gone:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.gone) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.conns <- server:
		return client, nil
	case <-p.gone:
		return nil, net.ErrClosed
	}
}

// world is a gateway in a bubble of fake time.
type world struct {
	t      *testing.T
	dir    string
	net    *pipes
	store  *embedded.Store
	server *Server
	served chan error
	change func(*Deps) // may be nil
	config Config      // but for its keys
}

// inBubble runs a test with a gateway whose clock is the bubble's.
func inBubble(t *testing.T, test func(t *testing.T, w *world)) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := &world{t: t, dir: dir}
		w.start()
		defer w.stop()
		test(t, w)
	})
}

func (w *world) start() {
	w.t.Helper()
	var err error
	if w.store, err = embedded.Open(w.t.Context(), w.dir); err != nil {
		w.t.Fatal(err)
	}
	deps := Deps{Store: w.store, Engines: &engines{asr: scripted.New(scripted.Config{})}, Log: zerolog.New(os.Stderr).Level(zerolog.WarnLevel)}
	if w.change != nil {
		w.change(&deps)
	}
	cfg := w.config
	cfg.Keys = []string{testKey}
	if w.server, err = New(cfg, deps); err != nil {
		w.t.Fatal(err)
	}
	w.net, w.served = newPipes(), make(chan error, 1)
	go func() { w.served <- w.server.Serve(w.net) }()
}

func (w *world) stop() {
	w.t.Helper()
	if err := errors.Join(w.server.Close(), <-w.served, w.store.Close()); err != nil {
		w.t.Error(err)
	}
}

func (w *world) do(method, path, body string, into any) int {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, "http://steno"+path, bytes.NewBufferString(body))
	if err != nil {
		w.t.Fatal(err)
	}
	return w.ask(req, into)
}

func (w *world) post(path string, body io.Reader, size int64, kind string, into any) int {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), "POST", "http://steno"+path, body)
	if err != nil {
		w.t.Fatal(err)
	}
	req.ContentLength = size
	req.Header.Set("Content-Type", kind)
	return w.ask(req, into)
}

func (w *world) ask(req *http.Request, into any) int {
	w.t.Helper()
	client := http.Client{Transport: &http.Transport{DialContext: w.net.dial, DisableKeepAlives: true}}
	req.Header.Set("x-service-key", testKey)
	resp, err := client.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	if into != nil {
		if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
			w.t.Fatal(err)
		}
	}
	return resp.StatusCode
}

func (w *world) create() (id, url string) {
	w.t.Helper()
	var got struct{ ID, URL string }
	if status := w.do("POST", "/v2/live", `{}`, &got); status != 201 {
		w.t.Fatalf("create: %d", status)
	}
	return got.ID, got.URL
}

func (w *world) job(id string) messages.Job {
	w.t.Helper()
	var job messages.Job
	if status := w.do("GET", "/v2/live/"+id, "", &job); status != 200 {
		w.t.Fatalf("job: %d", status)
	}
	return job
}

func (w *world) call(url string) *caller {
	w.t.Helper()
	c := call(w.t, url)
	c.dial = w.net.dial
	return c.mustConnect()
}

// after sees that a job has a status just before a time is over and another one soon after.
func (w *world) after(id string, wait time.Duration, before, then messages.Status) {
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

func TestNeverConnected(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		id, url := w.create()
		w.after(id, 10*time.Minute, messages.StatusQueued, messages.StatusError)
		job := w.job(id)
		if job.ErrorCode == nil || *job.ErrorCode != 408 || job.CompletedAt == nil {
			t.Errorf("job %+v", job)
		}
		if code := w.call(url).end(); code != 4401 {
			t.Errorf("close code %d, want 4401", code)
		}
	})
}

func TestResumeWindowEnds(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		id, url := w.create()
		c := w.call(url)
		if err := c.send(speech(3, 1)); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(96000)
		c.hangUp()
		w.after(id, 30*time.Second, messages.StatusProcessing, messages.StatusDone)
		late := w.call(url) // within the window after the end: gets what it missed
		if code := late.end(); code != 1000 {
			t.Errorf("close code %d, want 1000", code)
		}
		late.await("post_final_transcript", func(f frame) bool { return f.Type == "post_final_transcript" })
	})
}

func TestFinishedSessionIsDeliveredAfterARestart(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		id, url := w.create()
		c := w.call(url)
		if err := c.send(speech(3, 1)); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(96000)
		c.hangUp()
		time.Sleep(31 * time.Second)
		if got := w.job(id).Status; got != messages.StatusDone {
			t.Fatalf("status %s", got)
		}
		w.stop()
		w.start()
		late := w.call(url)
		if code := late.end(); code != 1000 {
			t.Errorf("close code %d, want 1000", code)
		}
		var result messages.LiveResult
		if err := json.Unmarshal(w.job(id).Result, &result); err != nil {
			t.Fatal(err)
		}
		shown := append(c.all(), late.all()...)
		for _, m := range result.Messages {
			kind := parseFrame(t, m).Type
			lifecycle := kind == "start_session" || kind == "start_recording" || kind == "end_recording" || kind == "end_session"
			if got := slices.ContainsFunc(shown, func(f frame) bool { return f.text == m }); got == lifecycle {
				t.Errorf("shown %v: %.100s", got, m)
			}
		}
	})
}

func TestTokenDiesAfterTheLastWindow(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		_, url := w.create()
		w.call(url).hangUp()
		time.Sleep(31 * time.Second) // the session ends
		time.Sleep(31 * time.Second) // its token dies
		if code := w.call(url).end(); code != 4401 {
			t.Errorf("close code %d, want 4401", code)
		}
	})
}

func TestIdleLimit(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		id, url := w.create()
		c := w.call(url)
		if err := c.send(speech(3, 1)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Second)
		if err := c.text(`{"type":"audio_chunk","data":{"chunk":""}}`); err != nil {
			t.Fatal(err)
		}
		w.after(id, 120*time.Second, messages.StatusProcessing, messages.StatusDone)
		if code := c.end(); code != 1000 {
			t.Errorf("close code %d, want 1000", code)
		}
		for _, f := range c.all() {
			if f.Type == "stop_recording" {
				t.Error("a stop that nobody asked for was acknowledged")
			}
		}
		c.await("post_transcript", func(f frame) bool { return f.Type == "post_transcript" })
	})
}

func TestRestartGivesAWindow(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		back, backURL := w.create()
		gone, goneURL := w.create()
		never, _ := w.create()
		sound := speech(3, 1)
		for _, url := range []string{backURL, goneURL} {
			c := w.call(url)
			if err := c.send(sound); err != nil {
				t.Fatal(err)
			}
			c.ackedTo(96000)
			c.hangUp()
		}
		w.stop()
		time.Sleep(9 * time.Minute)
		w.start()
		time.Sleep(20 * time.Second)
		c := w.call(backURL)
		if err := c.stop(); err != nil {
			t.Fatal(err)
		}
		if code := c.end(); code != 1000 {
			t.Errorf("close code %d, want 1000", code)
		}
		if got := w.job(back).Status; got != messages.StatusDone {
			t.Errorf("stopped after a restart: %s", got)
		}
		w.after(gone, 10*time.Second, messages.StatusProcessing, messages.StatusDone)
		w.after(never, 28*time.Second, messages.StatusQueued, messages.StatusError)
	})
}

func TestDrainWaitsForWhoIsSpeaking(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		id, url := w.create()
		c := w.call(url)
		if err := c.text(`{"type":"audio_chunk","data":{"chunk":""}}`); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(0)
		drained := make(chan struct{})
		go func() { defer close(drained); w.server.Drain(context.Background()) }()
		time.Sleep(10 * time.Second)
		if status := w.do("GET", "/readyz", "", nil); status != 503 {
			t.Errorf("ready while draining: %d", status)
		}
		if status := w.do("POST", "/v2/live", "{}", nil); status != 503 {
			t.Errorf("new session while draining: %d", status)
		}
		if isClosed(drained) {
			t.Fatal("did not wait")
		}
		if err := c.stop(); err != nil {
			t.Fatal(err)
		}
		if code := c.end(); code != 1000 {
			t.Errorf("close code %d, want 1000", code)
		}
		time.Sleep(time.Second)
		if !isClosed(drained) {
			t.Error("waits for nobody")
		}
		if got := w.job(id).Status; got != messages.StatusDone {
			t.Errorf("status %s", got)
		}
	})
}

func TestDrainDeadline(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		id, url := w.create()
		c := w.call(url)
		sound := speech(3, 1)
		if err := c.send(sound); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(96000)
		start := time.Now()
		w.server.Drain(context.Background())
		if took := time.Since(start); took < 30*time.Second || took > 31*time.Second {
			t.Errorf("drained after %s", took)
		}
		if code := c.end(); code != websocket.StatusServiceRestart {
			t.Errorf("close code %d, want 1012", code)
		}
		if code := w.call(url).end(); code != websocket.StatusServiceRestart {
			t.Errorf("another socket: close code %d, want 1012", code)
		}
		w.stop()
		w.start()
		c.mustConnectTo(w)
		if err := c.stop(); err != nil {
			t.Fatal(err)
		}
		if code := c.end(); code != 1000 {
			t.Errorf("close code %d, want 1000", code)
		}
		if got := w.job(id); got.Status != messages.StatusDone || *got.File.AudioDuration != 3 {
			t.Errorf("job %+v", got)
		}
	})
}

// mustConnectTo connects the caller to a gateway started anew.
func (c *caller) mustConnectTo(w *world) {
	c.t.Helper()
	c.dial = w.net.dial
	c.mustConnect()
}

// TestSilentConnection: a connection that answers no ping is cut, and the session ends as after any other loss.
func TestSilentConnection(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		id, url := w.create()
		var raw net.Conn
		dial := func(ctx context.Context, network, addr string) (c net.Conn, err error) {
			raw, err = w.net.dial(ctx, network, addr)
			return raw, err
		}
		transport := &http.Transport{DialContext: dial, DisableKeepAlives: true}
		conn, _, err := websocket.Dial(t.Context(), url, &websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.CloseNow()       // its reading side was never used
		go io.Copy(io.Discard, raw) // takes everything, answers nothing; ends with the connection
		w.after(id, 90*time.Second, messages.StatusProcessing, messages.StatusDone)
	})
}

// TestStalledConnection: a connection that takes no bytes is cut.
func TestStalledConnection(t *testing.T) {
	inBubble(t, func(t *testing.T, w *world) {
		id, url := w.create()
		transport := &http.Transport{DialContext: w.net.dial, DisableKeepAlives: true}
		conn, _, err := websocket.Dial(t.Context(), url, &websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.CloseNow() // nothing was read from it
		if err := conn.Write(t.Context(), websocket.MessageBinary, make([]byte, 32000)); err != nil {
			t.Fatal(err)
		}
		w.after(id, 40*time.Second, messages.StatusProcessing, messages.StatusDone)
	})
}
