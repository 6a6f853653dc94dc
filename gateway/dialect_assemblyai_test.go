package gateway

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"steno/messages"
)

// turnHeard is a message of AssemblyAI's dialect.
type turnHeard struct {
	Type       string
	ID         string `json:"id"`
	Order      int    `json:"turn_order"`
	Formatted  bool   `json:"turn_is_formatted"`
	Ended      bool   `json:"end_of_turn"`
	Transcript string
	Words      []struct{ Start, End int64 }
	Audio      float64 `json:"audio_duration_seconds"`
	Code       int     `json:"error_code"`
}

// streamer is a client of the dialect.
type streamer struct {
	t    *testing.T
	conn *websocket.Conn
	id   string // of its session
}

func callStreaming(t *testing.T, r *testServer, path, query string) *streamer {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), r.http.URL+path+"?"+query,
		&websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {testKey}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	s := &streamer{t: t, conn: conn}
	begun, _ := s.hear()
	if begun.Type != "Begin" || begun.ID == "" {
		t.Fatalf("begun with %+v", begun)
	}
	s.id = begun.ID
	return s
}

// hear reads a message, or the code of the close.
func (s *streamer) hear() (m turnHeard, code websocket.StatusCode) {
	s.t.Helper()
	_, text, err := s.conn.Read(s.t.Context())
	if err != nil {
		return m, websocket.CloseStatus(err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		s.t.Fatalf("%s: %v", text, err)
	}
	return m, 0
}

// speak sends audio in messages of 50 ms, and texts after it.
func (s *streamer) speak(audio []byte, texts ...string) {
	s.t.Helper()
	for len(audio) > 0 {
		n := min(len(audio), 1600)
		if err := s.conn.Write(s.t.Context(), websocket.MessageBinary, audio[:n]); err != nil {
			s.t.Fatal(err)
		}
		audio = audio[n:]
	}
	say(s.t, s.conn, texts...)
}

// A client of AssemblyAI's dialect gets the finals of a session of the gateway's own, and the
// record has them.
func TestAssemblyAIStreams(t *testing.T) {
	r := newTestServer(t, nil)
	native := r.converse(`{"endpointing":0.3,"messages_config":{"receive_partial_transcripts":true}}`, speech(10, 2))
	for _, how := range []struct {
		path, query string
		ends        int
	}{
		{"/v3/ws", "sample_rate=16000&min_turn_silence=500", 1},
		{"/assemblyai/v3/ws", "sample_rate=16000&min_turn_silence=500&format_turns=True", 2},
	} {
		s := callStreaming(t, r, how.path, how.query)
		s.speak(speech(10, 2), `{"type":"Terminate"}`)
		var texts []string
		var last turnHeard
		ends, starts := map[int]int{}, 0
		for {
			m, code := s.hear()
			if code != 0 {
				if code != 1000 || last.Type != "Termination" || last.Audio != 10 {
					t.Errorf("%s: closed with %d after %+v", how.query, code, last)
				}
				break
			}
			if last = m; m.Type == "SpeechStarted" {
				starts++
			}
			if m.Type != "Turn" || !m.Ended {
				continue
			}
			if ends[m.Order]++; ends[m.Order] == how.ends {
				texts = append(texts, m.Transcript)
				if m.Formatted != (how.ends == 2) {
					t.Errorf("%s: formatted %v", how.query, m.Formatted)
				}
			}
		}
		for order, n := range ends {
			if n != how.ends || order >= len(texts) {
				t.Errorf("%s: turn %d ended %d times", how.query, order, n)
			}
		}
		record := r.result(s.id)
		if got := strings.Join(texts, " "); got != native || got != record.Transcription.FullTranscript || starts == 0 {
			t.Errorf("%s: %q, the record has %q, a session of the gateway's own %q", how.query, got,
				record.Transcription.FullTranscript, native)
		}
	}
}

// converse holds a conversation in the gateway's own way, and returns its text.
func (r *testServer) converse(request string, audio []byte) string {
	r.t.Helper()
	a := r.do("POST", "/v2/live", request)
	var made struct{ ID, URL string }
	if err := json.Unmarshal(a.body, &made); err != nil {
		r.t.Fatalf("%s: %v", a.body, err)
	}
	c := call(r.t, made.URL).mustConnect()
	if err := c.send(audio); err != nil {
		r.t.Fatal(err)
	}
	if err := c.stop(); err != nil {
		r.t.Fatal(err)
	}
	c.end()
	return r.result(made.ID).Transcription.FullTranscript
}

// A turn ends where a client asks for it, and its settings change under way.
func TestAssemblyAIForcesTurns(t *testing.T) {
	r := newTestServer(t, nil)
	s := callStreaming(t, r, "/v3/ws", "sample_rate=16000&max_turn_silence=10000&min_turn_silence=10000")
	s.speak(speech(2, 2), `{"type":"ForceEndpoint"}`, `{"type":"KeepAlive"}`)
	for m, code := s.hear(); !m.Ended; m, code = s.hear() {
		if code != 0 {
			t.Fatalf("closed with %d", code)
		}
	}
	s.speak(speech(2, 3), `{"type":"UpdateConfiguration","format_turns":true,"min_turn_silence":300}`,
		`{"type":"Terminate"}`)
	formatted := 0
	for {
		m, code := s.hear()
		if code == 1000 {
			break
		}
		if code != 0 {
			t.Fatalf("closed with %d", code)
		}
		if m.Formatted {
			formatted++
		}
	}
	if formatted == 0 {
		t.Error("no turn was formatted")
	}
}

// Refusals and faults have the form that clients know.
func TestAssemblyAIRefuses(t *testing.T) {
	t.Parallel()
	r := newTestServer(t, nil)
	for _, c := range []struct {
		key, query string
		want       int
	}{{"", "", 401}, {"wrong", "", 401}, {testKey, "sample_rate=11", 400},
		{testKey, "redact_pii=true&redact_pii_policies=x", 400}} {
		_, resp, err := websocket.Dial(t.Context(), r.http.URL+"/v3/ws?"+c.query,
			&websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {c.key}}})
		if err == nil || resp == nil || resp.StatusCode != c.want {
			t.Errorf("%+v: %v, %v", c, resp, err)
			continue
		}
		var body struct{ Error string }
		text, _ := io.ReadAll(resp.Body)
		if json.Unmarshal(text, &body) != nil || body.Error == "" {
			t.Errorf("%+v: answered with %s", c, text)
		}
	}
	for text, want := range map[string]int{
		`{"type":"Other"}`: 4101, `hello`: 4100, `{"type":"UpdateConfiguration","vad_threshold":3}`: 4101,
	} {
		s := callStreaming(t, r, "/v3/ws", "sample_rate=16000")
		s.speak(nil, text)
		fault, _ := s.hear()
		if _, code := s.hear(); fault.Type != "Error" || fault.Code != want || int(code) != want {
			t.Errorf("%s: %+v, closed with %d", text, fault, code)
		}
		r.awaitStatus(s.id, messages.StatusDone)
	}
}
