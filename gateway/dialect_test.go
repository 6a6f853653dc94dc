package gateway

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"steno/gateway/dialect"
	"steno/gateway/web"
	"steno/messages"
)

// spoken is a dialect whose clients name the session they ask for in a message, send nothing but
// text beside their audio, and are sent the words that are new as lines of text.
var spoken = dialect.Dialect{Name: "spoken", Open: func(*http.Request) (dialect.Opening, error) {
	return dialect.Opening{
		Greet: func(*dialect.Created) [][]byte { return [][]byte{[]byte("hello")} },
		Late:  true, Listen: listenPlain, Parser: plainParser{}, Encoder: &plainEncoder{},
	}, nil
}}

// listenPlain reads "session TOKEN", before which anything may be said but "nonsense".
func listenPlain(m dialect.Message) (*dialect.Start, error) {
	token, ok := strings.CutPrefix(string(m.Data), "session ")
	switch {
	case m.Binary:
		return nil, errors.New("audio before a start")
	case ok:
		return &dialect.Start{Token: token, Offset: dialect.UnknownOffset}, nil
	case string(m.Data) == "nonsense":
		return nil, errors.New("no sense")
	}
	return nil, nil
}

type plainParser struct{}

func (plainParser) Text(text []byte, to dialect.Input) {
	switch string(text) {
	case "stop":
		to.Stop()
	case "there?":
		to.KeepAlive()
	default:
		to.Reject(errors.New("what is " + string(text) + "?"))
	}
}

func (p plainParser) Stream(_ int, to dialect.Input) dialect.Stream { return &plainStream{to: to} }

// plainStream counts a long message.
type plainStream struct {
	to dialect.Input
	n  int
}

func (s *plainStream) Write(p []byte) error { s.n += len(p); return nil }
func (s *plainStream) Streamed() bool       { return false }
func (s *plainStream) End()                 { s.to.Reject(errors.New("too long")) }

// plainEncoder writes what an utterance has beyond what was written of it, and a line of its own
// at its end.
type plainEncoder struct {
	id    string // of the utterance
	wrote string // of it
}

func (e *plainEncoder) Event(event *messages.Event, emit func(text []byte)) {
	switch event.Kind {
	case messages.KindAudioAck, messages.KindFailedAck:
		emit([]byte("ack"))
	case messages.KindPartial, messages.KindFinal:
		var t struct {
			Data struct {
				ID        string
				Utterance struct{ Text string }
			}
		}
		if err := json.Unmarshal(event.Body, &t); err != nil {
			emit([]byte(err.Error()))
			return
		}
		if t.Data.ID != e.id {
			e.id, e.wrote = t.Data.ID, ""
		}
		if more, ok := strings.CutPrefix(t.Data.Utterance.Text, e.wrote); ok && more != "" {
			emit([]byte("+" + more))
			e.wrote = t.Data.Utterance.Text
		}
		if event.Kind == messages.KindFinal {
			emit([]byte("=" + t.Data.Utterance.Text))
		}
	}
}

func (e *plainEncoder) End(end dialect.Ending) (last []byte, code int, reason string) {
	if end.Why == dialect.Finished {
		return []byte("bye"), 1000, ""
	}
	return nil, 3000 + int(end.Why), end.Detail
}

// plainClient connects a client of the dialect, which has been greeted.
func plainClient(t *testing.T, r *testServer) *websocket.Conn {
	t.Helper()
	refused := func(http.ResponseWriter, *http.Request) error {
		return web.Problem(http.StatusNotFound, "a WebSocket is here")
	}
	handle := r.server.live.Upgrade(spoken, refused)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_ = handle(w,
			req)
	}))
	t.Cleanup(server.Close)
	conn, _, err := websocket.Dial(t.Context(), server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	if _, text, err := conn.Read(t.Context()); err != nil || string(text) != "hello" {
		t.Fatalf("greeted with %q, %v", text, err)
	}
	return conn
}

func say(t *testing.T, conn *websocket.Conn, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
}

// A dialect learns its session late, sends words as they settle, and closes as it likes; the
// session's record is as any other's.
func TestAnotherDialect(t *testing.T) {
	r := newTestServer(t, nil)
	id, url := r.create(`{"messages_config":{"receive_partial_transcripts":true,
		"receive_speech_events":false,"receive_post_processing_events":false}}`)
	_, token, _ := strings.Cut(url, "token=")
	conn := plainClient(t, r)
	say(t, conn, "good morning", "session "+token, "there?", "what", strings.Repeat("x", 100_000))
	audio := speech(3, 2)
	for len(audio) > 0 {
		n := min(len(audio), 6400)
		if err := conn.Write(t.Context(), websocket.MessageBinary, audio[:n]); err != nil {
			t.Fatal(err)
		}
		audio = audio[n:]
	}
	say(t, conn, "stop")
	var said strings.Builder
	var finals []string
	last, acks := "", 0
	for {
		_, text, err := conn.Read(t.Context())
		if err != nil {
			if code := websocket.CloseStatus(err); code != 1000 || last != "bye" {
				t.Errorf("closed with %d, %v, after %q", code, err, last)
			}
			break
		}
		switch last = string(text); {
		case last == "ack":
			acks++
		case last[0] == '+':
			said.WriteString(last[1:])
		case last[0] == '=':
			finals = append(finals, last[1:])
		}
	}
	want, joined := r.result(id).Transcription.FullTranscript, strings.TrimSpace(strings.Join(finals, ""))
	if len(finals) == 0 || joined != want && strings.Join(finals, " ") != want {
		t.Errorf("finals %q, the record has %q", finals, want)
	}
	if acks < 3 || said.Len() == 0 {
		t.Errorf("%d acks, %q were spoken", acks, said.String())
	}
}

// A client that does not name the session it asks for learns that in its dialect.
func TestALateStartIsBounded(t *testing.T) {
	r := newTestServer(t, nil)
	for text, want := range map[string]dialect.Why{
		"nonsense":                   dialect.Misuse,
		"session of nobody":          dialect.UnknownToken,
		strings.Repeat("x", 100_000): dialect.TooBig,
	} {
		conn := plainClient(t, r)
		say(t, conn, text)
		if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusCode(3000+int(want)) {
			t.Errorf("%.20q: %v, want %d", text, err, 3000+int(want))
		}
	}
	conn := plainClient(t, r)
	if err := conn.Write(t.Context(), websocket.MessageBinary, []byte("audio")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusCode(3000+
		int(dialect.Misuse)) {
		t.Errorf("audio before a start: %v", err)
	}
}
