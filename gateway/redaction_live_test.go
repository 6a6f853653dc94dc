package gateway

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"steno/gateway/callbacks"
	"steno/session/addon/addontest"
)

// What a session hides is on no socket, in no callback and no record, and in no file once it has
// ended; its recording is silent there, also for who was given a link. A client of Deepgram's is
// sent the same text.
func TestRedactedLive(t *testing.T) {
	t.Parallel()
	r, receiver := callbackServer(t), newReceiver(t)
	r.providers = addontest.Embedded()
	sentences := []string{"my name is Maria Cruz and the code on the back of my card is", "um nine seven one",
		"thanks Maria"}
	r.engines.asr = recite(slices.Concat(sentences, sentences, sentences)...)
	r.restart()
	id, address := r.create(`{"endpointing":0.3,"language_config":{"languages":["en"]},
		"messages_config":{"receive_partial_transcripts":true},
		"realtime_processing":{"named_entity_recognition":true,"pii_redaction":true,
			"pii_redaction_config":{"entity_types":["NAME","CVV"]}},"post_processing":{"summarization":true},
		"callback":true,"callback_config":{"url":"` + receiver.url + `"}}`)
	c := call(t, address).mustConnect()
	for i := range sentences {
		if err := c.send(append(speech(2.2, uint64(i)), make([]byte, 32000)...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.stop(); err != nil {
		t.Fatal(err)
	}
	c.end()
	want := " my name is [NAME_1] and the code on the back of my card is um [CVV_1] thanks [NAME_1]"
	if got := r.result(id).Transcription.FullTranscript; strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Fatalf("%q, want %q", got, want)
	}
	r.checkSilent(id)
	seen := map[string][]byte{"record": r.do("GET", "/v2/live/"+id, "").body}
	for i, f := range c.all() {
		seen[fmt.Sprint("message ", i)] = []byte(f.text)
	}
	for i, call := range receiver.await(t, callbacks.EndSession) {
		seen[fmt.Sprint("callback ", i)] = call.Payload
	}
	if got := r.deepgramText("redact=cvv&redact=name"); got != strings.TrimSpace(want) {
		t.Errorf("Deepgram's client is sent %q", got)
	}
	r.stop()
	for path, content := range r.allText() {
		seen[path] = content
	}
	for path, content := range seen {
		for _, value := range []string{"maria", "cruz", "nine seven"} {
			if bytes.Contains(bytes.ToLower(content), []byte(value)) {
				t.Errorf("%s holds %q", path, value)
			}
		}
	}
}

// checkSilent checks that the recording of a session is silent where its finals hide something, and
// is heard elsewhere.
func (r *testServer) checkSilent(id string) {
	r.t.Helper()
	link := r.token("/v2/live/"+id+"/subscribers", `{"audio":true}`)
	file := r.do("GET", "/v2/live/"+id+"/file", "").body[44:]
	if shared := r.do("GET", "/v2/live/"+id+"/file", "", bearer(link.Token)...).body[44:]; !bytes.Equal(file, shared) {
		r.t.Error("a link has another recording")
	}
	hidden, heard := 0, 0
	for _, u := range r.result(id).Transcription.Utterances {
		for _, w := range u.Words {
			sound := file[2*int(16000*w.Start) : 2*int(16000*w.End)]
			quiet := len(bytes.Trim(sound, "\x00")) == 0
			switch {
			case !strings.Contains(w.Word, "[") && !quiet:
				heard++
			case strings.Contains(w.Word, "["):
				hidden++
				if !quiet {
					r.t.Errorf("%q is heard", w.Word)
				}
			}
		}
	}
	if hidden < 3 || heard < 5 {
		r.t.Errorf("%d words are hidden, %d are heard", hidden, heard)
	}
}

// deepgramText is what a client of Deepgram's is sent of a session with a query.
func (r *testServer) deepgramText(query string) string {
	r.t.Helper()
	conn, _, err := websocket.Dial(r.t.Context(), r.http.URL+
		"/v1/listen?encoding=linear16&sample_rate=16000&language=en&endpointing=500&punctuate=true&"+query,
		&websocket.DialOptions{Subprotocols: []string{"token", testKey}})
	if err != nil {
		r.t.Fatal(err)
	}
	defer conn.CloseNow()
	for i := range 3 {
		sound := append(speech(2.2, uint64(i)), make([]byte, 32000)...)
		if err := conn.Write(r.t.Context(), websocket.MessageBinary, sound); err != nil {
			r.t.Fatal(err)
		}
	}
	if err := conn.Write(r.t.Context(), websocket.MessageText, []byte(`{"type":"CloseStream"}`)); err != nil {
		r.t.Fatal(err)
	}
	var texts []string
	for {
		_, text, err := conn.Read(r.t.Context())
		if err != nil {
			return strings.Join(texts, " ")
		}
		_, after, ok := strings.Cut(string(text), `"transcript":"`)
		if ok && strings.Contains(string(text), `"is_final":true`) {
			if said, _, _ := strings.Cut(after, `"`); said != "" {
				texts = append(texts, said)
			}
		}
	}
}

// A request that names something that is not found in its languages is refused, or warned.
func TestRedactionLiveWithoutFinder(t *testing.T) {
	r := newTestServer(t, nil, func(r *testServer) { r.providers = addontest.Embedded() })
	body := func(types, more string) string {
		return `{"language_config":{"languages":["en"]},"realtime_processing":{"pii_redaction":true,
			"pii_redaction_config":{"entity_types":` + types + more + `}}}`
	}
	refused := r.do("POST", "/v2/live", body(`["EVENT"]`, ""))
	checkError(t, refused, 400, "/v2/live")
	const field = "realtime_processing.pii_redaction_config.entity_types"
	if !strings.Contains(string(refused.body), field+" must not have what this server cannot find: EVENT in en") {
		t.Errorf("%s", refused.body)
	}
	warned := r.do("POST", "/v2/live", body(`["EVENT","SSN"]`, `,"best_effort":true`))
	if warned.status != 201 || warned.header.Get("X-Steno-Ignored") != field {
		t.Errorf("%d %s", warned.status, warned.body)
	}
	if a := r.do("POST", "/v2/live", `{"realtime_processing":{"pii_redaction":true}}`); a.status != 201 {
		t.Errorf("%d %s", a.status, a.body)
	}
	for path, header := range map[string]url.Values{"/v3/ws?sample_rate=16000&redact_pii=true&language_code=de&" +
		"redact_pii_policies=person_name": {"Authorization": {testKey}}} {
		_, resp, err := websocket.Dial(t.Context(), r.http.URL+path, &websocket.DialOptions{
			HTTPHeader: map[string][]string(header)})
		if err == nil || resp == nil || resp.StatusCode != 400 {
			t.Errorf("%s: %v, %v", path, resp, err)
		}
	}
}
