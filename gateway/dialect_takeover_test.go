package gateway

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/messages"
)

// traveller is a client of a dialect whose node is lost: it sends two pieces of audio, each with
// what ends it, and audio after that.
type traveller struct {
	name, path, key, value string
	config                 string // its first message; empty: none
	ends                   [2][]string
	answer                 string // what a text has that answers an end; empty: there is no answer
	base64                 bool   // audio comes as OpenAI has it
	utterances             int    // that its session has
}

// travellers are of dialects whose clients set marks and change settings.
var travellers = []traveller{
	{"openai", "/v1/realtime", "Authorization", "Bearer " + testKey,
		`{"type":"session.update","session":{"type":"transcription","audio":{"input":{"turn_detection":null}}}}`,
		[2][]string{{`{"type":"input_audio_buffer.commit"}`}, {`{"type":"input_audio_buffer.commit"}`,
			`{"type":"session.update","session":{"audio":{"input":{"turn_detection":{"type":"server_vad",
				"silence_duration_ms":210}}}}}`}}, `transcription.completed"`, true, 4},
	{"assemblyai", "/v3/ws?sample_rate=16000&min_turn_silence=9000", "Authorization", testKey, "",
		[2][]string{{`{"type":"ForceEndpoint"}`}, {`{"type":"ForceEndpoint"}`,
			`{"type":"UpdateConfiguration","min_turn_silence":210}`}}, `"end_of_turn":true`, false, 4},
	{"deepgram", "/v1/listen?encoding=linear16&sample_rate=16000&endpointing=false", "Authorization",
		"Token " + testKey, "", [2][]string{{`{"type":"Finalize"}`}, {`{"type":"Finalize"}`,
			`{"type":"Configure","keyterms":["lamp"]}`}}, `"from_finalize":true`, false, 3},
	{"flux", "/v2/listen?encoding=linear16&sample_rate=16000&eot_threshold=1", "Authorization", "Token " + testKey, "",
		[2][]string{{`{"type":"ForceEndTurn"}`}, {`{"type":"ForceEndTurn"}`,
			`{"type":"Configure","thresholds":{"eot_threshold":0.5}}`}}, `"event":"EndOfTurn"`, false, 4},
	{"vosk", "/vosk/" + testKey, "", "", `{"config":{"sample_rate":16000}}`,
		[2][]string{{`{"reset":1}`}, {`{"config":{"phrase_list":["lamp"]}}`, `{"reset":1}`}}, `"text":`, false, 4},
	{"vonage", "/vonage/" + testKey, "", "", `{"content-type":"audio/l16;rate=16000"}`, [2][]string{}, "", false, 2},
}

// send sends audio.
func (c traveller) send(t *testing.T, conn *websocket.Conn, audio []byte) {
	t.Helper()
	kind, data := websocket.MessageBinary, audio
	if c.base64 {
		kind = websocket.MessageText
		data = []byte(`{"type":"input_audio_buffer.append","audio":"` + base64.StdEncoding.EncodeToString(audio) + `"}`)
	}
	if err := conn.Write(t.Context(), kind, data); err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
}

// talk is the audio of a client: half a second of speech for each end, where its speaker does not
// pause, more up to a silence of 0.4 s, and some after that.
var talk = slices.Concat(speech(2, 2)[20480:49920], speech(2, 4)[20480:], speech(2, 3)[20480:])

const half = 16000 // bytes

// travel connects a client, which speaks, and returns its session. One that stays has the answer to
// each end, and closes its connection.
func (c traveller) travel(t *testing.T, r *testServer, stays bool) (id string) {
	t.Helper()
	before := newestLive(t, r)
	header := http.Header{}
	if c.key != "" {
		header.Set(c.key, c.value)
	}
	conn, _, err := websocket.Dial(t.Context(), r.http.URL+c.path, &websocket.DialOptions{HTTPHeader: header})
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	conn.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = conn.CloseNow() })
	if c.config != "" {
		say(t, conn, c.config)
	}
	for i, texts := range c.ends {
		c.send(t, conn, talk[i*half:(i+1)*half])
		say(t, conn, texts...)
		for waits := stays && c.answer != ""; waits; {
			_, text, err := conn.Read(t.Context())
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			waits = !strings.Contains(string(text), c.answer)
		}
	}
	c.send(t, conn, talk[2*half:])
	waitUntil(t, "a session", func() bool { id = newestLive(t, r); return id != before })
	if stays {
		awaitAudio(t, r, c.name, id) // a client that closes waits for some seconds only
		if err := conn.Close(1000, ""); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	return id
}

// awaitAudio waits until all that a client has said is kept.
func awaitAudio(t *testing.T, r *testServer, name, id string) {
	t.Helper()
	waitUntil(t, name+"'s audio is kept", func() bool {
		kept, err := r.server.deps.Store.OpenAudio(t.Context(), DefaultAccount, id)
		return err == nil && kept.Size() == int64(len(talk)) && kept.Close() == nil
	})
}

// newestLive returns the newest live session; empty: there is none.
func newestLive(t *testing.T, r *testServer) string {
	t.Helper()
	var list struct{ Items []messages.Job }
	if err := json.Unmarshal(r.do("GET", "/v2/live?limit=1", "").body, &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Items) == 0 {
		return ""
	}
	return list.Items[0].ID
}

// TestDialectsSessionsAreTakenOver has the node of clients lost that cannot resume, before it has
// recognized anything. Another node ends their sessions, with the marks and the changes of settings
// where they were set, as soon as their clients have been gone for as long as their dialects wait.
// Clients have sessions of their own there, as those of the services do that connect again.
func TestDialectsSessionsAreTakenOver(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.window = time.Hour
	c.asr = newGatedRecognizer()
	first, link := c.node("first", nil)
	c.asr = nil
	second, _ := c.node("second", nil)
	ids := make([]string, len(travellers))
	for i, client := range travellers {
		ids[i] = client.travel(t, first, false)
	}
	for i, client := range travellers {
		awaitAudio(t, second, client.name, ids[i])
	}
	link.Cut()
	defer link.Restore()
	for i, client := range travellers {
		awaitDone(t, second, ids[i])
		id := client.travel(t, second, true)
		awaitDone(t, second, id)
		a, b := utterancesOf(second.result(ids[i])), utterancesOf(second.result(id))
		if a != b || strings.Count(b, "\n") != client.utterances {
			t.Errorf("%s: taken over it has\n%s\nnot taken over\n%s", client.name, a, b)
		}
	}
}
