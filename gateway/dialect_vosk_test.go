package gateway

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"steno/messages"
)

// voskAnswer is what a client of Vosk's server is sent.
type voskAnswer struct {
	Partial *string
	Text    *string
	Result  []struct{ Start, End float64 }
}

// Each message of audio of Vosk's clients has one answer. Among these are the finals of the same
// session in the gateway's own way.
func TestVoskAnswers(t *testing.T) {
	r := newTestServer(t, nil)
	native := r.converse(`{"endpointing":0.3,"messages_config":{"receive_partial_transcripts":true}}`, speech(10, 2))
	for _, path := range []string{"/vosk/" + testKey, "/vosk?key=" + testKey} {
		conn, _, err := websocket.Dial(t.Context(), r.http.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.CloseNow() }()
		hear := func() (a voskAnswer) {
			_, text, err := conn.Read(t.Context())
			if err != nil || json.Unmarshal(text, &a) != nil || (a.Text == nil) == (a.Partial == nil) {
				t.Fatalf("%s: %s, %v", path, text, err)
			}
			return a
		}
		var texts []string
		note := func(a voskAnswer) {
			if a.Text != nil && *a.Text != "" {
				texts = append(texts, *a.Text)
				if len(a.Result) == 0 {
					t.Errorf("%q has no words", *a.Text)
				}
			}
		}
		say(t, conn, `{ "config" : { "sample_rate" : 16000 } }`)
		for i, audio := 0, speech(10, 2); len(audio) > 0; i++ {
			n := min(len(audio), 6400)
			if err := conn.Write(t.Context(), websocket.MessageBinary, audio[:n]); err != nil {
				t.Fatal(err)
			}
			note(hear())
			if audio = audio[n:]; i == 10 {
				say(t, conn, `{"config":{"phrase_list":["steno"]}}`)
			}
		}
		say(t, conn, `{"eof" : 1}`)
		note(hear())
		if _, text, err := conn.Read(t.Context()); websocket.CloseStatus(err) != 1000 {
			t.Errorf("one answer too many: %s, %v", text, err)
		}
		if got := strings.Join(texts, " "); got != native || got == "" {
			t.Errorf("%s: %q, a session of the gateway's own has %q", path, got, native)
		}
	}
}

// What is being said ends where a client resets; the session continues, and ends with its client.
func TestVoskResets(t *testing.T) {
	r := newTestServer(t, nil)
	conn, _, err := websocket.Dial(t.Context(), r.http.URL+"/vosk",
		&websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + testKey}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.CloseNow() }()
	say(t, conn, `{"config":{"sample_rate":16000}}`)
	for range 3 {
		answers, texts := 0, 0
		if err := conn.Write(t.Context(), websocket.MessageBinary, speech(2, 2)); err != nil {
			t.Fatal(err)
		}
		say(t, conn, `{"reset" : 1}`)
		for ; answers < 2; answers++ {
			var a voskAnswer
			_, text, err := conn.Read(t.Context())
			if err != nil || json.Unmarshal(text, &a) != nil {
				t.Fatalf("%s, %v", text, err)
			}
			if a.Text != nil && *a.Text != "" {
				texts++
			}
		}
		if texts == 0 {
			t.Error("nothing was recognized before the reset")
		}
	}
	_ = conn.Close(1000, "")
	r.awaitStatus(r.lastLive(), messages.StatusDone)
}

// lastLive is the id of the session made last.
func (r *testServer) lastLive() string {
	r.t.Helper()
	page := r.page(r.http.URL + "/v2/live?limit=1")
	if len(page.Items) != 1 {
		r.t.Fatalf("%+v", page)
	}
	return page.Items[0].ID
}

// A bad key is refused before the WebSocket is accepted, bad settings by its close.
func TestVoskRefuses(t *testing.T) {
	r := newTestServer(t, nil)
	for path, want := range map[string]int{"/vosk": 401, "/vosk/wrong": 401, "/vosk?language=xx&key=" + testKey: 400} {
		_, resp, err := websocket.Dial(t.Context(), r.http.URL+path, nil)
		if err == nil || resp == nil || resp.StatusCode != want {
			t.Errorf("%s: %v, %v", path, resp, err)
		}
	}
	for _, text := range []string{`{"config":{"sample_rate":11025}}`, `hello`} {
		conn, _, err := websocket.Dial(t.Context(), r.http.URL+"/vosk/"+testKey, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.CloseNow() }()
		say(t, conn, text)
		if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != 1008 {
			t.Errorf("%s: %v", text, err)
		}
	}
}
