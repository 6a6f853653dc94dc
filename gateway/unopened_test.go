package gateway

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"steno/gateway/outbound"
	"steno/messages"
)

// A session that nobody connects to sends its receiver what callback_config asks for, and its
// followers the events, and ends as an error.
func TestCallbacksOfASessionNobodyConnectedTo(t *testing.T) {
	r := newTestServer(t, func(c *Config) {
		c.Callbacks.FirstRetry, c.Limits.NeverConnected = time.Millisecond, time.Millisecond
	})
	client := outbound.New(true)
	t.Cleanup(func() { _ = client.Close() })
	r.outbound = client
	r.restart()
	for name, c := range map[string]struct {
		config string
		want   []string
	}{
		"by default": {"", []string{"live.start_session", "live.end_session"}},
		"errors too": {`,"receive_errors":true`, []string{"live.start_session", "live.error",
			"live.end_session"}},
		"errors alone": {`,"receive_errors":true,"receive_lifecycle_events":false`, []string{"live.error"}},
		"of what was said": {`,"receive_acknowledgments":true,"receive_speech_events":true`,
			[]string{"live.start_session", "live.end_session"}},
	} {
		t.Run(name, func(t *testing.T) {
			receiver := newReceiver(t)
			id, _ := r.create(wantsCallback(receiver.url, c.config))
			got := receiver.await(t, c.want[len(c.want)-1])
			var events []string
			for _, sent := range got {
				events = append(events, sent.Event)
				checkUnopened(t, id, sent)
			}
			if !slices.Equal(events, c.want) {
				t.Errorf("callbacks %v, want %v", events, c.want)
			}
			job := r.endedJob(id)
			if job.Status != messages.StatusError || job.ErrorCode == nil || *job.ErrorCode !=
				http.StatusRequestTimeout {
				t.Errorf("record: %s %v", job.Status, job.ErrorCode)
			}
			if a := r.do("GET", "/v2/live/"+id+"/file", ""); a.status != http.StatusNotFound {
				t.Errorf("file: %d", a.status)
			}
			r.checkUnopenedLog(id)
		})
	}
}

// checkUnopened checks the callback of a session that nobody connected to.
func checkUnopened(t *testing.T, id string, sent callback) {
	t.Helper()
	var payload struct {
		SessionID string `json:"session_id"`
		ErrorCode int    `json:"error_code"`
		Error     struct {
			StatusCode int `json:"status_code"`
		}
	}
	if err := json.Unmarshal(sent.Payload, &payload); err != nil || sent.ID != id || payload.SessionID != id {
		t.Errorf("%s of %s: %s (%v)", sent.Event, sent.ID, sent.Payload, err)
	}
	switch {
	case sent.Event == "live.end_session" && payload.ErrorCode != http.StatusRequestTimeout:
		t.Errorf("end of a session nobody connected to: %s", sent.Payload)
	case sent.Event == "live.error" && payload.Error.StatusCode != http.StatusRequestTimeout:
		t.Errorf("error of a session nobody connected to: %s", sent.Payload)
	}
}

// checkUnopenedLog checks that followers of a session that nobody connected to see its start, the
// error and its end, which is logged after the outcome is stored.
func (r *testServer) checkUnopenedLog(id string) {
	r.t.Helper()
	want := []messages.Kind{messages.KindStartSession, messages.KindError, messages.KindEndSession}
	var kinds []messages.Kind
	waitUntil(r.t, "the end is logged", func() bool {
		events, err := r.store.Events(r.t.Context(), "default", id, 0, 10)
		if err != nil {
			r.t.Fatal(err)
		}
		kinds = nil
		for _, e := range events {
			kinds = append(kinds, e.Kind)
		}
		return len(kinds) >= len(want)
	})
	if !slices.Equal(kinds, want) {
		r.t.Errorf("log %v, want %v", kinds, want)
	}
}
