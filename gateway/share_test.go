package gateway

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"steno/gateway/overview"
	"steno/messages"
	"steno/session/store"
)

// private is text that no link may show: it is in every place of a session's request that a client
// fills, and in its record.
const private = "hunter2"

// sharedSession returns a finished session with a recording, the text "hello", and a request full
// of private text.
func sharedSession(r *testServer) (id string) {
	r.t.Helper()
	id, url := r.create(fmt.Sprintf(`{
		"custom_metadata":{"title":"%[1]s","user":{"name":"%[1]s"}},
		"callback":true,"callback_config":{"url":"https://receiver.invalid/%[1]s","receive_final_transcripts":true},
		"realtime_processing":{"custom_vocabulary":true,"custom_vocabulary_config":{"vocabulary":["%[1]s"]},
			"custom_spelling":true,"custom_spelling_config":{"spelling_dictionary":{"Ada":["%[1]s"]}},
			"named_entity_recognition":true,"sentiment_analysis":true},
		"post_processing":{"summarization":true},
		"unknown_%[1]s":1}`, private))
	c := call(r.t, url).mustConnect()
	if err := c.send(speech(4, 5)); err != nil {
		r.t.Fatal(err)
	}
	if err := c.stop(); err != nil {
		r.t.Fatal(err)
	}
	c.end()
	if a := r.do("PATCH", "/v2/live/"+id, `{"note":"`+private+`"}`); a.status != http.StatusNoContent {
		r.t.Fatalf("%d %s", a.status, a.body)
	}
	return id
}

// A link shows the text and the events, whatever the request; the audio only if it was made with
// it, and events and results only of its kinds.
func TestShareShowsWordsAlone(t *testing.T) {
	r := newTestServer(t, nil)
	id := sharedSession(r)
	if a := r.do("GET", "/v2/live/"+id, ""); !strings.Contains(string(a.body), private) {
		t.Fatalf("the owner is not shown the request: %s", a.body)
	}
	links := map[string]made{
		"link":             r.token("/v2/live/"+id+"/subscribers", `{}`),
		"link with audio":  r.token("/v2/live/"+id+"/subscribers", `{"audio":true}`),
		"token":            r.token("/v2/tokens", `{"scopes":["read"],"sessions":["`+id+`"]}`),
		"token with audio": r.token("/v2/tokens", `{"scopes":["read"],"sessions":["`+id+`"],"audio":true}`),
		"finals": r.token("/v2/live/"+id+"/subscribers",
			`{"receive_speech_events":false,"receive_realtime_processing_events":false,"receive_post_processing_events":false}`),
		"no finals": r.token("/v2/live/"+id+"/subscribers", `{"receive_final_transcripts":false}`),
	}
	words := []string{"/v2/live/{id}", "/v2/transcription/{id}", "/v2/live/{id}/outline", "/v2/live/{id}/utterances",
		"/v2/live/{id}/transcript"}
	sound := []string{"/v2/live/{id}/file", "/v2/transcription/{id}/file", "/v2/live/{id}/peaks"}
	others := []string{"/v2/live/{id}/events", "/v2/models"}
	for what, link := range links {
		for _, o := range slices.Concat(r.server.table(), r.server.views.table()) {
			if o.method != "GET" || o.path == "/v2/events" { // which does not end
				continue
			}
			a := r.do("GET", strings.Replace(o.path, "{id}", id, 1), "", bearer(link.Token)...)
			if strings.Contains(string(a.body), private) || strings.Contains(fmt.Sprint(a.header), private) {
				t.Errorf("%s: %s shows what is private: %s", what, o.path, a.body)
			}
			shown := slices.Contains(words, o.path) && what != "no finals" || slices.Contains(others, o.path) ||
				slices.Contains(sound, o.path) && strings.HasSuffix(what, "audio")
			if shown != (a.status == http.StatusOK) || !shown && a.status != http.StatusForbidden && a.status !=
				http.StatusNotFound {
				t.Errorf("%s: %s: %d: %s", what, o.path, a.status, a.body)
			}
		}
		if a := r.do("GET", "/console/login", "", bearer(link.Token)...); string(a.body) != "null\n" {
			t.Errorf("%s: is told who made it: %s", what, a.body)
		}
	}
	shareKeepsToItsKinds(r, id, links["finals"].Token)
}

// shareKeepsToItsKinds compares the record shown to a token for finals with those finals.
func shareKeepsToItsKinds(r *testServer, id, token string) {
	r.t.Helper()
	var job struct {
		Result struct {
			Transcription messages.Transcription
			Messages      []string
			Summary       any `json:"summarization"`
			Entities      any `json:"named_entity_recognition"`
			Sentiments    any `json:"sentiment_analysis"`
		}
	}
	a := r.do("GET", "/v2/live/"+id, "", bearer(token)...)
	if err := json.Unmarshal(a.body, &job); err != nil {
		r.t.Fatal(err)
	}
	if len(job.Result.Transcription.Utterances) == 0 || job.Result.Summary != nil || job.Result.Entities != nil ||
		job.Result.Sentiments != nil {
		r.t.Errorf("record with finals alone: %s", a.body)
	}
	if len(job.Result.Messages) == 0 {
		r.t.Error("no finals")
	}
	for _, m := range job.Result.Messages {
		if !strings.Contains(m, `"type":"transcript"`) {
			r.t.Errorf("shows %s", m)
		}
	}
	for _, path := range []string{"/outline", "/utterances"} {
		body := string(r.do("GET", "/v2/live/"+id+path, "", bearer(token)...).body)
		if strings.Contains(body, `"emotion"`) || strings.Contains(body, `"entity_type"`) ||
			!strings.Contains(body, `"start"`) {
			r.t.Errorf("%s: %s", path, body)
		}
	}
}

// Deleted sessions lose their links: none is listed, and none opens anything, not even another
// session.
func TestLinksGoWithTheirSession(t *testing.T) {
	r := newTestServer(t, nil)
	id, other := r.said("One", "Hello."), r.said("Two", "Hello.")
	link := r.token("/v2/live/"+id+"/subscribers", `{"name":"for Ada"}`)
	both := r.token("/v2/tokens", `{"sessions":["`+id+`","`+other+`"]}`)
	if a := r.do("DELETE", "/v2/live/"+id, ""); a.status != http.StatusAccepted {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if a := r.do("GET", "/v2/tokens", ""); strings.Contains(string(a.body), "Ada") || strings.Contains(string(a.body),
		id) || !strings.Contains(string(a.body), both.ID) {
		t.Errorf("tokens: %s", a.body)
	}
	if a := r.do("GET", "/v2/live/"+id, "", bearer(link.Token)...); a.status != http.StatusUnauthorized {
		t.Errorf("link: %d %s", a.status, a.body)
	}
	if a := r.do("GET", "/v2/live/"+other, "", bearer(both.Token)...); a.status != http.StatusOK {
		t.Errorf("the other session: %d %s", a.status, a.body)
	}
}

// Only a key with the scope admin is shown the activity of the whole server: others cannot find out
// when somebody speaks.
func TestCountsOfTheServerNeedAdmin(t *testing.T) {
	r := newTestServer(t, func(c *Config) {
		c.Keys = append(c.Keys, Key{Text: "read-key-of-another", Account: "other", Scopes: store.ScopeRead})
	})
	ask := func() string {
		return string(r.do("GET", "/v2/capacity", "", "x-service-key", "read-key-of-another").body)
	}
	before := ask()
	_, url := r.create(`{}`)
	c := call(t, url).mustConnect()
	if err := c.send(speech(1, 1)); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "the session among those that an administrator sees", func() bool {
		got := get[overview.Capacity](r, "/v2/capacity")
		return got.Sessions != nil && got.Sessions.Here == 1 && got.Speaking != nil
	})
	if after := ask(); after != before || strings.Contains(after, `"here"`) {
		t.Errorf("another account sees\n%s\nand before\n%s", after, before)
	}
	c.hangUp()
}
