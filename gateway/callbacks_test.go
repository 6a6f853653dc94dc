package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"steno/gateway/admission"
	"steno/gateway/callbacks"
	"steno/messages"
	"steno/session/store"
)

// speak sends a few phrases to a session and stops it.
func (r *testServer) speak(url string) {
	r.t.Helper()
	c := call(r.t, url).mustConnect()
	if err := errors.Join(c.send(speech(5, 3)), c.stop()); err != nil {
		r.t.Fatal(err)
	}
	if code := c.end(); code != 1000 {
		r.t.Fatalf("closed with %d", code)
	}
}

func wantsCallback(url, config string) string {
	return fmt.Sprintf(`{"callback":true,"callback_config":{"url":%q%s},"endpointing":0.3,"language_config":{"languages":["en"]}}`, url, config)
}

// A receiver is sent the messages of the log, in order and once each.
func TestCallbacksAreTheLog(t *testing.T) {
	r, receiver := callbackServer(t), newReceiver(t)
	id, url := r.create(wantsCallback(receiver.url, `,"receive_speech_events":true,"receive_errors":true`))
	r.speak(url)
	got := receiver.await(t, callbacks.EndSession)
	events, err := r.store.Events(t.Context(), "default", id, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(events) || len(got) < 8 {
		t.Fatalf("%d callbacks for %d events", len(got), len(events))
	}
	for i, e := range events {
		if c := got[i]; c.ID != id || c.Event != "live."+e.Kind.String() || string(c.Payload) != string(e.Body) {
			t.Errorf("callback %d is %s %s, want %s %s", i, c.Event, c.Payload, e.Kind, e.Body)
		}
	}
	r.stop()
	if log := r.lines.String(); strings.Contains(log, "hunter2") || strings.Contains(log, "/hook") {
		t.Error("the log holds the address")
	}
}

// With every flag set, partials and acks are sent too, each in its place. A session whose speech
// ends before its partials are decoded has none, so several may be needed to see one.
func TestCallbacksOfUnloggedEvents(t *testing.T) {
	r := callbackServer(t)
	for range 20 {
		receiver := newReceiver(t)
		id, url := r.create(wantsCallback(receiver.url,
			`,"receive_partial_transcripts":true,"receive_acknowledgments":true`))
		r.speak(url)
		if checkUnloggedEvents(t, id, receiver.await(t, callbacks.EndSession)) > 0 {
			return
		}
	}
	t.Error("no partial in 20 sessions")
}

// checkUnloggedEvents checks the callbacks of a session with partials and acks, and returns the
// number of partials.
func checkUnloggedEvents(t *testing.T, id string, got []callback) (partials int) {
	t.Helper()
	count := map[string]int{}
	finals := map[string]bool{}
	for _, c := range got {
		var m struct {
			Data struct {
				ID      string
				IsFinal bool `json:"is_final"`
			}
		}
		if err := json.Unmarshal(c.Payload, &m); err != nil || c.ID != id {
			t.Fatal(err, c.ID)
		}
		count[c.Event]++
		if c.Event != "live.transcript" {
			continue
		}
		if finals[m.Data.ID] {
			t.Errorf("a transcript of %s follows its final", m.Data.ID)
		}
		if finals[m.Data.ID] = m.Data.IsFinal; !m.Data.IsFinal {
			partials++
		}
	}
	if count["live.audio_chunk"] == 0 || count["live.stop_recording"] != 1 {
		t.Errorf("%v", count)
	}
	if got[len(got)-1].Event != callbacks.EndSession {
		t.Errorf("the last is %s", got[len(got)-1].Event)
	}
	return partials
}

// Events that one process logged and did not deliver are delivered by the next, with the end that
// was not logged.
func TestCallbacksAfterARestart(t *testing.T) {
	r, receiver := callbackServer(t), newReceiver(t)
	receiver.refuse.Store(true)
	id, url := r.create(wantsCallback(receiver.url, ``))
	r.speak(url)
	r.awaitStatus(id, messages.StatusDone)
	r.restart()
	receiver.refuse.Store(false)
	receiver.await(t, callbacks.EndSession)
}

// The end of a session whose process died before logging it is logged when its callback is due.
func TestEndIsLoggedForItsCallback(t *testing.T) {
	r, receiver := callbackServer(t), newReceiver(t)
	record := r.dead(receiver.url)
	got := receiver.await(t, callbacks.EndSession)
	if len(got) != 2 || got[0].Event != "live.start_session" {
		t.Errorf("%+v", got)
	}
	events, err := r.store.Events(t.Context(), record.Account, record.ID, 0, 10)
	if err != nil || len(events) != 2 || string(events[1].Body) != string(got[1].Payload) {
		t.Errorf("%v %v", events, err)
	}
}

// dead returns a session whose process died right after the outcome was stored.
func (r *testServer) dead(url string) store.Record {
	r.t.Helper()
	ctx := r.t.Context()
	request, fault := messages.ParseLive([]byte(wantsCallback(url, ``)))
	if fault != nil {
		r.t.Fatal(fault)
	}
	record, err := admission.NewRecord("default", admission.Live(request), nil)
	record.PostSessionMetadata, record.TokenHash, record.Callback = []byte("{}"), []byte("hash"),
		request.CallbackFilter()
	if err == nil {
		err = r.store.Create(ctx, record)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	live, err := r.store.Claim(ctx, record.ID, store.IfFree)
	if err != nil {
		r.t.Fatal(err)
	}
	defer live.Close()
	calls, err := callbacks.OpenSink(ctx, callbacks.SinkConfig{
		Store: r.store, Record: record, URL: url, Metrics: r.server.metrics, Recoverer: r.server.recoverer, Log: r.log,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	defer calls.Close()
	body := messages.Append(nil, messages.Envelope{SessionID: record.ID, CreatedAt: time.Now()},
		messages.StartSession{})
	event := messages.Event{Key: messages.Key{Kind: messages.KindStartSession}, Body: body}
	if _, _, err = live.AppendEvent(ctx, event, -1, nil); err != nil {
		r.t.Fatal(err)
	}
	if err := errors.Join(calls.Finish(ctx), live.Finish(ctx, store.Outcome{Result: []byte("{}")})); err != nil {
		r.t.Fatal(err)
	}
	return record
}

func TestCallbackAddressIsRefusedAtOnce(t *testing.T) {
	r := newTestServer(t, nil)
	for _, url := range []string{
		"http://127.0.0.1/", "http://10.0.0.1:8080/x", "http://169.254.169.254/latest", "http://[::1]/",
		"http://[::ffff:10.0.0.1]/",
		"http://2130706433/", "http://0x7f.1/", "http://localhost/", "ftp://example.org/",
		"http://user:hunter2@example.org/",
	} {
		a := r.do("POST", "/v2/live", wantsCallback(url, ``))
		if a.status/100 != 4 || !strings.Contains(string(a.body), "callback_config.url") ||
			strings.Contains(string(a.body), "hunter2") {
			t.Errorf("%s: %d %s", url, a.status, a.body)
		}
	}
	if a := r.do("POST", "/v2/live", wantsCallback("https://example.org/hook", ``)); a.status != http.StatusCreated {
		t.Errorf("a public name: %d %s", a.status, a.body)
	}
	if a := r.do("POST", "/v2/live", `{"callback_config":{"url":"http://127.0.0.1/"}}`); a.status !=
		http.StatusCreated {
		t.Errorf("callbacks that are not asked for: %d %s", a.status, a.body)
	}
}
