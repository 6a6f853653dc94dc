package gateway

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"steno/gateway/jobs"
	"steno/messages"
	"steno/session/store"
)

const andCancel = "?cancel=true"

// checkNothingKept checks that the data folder has no audio and no upload, and the store no record
// and no callback.
func (r *testServer) checkNothingKept() {
	r.t.Helper()
	err := filepath.WalkDir(filepath.Join(r.dir, "sessions"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			r.t.Errorf("kept %s", path)
		}
		return err
	})
	if err != nil {
		r.t.Fatal(err)
	}
	if left := r.uploadFiles(); len(left) > 0 {
		r.t.Errorf("kept %q", left)
	}
	if list, _, err := r.store.List(r.t.Context(), DefaultAccount, messages.ListQuery{}); err != nil || len(list) > 0 {
		r.t.Errorf("%d records, %v", len(list), err)
	}
	if n := r.waiting(); n > 0 {
		r.t.Errorf("%d callbacks wait", n)
	}
}

// waiting returns how many callbacks wait, at most 10.
func (r *testServer) waiting() int {
	r.t.Helper()
	list, err := r.store.Deliveries(r.t.Context(), "", store.DeliveryPending, 10)
	if err != nil {
		r.t.Fatal(err)
	}
	return len(list)
}

// cancel deletes an unfinished job: it is refused without the parameter that cancels
// it.
func (r *testServer) cancel(path string) {
	r.t.Helper()
	for _, query := range []string{"", "?cancel=false", "?cancel="} {
		a := r.do("DELETE", path+query, "")
		checkError(r.t, a, 403, path)
		if !strings.Contains(string(a.body), "?cancel=true") {
			r.t.Errorf("the parameter is not named: %s", a.body)
		}
	}
	a := r.do("DELETE", path+"?cancel=perhaps", "")
	checkError(r.t, a, 400, path)
	if !strings.Contains(string(a.body), "cancel must be true or false") {
		r.t.Errorf("the fault is not named: %s", a.body)
	}
	if a := r.do("DELETE", path+andCancel, ""); a.status != 202 || len(a.body) > 0 {
		r.t.Errorf("cancel: %d %s", a.status, a.body)
	}
	for _, method := range []string{"GET", "DELETE"} {
		checkError(r.t, r.do(method, path, ""), 404, path)
	}
	checkError(r.t, r.do("GET", path+"/file", ""), 404, path+"/file")
}

// A live session can be cancelled at any time: before its client connects, while the client speaks
// or waits for the last finals, and after it has left.
func TestCancelSession(t *testing.T) {
	for name, c := range map[string]struct {
		path string
		do   func(t *testing.T, r *testServer, url string) *caller
	}{
		"not connected": {"/v2/live/", func(*testing.T, *testServer, string) *caller { return nil }},
		"speaking": {"/v2/live/", func(t *testing.T, _ *testServer, url string) *caller {
			return speaking(t,
				url)
		}},
		"deprecated": {"/v2/transcription/", func(t *testing.T, _ *testServer,
			url string) *caller {
			return speaking(t, url)
		}},
		"much speaking": {"/v2/live/", func(t *testing.T, _ *testServer, url string) *caller {
			return speaking(t, url,
				40)
		}},
		"stopped": {"/v2/live/", func(t *testing.T, _ *testServer, url string) *caller {
			c := speaking(t, url)
			if err := c.stop(); err != nil {
				t.Fatal(err)
			}
			c.await("ack of the stop", func(f frame) bool { return f.Type == "stop_recording" })
			return c
		}},
		"left": {"/v2/live/", func(t *testing.T, _ *testServer, url string) *caller {
			speaking(t, url).hangUp()
			return nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r, gate := newGatedServer(t)
			defer close(gate)
			hook := newReceiver(t)
			hook.refuse.Store(true)
			id, url := r.create(`{}`)
			other, otherURL := r.create(`{}`)
			beside := call(t, otherURL).mustConnect()
			caller := c.do(t, r, url)
			r.cancel(c.path + id)
			if caller != nil {
				if code := caller.end(); code != 4410 {
					t.Errorf("close code %d, want 4410", code)
				}
			}
			again := call(t, url)
			if err := again.connect(); err == nil {
				if code := again.end(); code != 4401 {
					t.Errorf("close code of the next socket %d, want 4401", code)
				}
			}
			if got := r.server.live.Connected(); got != 1 {
				t.Errorf("%d sockets, want that of the other session alone", got)
			}
			if a := r.do("DELETE", "/v2/live/"+other+andCancel, ""); a.status != 202 || beside.end() != 4410 {
				t.Errorf("the other one: %d", a.status)
			}
			r.checkNothingKept()
			if text := r.lines.String(); strings.Contains(text, `"level":"error"`) {
				t.Errorf("logged: %s", text)
			}
		})
	}
}

// speaking is a client that has sent some seconds of speech, by default six.
func speaking(t *testing.T, url string, seconds ...float64) *caller {
	t.Helper()
	c := call(t, url).mustConnect()
	if err := c.send(speech(append(seconds, 6)[0], 5)); err != nil {
		t.Fatal(err)
	}
	c.await("speech", func(f frame) bool { return f.Type == "speech_start" })
	return c
}

// No callback of a cancelled session is sent, waiting ones included.
func TestCancelledSessionIsNotAnnounced(t *testing.T) {
	r := callbackServer(t)
	hook := newReceiver(t)
	hook.refuse.Store(true)
	id, url := r.create(`{"callback":true,"callback_config":{"url":"` + hook.url + `"}}`)
	speaking(t, url)
	waitUntil(t, "a callback waits", func() bool { return r.waiting() > 0 })
	r.cancel("/v2/live/" + id)
	r.checkNothingKept()
	hook.refuse.Store(false)
	second, url := r.create(`{"callback":true,"callback_config":{"url":"` + hook.url + `"}}`)
	c := speaking(t, url)
	if err := c.stop(); err != nil || c.end() != 1000 {
		t.Fatal("not ended", err)
	}
	for _, sent := range hook.await(t, "live.end_session") {
		if sent.ID != second {
			t.Errorf("sent %s of %s", sent.Event, sent.ID)
		}
	}
}

// A session whose journal is being run again, which waits for the recognizer, can be cancelled too.
func TestCancelSessionBeingRestored(t *testing.T) {
	r, gate := newGatedServer(t)
	defer close(gate)
	id, url := r.create(`{"language_config":{"languages":["en"]}}`)
	c := call(t, url).mustConnect()
	sent := make(chan error, 1)
	go func() { sent <- c.send(speech(72, 5)) }() // more utterances than may wait for the recognizer
	full := func() {
		opened := r.engines.asr.(gatedRecognizer).opened
		waitUntil(t, "18 utterances are under recognition", func() bool { return opened.Load() >= 18 })
		opened.Store(0)
	}
	full()
	r.restart()
	<-sent
	_, path, _ := strings.Cut(url, "/v2/")
	again := call(t, strings.Replace(r.http.URL, "http", "ws", 1)+"/v2/"+path)
	connected := make(chan error, 1)
	go func() { connected <- again.connect() }()
	full()
	r.cancel("/v2/live/" + id)
	if err := <-connected; err == nil {
		if code := again.end(); code != 4410 && code != 4401 {
			t.Errorf("close code %d", code)
		}
	}
	r.checkNothingKept()
}

// A session whose record another process has removed ends at its next call of the store.
func TestSessionCancelledByAnotherProcess(t *testing.T) {
	r, gate := newGatedServer(t)
	defer close(gate)
	id, url := r.create(`{}`)
	c := speaking(t, url)
	if err := r.store.Cancel(t.Context(), DefaultAccount, id); err != nil {
		t.Fatal(err)
	}
	_ = c.send(speech(1, 6)) // the answer is the close
	if code := c.end(); code != 4410 {
		t.Errorf("close code %d, want 4410", code)
	}
	waitUntil(t, "the session is not known any more",
		func() bool { return gauge(t, r.server, "steno_sessions_open") == 0 })
	r.checkNothingKept()
}

// A job can be cancelled at every stage, whose work ends immediately. The other jobs continue.
func TestCancelJob(t *testing.T) {
	hanging := nameConsistency(time.Hour, hang)
	inJobBubble(t, Config{Jobs: jobs.Config{Workers: 1, Addons: 1, Transcribed: 2, AccountJobs: 4}}, hanging, nil,
		func(t *testing.T, w jobBubble) {
			cancel := func(id string) {
				t.Helper()
				if status := w.do("DELETE", "/v2/pre-recorded/"+id+andCancel, "", nil); status != 202 {
					t.Errorf("cancel: %d", status)
				}
				if status := w.do("GET", "/v2/pre-recorded/"+id, "", nil); status != 404 {
					t.Errorf("get: %d", status)
				}
				w.pass(0)
			}
			w.checkStatus(messages.StatusDone, w.createJob("")) // keeps the upload
			first, second, third := w.createJob(named), w.createJob(named), w.createJob(named)
			last := w.createJob(named)
			w.checkStages(0, 3, 1)
			queued := w.createJob("")
			cancel(queued)
			cancel(second)
			w.checkStages(0, 2, 1)
			cancel(first)
			w.checkStages(0, 1, 1)
			cancel(last)
			cancel(third)
			w.checkStages(0, 0, 0)
			w.checkStatus(messages.StatusDone, w.createJob(""))
		})
}

// Whatever a job does when it is cancelled leaves nothing: a file being fetched, one being
// transcribed, a copy being silenced.
func TestCancelJobLeavesNothing(t *testing.T) {
	hook := newReceiver(t)
	t.Run("fetching", func(t *testing.T) {
		r := recordedServer(t, nil)
		asked, ended := make(chan struct{}), make(chan struct{})
		far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			_, _ = w.Write(make([]byte, 1000))
			http.NewResponseController(w).Flush()
			close(asked)
			<-q.Context().Done()
			close(ended)
		}))
		defer far.Close()
		id := r.createJob(`{"audio_url":"` + far.URL + `/a.wav","callback_url":"` + hook.url + `"}`)
		<-asked
		r.cancel("/v2/pre-recorded/" + id)
		<-ended
		r.awaitIdle()
		r.checkNothingKept()
	})
	t.Run("transcribing", func(t *testing.T) {
		r, id, gate := stoppedInJob(t, nil)
		defer close(gate)
		r.cancel("/v2/transcription/" + id)
		r.awaitIdle()
		r.checkNothingKept()
	})
	t.Run("transcribing what was fetched", func(t *testing.T) {
		r := recordedServer(t, nil)
		g := newGatedRecognizer()
		defer close(g.gate)
		r.engines.asr = g
		r.restart()
		at := fileServer(t, map[string][]byte{"/a.wav": wavOf(speech(6, 1), 16000, 1)})
		id := r.createJob(`{"audio_url":"` + at + `/a.wav","callback_url":"` + hook.url + `"}`)
		waitUntil(t, "the file is fetched", func() bool { return r.recordedJob(id).File.ID != "" })
		r.cancel("/v2/pre-recorded/" + id)
		r.awaitIdle()
		r.checkNothingKept()
	})
}

// awaitIdle waits until no recorded file is being worked on.
func (r *testServer) awaitIdle() {
	r.t.Helper()
	waitUntil(r.t, "no job is worked on", func() bool { return r.server.jobs.Leased() == 0 })
}

// A worker notices by its heartbeat that another process has cancelled its job, and removes what it
// has stored.
func TestJobCancelledByAnotherProcess(t *testing.T) {
	var begun, gone int
	providers := nameConsistency(time.Hour, func(ctx context.Context) (string, error) {
		begun++
		defer func() { gone++ }()
		return hang(ctx)
	})
	inJobBubble(t, Config{Jobs: jobs.Config{Workers: 1}}, providers, nil, func(t *testing.T, w jobBubble) {
		id := w.createJob(named)
		if err := w.store.Cancel(t.Context(), DefaultAccount, id); err != nil {
			t.Fatal(err)
		}
		w.pass(20 * time.Second) // a third of the lease
		if begun != 1 || gone != 1 {
			t.Errorf("%d begun, %d ended", begun, gone)
		}
		w.checkStages(0, 0, 0)
		if _, err := w.store.Get(t.Context(), DefaultAccount, id); !errors.Is(err, store.ErrNotFound) {
			t.Error(err)
		}
		synctest.Wait()
	})
}

// A client that does not read, not even the close of its session, is not waited for.
func TestCancelSessionOfStuckClient(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		id, url := w.create()
		client := http.Client{Transport: &http.Transport{DialContext: w.net.Dial}}
		conn, _, err := websocket.Dial(t.Context(), url, &websocket.DialOptions{HTTPClient: &client})
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.Write(t.Context(), websocket.MessageBinary, speech(2, 1)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the answers are written, in vain
		if status := w.do("DELETE", "/v2/live/"+id+andCancel, "", nil); status != 202 {
			t.Errorf("cancel: %d", status)
		}
		time.Sleep(w.server.cfg.Limits.WriteStall + time.Second)
		synctest.Wait()
		families, err := w.server.metrics.Registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			if f.GetName() == "steno_sockets_open" && f.GetMetric()[0].GetGauge().GetValue() != 0 {
				t.Errorf("sockets: %v", f)
			}
		}
		_ = conn.CloseNow() // by the server
	})
}
