package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"steno/gateway/admission"
	"steno/gateway/web"
	"steno/messages"
	"steno/session"
	"steno/session/store"
	"steno/session/store/embedded"
)

// speak says a few phrases in a session and stops it.
func (r *rig) speak(url string) {
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

// A receiver is sent the very messages that the log holds, in its order and once each.
func TestCallbacksAreTheLog(t *testing.T) {
	r, hooks := callbackRig(t), newReceiver(t)
	id, url := r.create(wantsCallback(hooks.url, `,"receive_speech_events":true,"receive_errors":true`))
	r.speak(url)
	got := hooks.await(t, endSession)
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

// With every flag on, partials and acks go too, each at its place among the others.
func TestCallbacksOfUnloggedEvents(t *testing.T) {
	r, hooks := callbackRig(t), newReceiver(t)
	id, url := r.create(wantsCallback(hooks.url, `,"receive_partial_transcripts":true,"receive_acknowledgments":true`))
	r.speak(url)
	got := hooks.await(t, endSession)
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
			count["partial"]++
		}
	}
	if count["partial"] == 0 || count["live.audio_chunk"] == 0 || count["live.stop_recording"] != 1 {
		t.Errorf("%v", count)
	}
	if got[len(got)-1].Event != endSession {
		t.Errorf("the last is %s", got[len(got)-1].Event)
	}
}

// What one process logged and did not deliver, the next one does, with the end that it did not even log.
func TestCallbacksAfterARestart(t *testing.T) {
	r, hooks := callbackRig(t), newReceiver(t)
	hooks.refuse.Store(true)
	id, url := r.create(wantsCallback(hooks.url, ``))
	r.speak(url)
	r.awaitStatus(id, messages.StatusDone)
	r.restart()
	hooks.refuse.Store(false)
	hooks.await(t, endSession)
}

// The end of a session whose process died before it could log it is logged when its callback is due.
func TestEndIsLoggedForItsCallback(t *testing.T) {
	r, hooks := callbackRig(t), newReceiver(t)
	record := r.dead(hooks.url)
	got := hooks.await(t, endSession)
	if len(got) != 2 || got[0].Event != "live.start_session" {
		t.Errorf("%+v", got)
	}
	events, err := r.store.Events(t.Context(), record.Account, record.ID, 0, 10)
	if err != nil || len(events) != 2 || string(events[1].Body) != string(got[1].Payload) {
		t.Errorf("%v %v", events, err)
	}
}

// dead leaves a session as a process does that dies right after the outcome is kept.
func (r *rig) dead(url string) store.Record {
	r.t.Helper()
	ctx := r.t.Context()
	request, fault := messages.ParseLive([]byte(wantsCallback(url, ``)))
	if fault != nil {
		r.t.Fatal(fault)
	}
	record, _, err := newRecord(web.Principal{Account: "default"}, request, admission.Terms{})
	if err == nil {
		err = r.store.Create(ctx, record)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	live, err := r.store.Claim(ctx, record.ID)
	if err != nil {
		r.t.Fatal(err)
	}
	defer live.Close()
	e := newEntry(r.server, record)
	calls, err := e.openCallbacks(ctx, request)
	if err != nil {
		r.t.Fatal(err)
	}
	defer calls.close()
	body := messages.Append(nil, messages.Envelope{SessionID: record.ID, CreatedAt: time.Now()}, messages.StartSession{})
	event := messages.Logged{Kind: messages.KindStartSession, Key: "start_session", Body: body}
	if _, _, err = live.AppendEvent(ctx, event, -1, nil); err != nil {
		r.t.Fatal(err)
	}
	l := &ledger{Live: live, callbacks: calls}
	if err := l.Finish(ctx, session.Outcome{}); err != nil {
		r.t.Fatal(err)
	}
	return record
}

// claimed is a session as whoever runs it has it.
func (r *rig) claimed(id string) (store.Record, *messages.LiveRequest, store.Live) {
	r.t.Helper()
	record, err := r.store.Get(r.t.Context(), "default", id)
	if err != nil {
		r.t.Fatal(err)
	}
	request, err := admission.LiveRequest(record)
	if err != nil {
		r.t.Fatal(err)
	}
	live, err := r.store.Claim(r.t.Context(), id)
	if err != nil {
		r.t.Fatal(err)
	}
	return record, request, live
}

// failing is a store whose outbox takes nothing for a while.
type failing struct {
	*embedded.Store
	failures atomic.Int64
}

func (f *failing) Enqueue(ctx context.Context, list ...store.Delivery) error {
	if f.failures.Add(-1) >= 0 {
		return errors.New("disk is slow")
	}
	return f.Store.Enqueue(ctx, list...)
}

// Events of both kinds keep their order where the outbox fails in between, and none is lost or repeated.
func TestOutletOutlivesAFailingOutbox(t *testing.T) {
	r := callbackRig(t)
	flaky := &failing{Store: r.store}
	server := &Server{deps: Deps{Store: flaky}, log: r.log, metrics: r.server.metrics} // what an outlet needs
	id, _ := r.create(wantsCallback("http://127.0.0.1:1/", `,"receive_partial_transcripts":true`))
	record, request, live := r.claimed(id)
	defer live.Close()
	o, err := newEntry(server, record).openCallbacks(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	defer o.close()
	flaky.failures.Store(3)
	var want []int64
	for i := range 2*transferPage + 5 {
		if i%3 == 0 {
			o.Send(session.Event{Kind: messages.KindPartial, Key: fmt.Sprint(i), Body: []byte(`{}`)})
			want = append(want, 0)
			continue
		}
		event := messages.Logged{Kind: messages.KindFinal, Key: fmt.Sprint(i), Body: []byte(`{}`)}
		seq, _, err := live.AppendEvent(t.Context(), event, -1, nil)
		if err != nil {
			t.Fatal(err)
		}
		o.Send(session.Event{Seq: seq, Kind: event.Kind, Key: event.Key, Body: event.Body})
		want = append(want, seq)
	}
	if err := o.finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	list, err := r.store.Deliveries(t.Context(), "", store.DeliveryPending, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var got []int64
	for _, d := range list {
		got = append(got, d.Seq)
	}
	if !slices.Equal(got, append(want, 0)) { // and the end
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if flaky.failures.Load() > 0 {
		t.Error("the outbox never failed")
	}
}

// What a process logged, and did not enqueue before it died, is enqueued when the session is opened again, once.
func TestOutletBeginsBehindTheLastEnqueued(t *testing.T) {
	r := callbackRig(t)
	id, _ := r.create(wantsCallback("http://127.0.0.1:1/", ``))
	record, request, live := r.claimed(id)
	defer live.Close()
	e := newEntry(r.server, record)
	kinds := []messages.Kind{messages.KindFinal, messages.KindSpeechEnd, messages.KindFinal} // the second is not asked for
	var want []int64
	for round := range 3 {
		for i := range transferPage {
			kind := kinds[i%len(kinds)]
			event := messages.Logged{Kind: kind, Key: fmt.Sprint(round, "/", i), Body: []byte(`{}`)}
			seq, _, err := live.AppendEvent(t.Context(), event, -1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if kind == messages.KindFinal {
				want = append(want, seq)
			}
		}
		o, err := e.openCallbacks(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		list, err := r.store.Deliveries(t.Context(), "", store.DeliveryPending, 1000)
		o.close()
		for _, d := range list {
			got = append(got, d.Seq)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("opened for the %d. time: %v\ngot  %v\nwant %v", round+1, err, got, want)
		}
	}
}

// What waits unlogged is bounded: the newest partial of an utterance stands for those before it, then there is no room.
func TestLooseEventsAreBounded(t *testing.T) {
	r := callbackRig(t)
	o := &callbackOutlet{server: r.server, wake: make(chan struct{}, 1)}
	for i := range 2 * maxLoose {
		o.Send(session.Event{Kind: messages.KindPartial, Key: fmt.Sprint(i / 2), Body: fmt.Append(nil, i)})
	}
	o.Send(session.Event{Kind: messages.KindAudioAck, Body: []byte("ack")})
	if len(o.loose) != maxLoose || string(o.loose[1].body) != "3" {
		t.Errorf("%d wait, the second is %s", len(o.loose), o.loose[1].body)
	}
	o.takeLoose(0)
	o.Send(session.Event{Kind: messages.KindAudioAck, Body: make([]byte, maxLooseBytes+1)})
	if len(o.loose) != 0 || o.looseBytes != 0 {
		t.Errorf("%d wait with %d bytes", len(o.loose), o.looseBytes)
	}
}

func TestCallbackAddressIsRefusedAtOnce(t *testing.T) {
	r := newRig(t, nil)
	for _, url := range []string{
		"http://127.0.0.1/", "http://10.0.0.1:8080/x", "http://169.254.169.254/latest", "http://[::1]/", "http://[::ffff:10.0.0.1]/",
		"http://2130706433/", "http://0x7f.1/", "http://localhost/", "ftp://example.org/", "http://user:hunter2@example.org/",
	} {
		a := r.do("POST", "/v2/live", wantsCallback(url, ``))
		if a.status/100 != 4 || !strings.Contains(string(a.body), "callback_config.url") || strings.Contains(string(a.body), "hunter2") {
			t.Errorf("%s: %d %s", url, a.status, a.body)
		}
	}
	if a := r.do("POST", "/v2/live", wantsCallback("https://example.org/hook", ``)); a.status != http.StatusCreated {
		t.Errorf("a public name: %d %s", a.status, a.body)
	}
	if a := r.do("POST", "/v2/live", `{"callback_config":{"url":"http://127.0.0.1/"}}`); a.status != http.StatusCreated {
		t.Errorf("callbacks that are not asked for: %d %s", a.status, a.body)
	}
}
