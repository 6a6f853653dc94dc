package gateway

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/zaf/g711"

	"steno/messages"
)

// spokenBy is a client of a dialect, which has a session made with certain settings, sends audio at
// once, and returns the texts of the finals that it has heard; nil: clients of the dialect hear
// none.
type spokenBy struct {
	name   string
	native string // the request of a native session with these settings
	rate   int    // of the audio
	talk   func(t *testing.T, r *testServer, audio []byte) []string
}

// wideband is a format of OpenAI's realtime interface.
const wideband = `{"type":"audio/pcm","rate":24000}`

// dialectClients are those whose finals are compared with those of native sessions.
var dialectClients = []spokenBy{
	{"openai realtime", `{"sample_rate":24000,"endpointing":0.3,"maximum_duration_without_endpointing":60,
		"language_config":{"languages":["en"]},"messages_config":{"receive_partial_transcripts":true}}`, 24000,
		talkRealtime(wideband, `"turn_detection":{"type":"server_vad","silence_duration_ms":500}`, false)},
	{"openai realtime, eager", `{"sample_rate":24000,"endpointing":0.25,"maximum_duration_without_endpointing":60,
		"language_config":{"languages":["en"]},"messages_config":{"receive_partial_transcripts":true}}`, 24000,
		talkRealtime(wideband, `"turn_detection":{"type":"semantic_vad","eagerness":"high"}`, false)},
	{"openai realtime, committed", `{"sample_rate":24000,"endpointing":10,"maximum_duration_without_endpointing":60,
		"language_config":{"languages":["en"]},"messages_config":{"receive_partial_transcripts":true}}`, 24000,
		talkRealtime(wideband, `"turn_detection":null`, true)},
	{"openai realtime, a call", `{"encoding":"wav/ulaw","sample_rate":8000,"endpointing":0.3,
		"maximum_duration_without_endpointing":60,"language_config":{"languages":["en"]},
		"messages_config":{"receive_partial_transcripts":true}}`, 8000,
		talkRealtime(`{"type":"audio/pcmu"}`,
			`"turn_detection":{"type":"server_vad","silence_duration_ms":500}`, false)},
	{"assemblyai", `{"endpointing":0.3,"messages_config":{"receive_partial_transcripts":true}}`, 16000,
		talkStreaming("sample_rate=16000&min_turn_silence=500&format_turns=true")},
	{"assemblyai, a call", `{"encoding":"wav/ulaw","sample_rate":8000,"endpointing":0.2,
		"messages_config":{"receive_partial_transcripts":true}}`, 8000,
		talkStreaming("encoding=pcm_mulaw&sample_rate=8000")},
	{"vosk", `{"endpointing":0.3,"messages_config":{"receive_partial_transcripts":true}}`, 16000, talkVosk},
	{"wyoming", `{}`, 16000, talkWyoming},
	{"deepgram listen", `{"endpointing":0.1,"language_config":{"languages":["en"]},
		"messages_config":{"receive_partial_transcripts":true}}`, 16000, talkDeepgram},
	{"deepgram flux", `{"endpointing":0.4,"maximum_duration_without_endpointing":60,
		"language_config":{"languages":["en"]},
		"messages_config":{"receive_partial_transcripts":true}}`, 16000, talkFlux},
	{"twilio", `{"encoding":"wav/ulaw","sample_rate":8000}`, 8000,
		talkCall("/twilio/"+testKey, func(audio []byte) conversation { return twilioCall("", audio) })},
	{"telnyx", `{}`, 16000, talkCall("/telnyx/"+testKey, func(audio []byte) conversation {
		return telnyxCall("", audio)
	})},
	{"vonage", `{}`, 16000, talkCall("/vonage?key="+testKey, func(audio []byte) conversation {
		return vonageCall("", audio)
	})},
}

// TestDialectsAgree holds that what was said, and when, is the same in every dialect as in a native
// session, and that clients hear it.
func TestDialectsAgree(t *testing.T) {
	t.Parallel()
	r := newTestServer(t, nil)
	for _, c := range dialectClients {
		audio := resampled(append(speech(9, 3), make([]byte, 2*16000)...), c.rate)
		if strings.Contains(c.native, "wav/ulaw") {
			audio = g711.EncodeUlaw(audio)
		}
		id, url := r.create(c.native)
		native := call(t, url).mustConnect()
		if err := native.send(audio); err != nil {
			t.Fatal(err)
		}
		if err := native.stop(); err != nil {
			t.Fatal(err)
		}
		native.end()
		want := r.result(id)
		heard := c.talk(t, r, audio)
		var list struct{ Items []messages.Job }
		if err := json.Unmarshal(r.do("GET", "/v2/live?limit=1", "").body, &list); err != nil || len(list.Items) != 1 {
			t.Fatalf("%s: %v, %d sessions", c.name, err, len(list.Items))
		}
		r.awaitStatus(list.Items[0].ID, messages.StatusDone)
		got := r.result(list.Items[0].ID)
		a, b := utterancesOf(want), utterancesOf(got)
		if a != b || len(want.Transcription.Utterances) < 1 || list.Items[0].ID == id {
			t.Errorf("%s: the session has\n%s\nand a native one\n%s", c.name, b, a)
		}
		if text := strings.Join(heard, " "); heard != nil && text != want.Transcription.FullTranscript {
			t.Errorf("%s: the client heard %q, the record has %q", c.name, text, want.Transcription.FullTranscript)
		}
	}
}

// utterancesOf are the words of a result with their times.
func utterancesOf(r messages.LiveResult) string {
	var all strings.Builder
	for _, u := range r.Transcription.Utterances {
		for _, w := range u.Words {
			fmt.Fprintf(&all, "%s %.3f-%.3f;", w.Word, w.Start, w.End)
		}
		all.WriteString("\n")
	}
	return all.String()
}

// realtimeEvent is what a client of OpenAI's realtime interface is sent.
type realtimeEvent struct {
	Type       string
	ItemID     string `json:"item_id"`
	Delta      string
	Transcript string
	Error      struct{ Message, Code string }
	Start      int `json:"audio_start_ms"`
	Session    json.RawMessage
	Usage      json.RawMessage
}

// realtimeClient is a client of OpenAI's realtime interface.
type realtimeClient struct {
	t      *testing.T
	conn   *websocket.Conn
	events []realtimeEvent
}

// dialRealtime connects a client, which has read session.created.
func dialRealtime(t *testing.T, r *testServer, query string, o *websocket.DialOptions) *realtimeClient {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), r.http.URL+"/v1/realtime"+query, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	conn.SetReadLimit(1 << 20)
	c := &realtimeClient{t: t, conn: conn}
	c.until("session.created")
	return c
}

// until reads events up to one of a type.
func (c *realtimeClient) until(kind string) realtimeEvent {
	c.t.Helper()
	for {
		_, text, err := c.conn.Read(c.t.Context())
		if err != nil {
			c.t.Fatalf("%v instead of %s after %+v", err, kind, c.events)
		}
		var e realtimeEvent
		if err := json.Unmarshal(text, &e); err != nil {
			c.t.Fatal(err)
		}
		c.events = append(c.events, e)
		if e.Type == kind {
			return e
		}
		if e.Type == "error" {
			c.t.Fatalf("%s", text)
		}
	}
}

// append sends audio in messages of 50 ms.
func (c *realtimeClient) append(audio []byte, size int) {
	for len(audio) > 0 {
		n := min(len(audio), size)
		text := base64.StdEncoding.EncodeToString(audio[:n])
		say(c.t, c.conn, `{"type":"input_audio_buffer.append","audio":"`+text+`"}`)
		audio = audio[n:]
	}
}

// transcripts are those of the items that were completed.
func (c *realtimeClient) transcripts() (all []string) {
	for _, e := range c.events {
		if e.Type == "conversation.item.input_audio_transcription.completed" {
			all = append(all, e.Transcript)
		}
	}
	return all
}

// talkRealtime returns what a client of OpenAI's realtime interface does. Where it does not commit
// itself it leaves when all was silent for long.
func talkRealtime(format, turns string, commits bool) func(*testing.T, *testServer, []byte) []string {
	return func(t *testing.T, r *testServer, audio []byte) []string {
		c := dialRealtime(t, r, "?intent=transcription", &websocket.DialOptions{
			HTTPHeader: map[string][]string{"Authorization": {"Bearer " + testKey}},
		})
		say(t, c.conn, `{"type":"session.update","session":{"type":"transcription","audio":{"input":{
			"format":`+format+`,
			"transcription":{"model":"gpt-4o-transcribe","language":"en"},`+turns+`}}}}`)
		c.until("session.updated")
		c.append(audio, 2400)
		if commits {
			say(t, c.conn, `{"type":"input_audio_buffer.commit"}`)
			c.until("conversation.item.input_audio_transcription.completed")
		} else { // a last item of nothing, after all others
			say(t, c.conn, `{"type":"input_audio_buffer.commit"}`)
			for c.until("conversation.item.input_audio_transcription.completed").Transcript != "" {
				continue
			}
		}
		_ = c.conn.Close(1000, "")
		return slicesWithout(c.transcripts(), "")
	}
}

// slicesWithout is a list without a text.
func slicesWithout(list []string, text string) (kept []string) {
	for _, s := range list {
		if s != text {
			kept = append(kept, s)
		}
	}
	return kept
}

// Deltas append, item by item, and are what the transcript begins with.
func TestRealtimeDeltas(t *testing.T) {
	r := newTestServer(t, nil)
	c := dialRealtime(t, r, "", &websocket.DialOptions{
		Subprotocols: []string{"realtime", "openai-insecure-api-key." + testKey, "openai-beta.realtime-v1"},
	})
	if c.conn.Subprotocol() != "realtime" {
		t.Errorf("subprotocol %q", c.conn.Subprotocol())
	}
	c.append(resampled(append(speech(9, 3), make([]byte, 2*16000)...), 24000), 100_000)
	say(t, c.conn, `{"type":"input_audio_buffer.clear"}`)
	c.until("input_audio_buffer.cleared")
	open, text, previous := "", "", ""
	var kinds []string
	for _, e := range c.events {
		kinds = append(kinds, strings.TrimPrefix(e.Type, "conversation.item.input_audio_transcription."))
		switch e.Type {
		case "conversation.item.input_audio_transcription.delta":
			if open != "" && e.ItemID != open {
				t.Errorf("a delta of %s within %s", e.ItemID, open)
			}
			open, text = e.ItemID, text+e.Delta
		case "conversation.item.input_audio_transcription.completed":
			if open != "" && open != e.ItemID || !strings.HasPrefix(e.Transcript, text) || e.Usage == nil {
				t.Errorf("%q was said of %q: %+v", text, e.Transcript, e)
			}
			open, text, previous = "", "", e.ItemID
		}
	}
	whole := strings.Join(kinds, " ")
	for _, want := range []string{"speech_started", "stopped input_audio_buffer.committed", "delta", "completed"} {
		if !strings.Contains(whole, want) {
			t.Errorf("no %s within %s", want, whole)
		}
	}
	if previous == "" {
		t.Error("nothing was completed")
	}
}

// A key that is not known is refused at the handshake, as is a request for what is not there.
func TestRealtimeRefuses(t *testing.T) {
	r := newTestServer(t, nil)
	for _, key := range []string{"", "wrong", "ek_wrong", "ek_wrong.AAAA"} {
		_, resp, err := websocket.Dial(t.Context(), r.http.URL+"/openai/v1/realtime", &websocket.DialOptions{
			HTTPHeader: map[string][]string{"Authorization": {"Bearer " + key}},
		})
		if err == nil || resp == nil || resp.StatusCode != 401 {
			t.Errorf("%q: %v", key, resp)
			continue
		}
		var body struct{ Error struct{ Code string } }
		if err := json.NewDecoder(resp.Body).Decode(&body); err != nil || body.Error.Code != "invalid_api_key" {
			t.Errorf("%q: %+v, %v", key, body, err)
		}
	}
}
