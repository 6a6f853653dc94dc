package gateway

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"steno/messages"
	"steno/session/addon/addontest"
)

// TestPythonSDK: the Python client library gets a post_final_transcript that it can read, on each
// of its sockets. All others get the logged message.
func TestPythonSDK(t *testing.T) {
	for version, python := range map[string]bool{"SdkPython/1.0.2": true, "MyApp/2 SdkPython/1.1.0": true,
		"SdkJavascript/2.1.0": false, "": false} {
		r := newTestServer(t, nil, func(r *testServer) {
			r.providers, r.engines.asr = addontest.Embedded(), recite("Good morning.", "How are you?", "Fine.")
		})
		a := r.do("POST", "/v2/live", `{"endpointing":0.3,"post_processing":{"chapterization":true}}`,
			"x-gladia-version", version)
		var got struct{ ID, URL string }
		if err := json.Unmarshal(a.body, &got); err != nil || a.status != http.StatusCreated {
			t.Fatalf("create: %d %s", a.status, a.body)
		}
		c := call(t, got.URL).mustConnect()
		if err := errors.Join(c.send(speech(9, 3)), c.stop()); err != nil {
			t.Fatal(err)
		}
		if code := c.end(); code != 1000 {
			t.Fatalf("closed with %d", code)
		}
		of := func(kind string) frame { return c.await(kind, func(f frame) bool { return f.Type == kind }) }
		if f := of("post_chapterization"); !strings.Contains(f.text, `"results":[{"headline"`) {
			t.Errorf("%q: %s", version, f.text)
		}
		sent := of("post_final_transcript").text
		if has := strings.Contains(sent, `"chapterization":{"success":true`); has == python {
			t.Errorf("%q: chapters in the final message: %v", version, has)
		}
		for _, path := range []string{"/v2/live/" + got.ID, "/v2/live"} {
			record := r.do("GET", path, "", "x-gladia-version", version)
			if has := strings.Contains(string(record.body), `"chapterization":{"`); has == python || record.status !=
				http.StatusOK {
				t.Errorf("%q: %s shows chapters: %v, status %d", version, path, has, record.status)
			}
		}
		for _, kept := range r.result(got.ID).Messages {
			f := parseFrame(t, kept)
			if f.Type != "post_final_transcript" {
				continue
			}
			if !strings.Contains(kept, `"chapterization":{"success":true`) {
				t.Errorf("%q: the record's message has no chapters", version)
			}
			if want := string(messages.WithoutChapters([]byte(kept))); python && sent != want || !python &&
				sent != kept {
				t.Errorf("%q: sent %s\nkept %s", version, sent, kept)
			}
		}
	}
}
