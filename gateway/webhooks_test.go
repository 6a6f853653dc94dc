package gateway

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"steno/messages"
)

const webhookSecret = "whsec_dGhpcyBpcyBhIHNlY3JldCBvZiAzMiBieXRlcyEhISE="

// strictReceiver answers requests with statuses in turn, repeating the last one, and keeps all of
// them.
type strictReceiver struct {
	url      string
	statuses []int // 0: the connection is broken off
	requests chan webhookRequest
}

type webhookRequest struct {
	method string
	header http.Header
	body   []byte
	status int // of the answer
}

func newStrictReceiver(t *testing.T, statuses ...int) *strictReceiver {
	r := &strictReceiver{statuses: statuses, requests: make(chan webhookRequest, 1000)}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL + "/hook?a=b&c=d"
	return r
}

// ServeHTTP is called for one request at a time: the callbacks of a job are in order.
func (s *strictReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	status := s.statuses[0]
	if len(s.statuses) > 1 {
		s.statuses = s.statuses[1:]
	}
	s.requests <- webhookRequest{r.Method, r.Header, body, status}
	if status == 0 {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Location", "/elsewhere")
	w.WriteHeader(status)
}

// accepted waits for a request that is answered with 2xx, and returns it and those before it.
func (s *strictReceiver) accepted(t *testing.T) (all []webhookRequest) {
	t.Helper()
	for end := time.After(patience); ; {
		select {
		case r := <-s.requests:
			if all = append(all, r); r.status/100 == 2 {
				return all
			}
		case <-end:
			t.Fatalf("no request was accepted of %d", len(all))
		}
	}
}

// A job's callback has the documented method, body, id and signature, in each attempt until one is
// answered with 2xx.
func TestWebhookOfAJob(t *testing.T) {
	r := recordedServer(t, func(c *Config) {
		c.Callbacks.Secret, c.Callbacks.FirstRetry = webhookSecret,
			time.Millisecond
	})
	audio := r.uploadFile("a.wav", wavOf(speech(2, 1), 16000, 1)).AudioURL
	gone := fileServer(t, nil) + "/x.mp3"
	for name, c := range map[string]struct {
		request, method, event string
		statuses               []int
	}{
		"POST": {`{"audio_url":%q,"callback":true,"callback_config":{"url":%q},"custom_metadata":{"n":1,"m":{"o":"é<i>&"}}}`, "POST", messages.EventSuccess, []int{200}},
		"named POST": {`{"audio_url":%q,"callback":true,"callback_config":{"url":%q,"method":"POST"}}`, "POST",
			messages.EventSuccess, []int{500, 302, 204}},
		"PUT":          {`{"audio_url":%q,"callback":true,"callback_config":{"url":%q,"method":"PUT"},"custom_metadata":{"n":1}}`, "PUT", messages.EventSuccess, []int{0, 429, 201}},
		"callback_url": {`{"audio_url":%q,"callback_url":%q}`, "POST", messages.EventSuccess, []int{404, 503, 299}},
		"failure, POST": {`{"audio_url":%q,"callback_url":%q,"custom_metadata":{"n":1}}`, "POST", messages.EventError,
			[]int{301, 200}},
		"failure, PUT": {`{"audio_url":%q,"callback":true,"callback_config":{"url":%q,"method":"PUT"}}`, "PUT",
			messages.EventError, []int{500, 500, 200}},
	} {
		t.Run(name, func(t *testing.T) {
			hook := newStrictReceiver(t, c.statuses...)
			from := audio
			if c.event == messages.EventError {
				from = gone
			}
			id := r.createJob(fmt.Sprintf(c.request, from, hook.url))
			all := hook.accepted(t)
			if len(all) != len(c.statuses) {
				t.Errorf("%d requests for the answers %v", len(all), c.statuses)
			}
			for _, got := range all {
				checkWebhook(t, got, all[0], c.method)
			}
			r.checkWebhookBody(t, all[0].body, id, c.event)
		})
	}
}

// checkWebhook checks an attempt: it equals the first but for the time and the signature, which
// covers that time.
func checkWebhook(t *testing.T, got, first webhookRequest, method string) {
	t.Helper()
	verify, err := webhooks.NewWebhook(webhookSecret)
	if err != nil {
		t.Fatal(err)
	}
	id := got.header.Get("webhook-id")
	if got.method != method || string(got.body) != string(first.body) || id == "" ||
		id != first.header.Get("webhook-id") || got.header.Get("Content-Type") != "application/json" {
		t.Errorf("%s with id %q and %v, the first one was %s with %q", got.method, id, got.header, first.method,
			first.header.Get("webhook-id"))
	}
	if err := verify.Verify(got.body, got.header); err != nil {
		t.Errorf("signature %q: %v", got.header.Get("webhook-signature"), err)
	}
	if verify.Verify(append(slices.Clone(got.body), ' '), got.header) == nil {
		t.Error("the signature is of any body")
	}
}

// checkWebhookBody checks that a body has only the documented fields and agrees with the record.
func (r *testServer) checkWebhookBody(t *testing.T, body []byte, id, event string) {
	t.Helper()
	var got map[string]json.RawMessage
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	var record struct {
		Result         json.RawMessage
		CustomMetadata json.RawMessage `json:"custom_metadata"`
		ErrorCode      int             `json:"error_code"`
		Status         messages.Status
	}
	if err := json.Unmarshal(r.do("GET", "/v2/pre-recorded/"+id, "").body, &record); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"id": `"` + id + `"`, "event": `"` + event + `"`}
	if len(record.CustomMetadata) > 0 && string(record.CustomMetadata) != "null" {
		want["custom_metadata"] = string(record.CustomMetadata)
	}
	if event == messages.EventSuccess {
		want["payload"] = string(record.Result)
	} else {
		want["error"] = fmt.Sprintf(`{"code":%d,"message":%s}`, record.ErrorCode, member(t, got["error"], "message"))
	}
	if !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
		t.Fatalf("fields of %s, want those of %v", body, want)
	}
	for field, text := range want {
		if sorted(t, got[field]) != sorted(t, []byte(text)) {
			t.Errorf("%s is %s, want %s", field, got[field], text)
		}
	}
}

// member returns a member of a JSON object.
func member(t *testing.T, object []byte, name string) json.RawMessage {
	t.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal(object, &all); err != nil || len(all[name]) < 3 {
		t.Fatalf("%s of %s: %v", name, object, err)
	}
	return all[name]
}

// sorted returns a JSON value with its members in order.
func sorted(t *testing.T, text []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	b, _ := json.Marshal(v)
	return string(b)
}

// Each message of a live session has its own id, the same in all its attempts, and is sent after
// those before it were accepted.
func TestWebhooksOfASession(t *testing.T) {
	r := callbackServer(t)
	r.change = func(c *Config) { c.Callbacks.FirstRetry, c.Callbacks.Secret = time.Millisecond, webhookSecret }
	r.restart()
	hook := newStrictReceiver(t, 500, 0, 200, 302, 204)
	_, url := r.create(wantsCallback(hook.url, ``))
	r.speak(url)
	ids := map[string]bool{}
	for last := ""; last != "live.end_session"; {
		all := hook.accepted(t)
		for _, got := range all {
			checkWebhook(t, got, all[0], "POST")
		}
		id := all[0].header.Get("webhook-id")
		var body map[string]json.RawMessage
		if err := json.Unmarshal(all[0].body, &body); err != nil || ids[id] || len(body) != 3 || body["payload"] ==
			nil || body["id"] == nil {
			t.Fatalf("%s: %s (%v), seen before: %v", id, all[0].body, err, ids[id])
		}
		ids[id] = true
		_ = json.Unmarshal(body["event"], &last)
	}
}
