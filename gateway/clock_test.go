package gateway

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/messages"
)

func TestNeverConnected(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		id, url := w.create()
		if status := w.do("GET", "/v2/live/"+id+"/file", "", nil); status != 404 {
			t.Errorf("file of a session that waits for its socket: %d", status)
		}
		w.after(id, time.Minute, messages.StatusQueued, messages.StatusError)
		job := w.job(id)
		if job.ErrorCode == nil || *job.ErrorCode != 408 || job.CompletedAt == nil {
			t.Errorf("job %+v", job)
		}
		if why, _ := job.PostSessionMetadata["error_message"].(string); why !=
			"no socket was opened within 1m0s of the session's creation" {
			t.Errorf("the record says %q", why)
		}
		if code := w.call(url).end(); code != 4401 {
			t.Errorf("close code %d, want 4401", code)
		}
		if status := w.do("GET", "/v2/live/"+id+"/file", "", nil); status != 404 {
			t.Errorf("file of a session nobody connected to: %d", status)
		}
	})
}

func TestResumeWindowEnds(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
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
	inBubble(t, func(t *testing.T, w *bubble) {
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
			lifecycle := kind == "start_session" || kind == "start_recording" || kind == "end_recording" ||
				kind == "end_session"
			if got := slices.ContainsFunc(shown, func(f frame) bool { return f.text == m }); got == lifecycle {
				t.Errorf("shown %v: %.100s", got, m)
			}
		}
	})
}

func TestTokenDiesAfterTheLastWindow(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
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
	inBubble(t, func(t *testing.T, w *bubble) {
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
	inBubble(t, func(t *testing.T, w *bubble) {
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
		if got := w.job(never).Status; got != messages.StatusQueued {
			t.Errorf("%s before its window was over", got)
		}
		w.after(gone, 10*time.Second, messages.StatusProcessing, messages.StatusDone)
		if got := w.job(never).Status; got != messages.StatusError {
			t.Errorf("%s when its window was over", got)
		}
	})
}

func TestDrainWaitsForWhoIsSpeaking(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
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
		if over(drained) {
			t.Fatal("did not wait")
		}
		if err := c.stop(); err != nil {
			t.Fatal(err)
		}
		if code := c.end(); code != 1000 {
			t.Errorf("close code %d, want 1000", code)
		}
		time.Sleep(time.Second)
		if !over(drained) {
			t.Error("drains without a socket to wait for")
		}
		if got := w.job(id).Status; got != messages.StatusDone {
			t.Errorf("status %s", got)
		}
	})
}

func TestDrainDeadline(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
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

// mustConnectTo connects the caller to a restarted gateway.
func (c *caller) mustConnectTo(w *bubble) {
	c.t.Helper()
	c.dial = w.net.Dial
	c.mustConnect()
}

// TestSilentConnection: a connection that answers no ping is cut, and the session ends as after any
// other loss.
func TestSilentConnection(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		id, url := w.create()
		w.silent(url)
		w.after(id, 90*time.Second, messages.StatusProcessing, messages.StatusDone)
	})
}

// silent returns a connection that reads everything and answers nothing. It ends with the test.
func (w *bubble) silent(url string) *websocket.Conn {
	w.t.Helper()
	conn, _ := w.unread(url)
	return conn
}

// unread connects a socket whose messages are discarded, and returns the connection below it too.
// It ends with the test.
func (w *bubble) unread(url string) (conn *websocket.Conn, raw net.Conn) {
	w.t.Helper()
	dial := func(ctx context.Context, network, addr string) (c net.Conn, err error) {
		raw, err = w.net.Dial(ctx, network, addr)
		return raw, err
	}
	transport := &http.Transport{DialContext: dial, DisableKeepAlives: true}
	conn, _, err := websocket.Dial(w.t.Context(), url,
		&websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		w.t.Fatal(err)
	}
	// its reading side was never used, and its written bytes may be no message
	w.t.Cleanup(func() { _ = conn.CloseNow() })
	go io.Copy(io.Discard, raw) // ends with the connection
	return conn, raw
}

// TestStalledConnection: a connection that reads no bytes is cut.
func TestStalledConnection(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		id, url := w.create()
		transport := &http.Transport{DialContext: w.net.Dial, DisableKeepAlives: true}
		conn, _, err := websocket.Dial(t.Context(), url,
			&websocket.DialOptions{HTTPClient: &http.Client{Transport: transport}})
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

// over reports whether a channel is closed.
func over(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
