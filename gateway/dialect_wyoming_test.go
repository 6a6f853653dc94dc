package gateway

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"steno/messages"
)

// wyomingEvent is an event of the Wyoming protocol.
type wyomingEvent struct {
	Type string
	Data struct {
		Text, Code string
		ASR        []struct {
			Models []struct{ Languages []string }
		}
	}
}

// assistant is a client of the protocol.
type assistant struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

// callPort connects an assistant to a port that a server serves for it.
func callPort(t *testing.T, r *testServer, key string) *assistant {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func(s *Server) { served <- s.ServePort("wyoming", key, l) }(r.server)
	t.Cleanup(func() {
		r.stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return dialPort(t, l.Addr().String())
}

// dialPort connects an assistant to a port.
func dialPort(t *testing.T, address string) *assistant {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &assistant{t: t, conn: conn, in: bufio.NewReader(conn)}
}

// send sends an event.
func (a *assistant) send(kind, data string, payload []byte) {
	a.t.Helper()
	head := fmt.Sprintf(`{"type":%q,"data_length":%d,"payload_length":%d}`+"\n%s", kind, len(data), len(payload), data)
	if _, err := a.conn.Write(append([]byte(head), payload...)); err != nil {
		a.t.Fatal(err)
	}
}

// until reads events up to one of a kind.
func (a *assistant) until(kind string) (events []wyomingEvent) {
	a.t.Helper()
	for {
		text, err := a.in.ReadString('\n')
		if err != nil {
			a.t.Fatalf("no %s within %+v: %v", kind, events, err)
		}
		var e wyomingEvent
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			a.t.Fatalf("%s: %v", text, err)
		}
		if events = append(events, e); e.Type == kind {
			return events
		}
	}
}

const wyomingFormat = `{"rate":16000,"width":2,"channels":1}`

// speak sends an utterance in chunks of 64 ms.
func (a *assistant) speak(audio []byte) {
	a.t.Helper()
	a.send("audio-start", wyomingFormat, nil)
	for len(audio) > 0 {
		n := min(len(audio), 2048)
		a.send("audio-chunk", wyomingFormat, audio[:n])
		audio = audio[n:]
	}
}

// Each utterance of an assistant's connection is a session, with the text that the gateway's own
// session has.
func TestWyomingTranscribes(t *testing.T) {
	r := newTestServer(t, nil)
	native := r.converse(`{}`, speech(6, 2))
	a := callPort(t, r, testKey)
	a.send("describe", "{}", nil)
	described := a.until("info")[0]
	if len(described.Data.ASR) != 1 || len(described.Data.ASR[0].Models) == 0 {
		t.Errorf("%+v", described)
	}
	for range 2 {
		a.send("transcribe", `{"language":"en-GB","transcript_names":["Kitchen"],"transcript_terms":["lamp"]}`, nil)
		a.speak(speech(6, 2))
		a.send("audio-stop", "{}", nil)
		chunks, whole := "", ""
		for _, e := range a.until("transcript-stop") {
			switch e.Type {
			case "transcript-chunk":
				chunks += e.Data.Text
			case "transcript":
				whole = e.Data.Text
			}
		}
		if whole != native || chunks != native || native == "" {
			t.Errorf("%q in chunks %q, a session of the gateway's own has %q", whole, chunks, native)
		}
	}
	id := r.lastLive()
	if got := r.result(id).Transcription.FullTranscript; got != native {
		t.Errorf("the record has %q", got)
	}
	a.send("ping", `{"text":"there?"}`, nil)
	if pong := a.until("pong")[0]; pong.Data.Text != "there?" {
		t.Errorf("%+v", pong)
	}
}

// The session of an assistant that leaves ends, and the record has what it said.
func TestWyomingLeaves(t *testing.T) {
	r := newTestServer(t, nil)
	a := callPort(t, r, testKey)
	a.speak(speech(3, 2))
	a.until("transcript-chunk") // the session has heard it
	_ = a.conn.Close()
	id := r.lastLive()
	r.awaitStatus(id, messages.StatusDone)
	if r.result(id).Transcription.FullTranscript == "" {
		t.Error("nothing is kept")
	}
}

// What cannot be done is an error event, after which the connection is closed.
func TestWyomingRefuses(t *testing.T) {
	r := newTestServer(t, nil)
	for _, c := range []struct{ key, format, code, text string }{
		{"wrong", wyomingFormat, "401", ""}, {testKey, `{"rate":11025,"width":2,"channels":1}`, "400", "sample_rate"},
		{testKey, `[]`, "bad-event", ""},
	} {
		a := callPort(t, r, c.key)
		a.send("audio-start", c.format, nil)
		fault := a.until("error")[0]
		if fault.Data.Code != c.code || !strings.Contains(fault.Data.Text, c.text) || fault.Data.Text == "" {
			t.Errorf("%+v: %+v", c, fault)
		}
		if _, err := a.in.ReadByte(); err == nil {
			t.Errorf("%+v: the connection is open", c)
		}
	}
	if err := r.server.ServePort("gladia", testKey, closedListener{}); err == nil {
		t.Error("a dialect without a port has one")
	}
}

// closedListener is a listener that nobody reaches.
type closedListener struct{ net.Listener }

func (closedListener) Close() error { return nil }

// An assistant learns that the server ends, and its session is taken up again.
func TestWyomingAndRestart(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.Limits.ResumeWindow = time.Second })
	a := callPort(t, r, testKey)
	a.speak(speech(3, 2))
	a.until("transcript-chunk")
	id := r.lastLive()
	r.restart()
	if fault := a.until("error"); fault[len(fault)-1].Data.Text == "" {
		t.Errorf("%+v", fault)
	}
	r.awaitStatus(id, messages.StatusDone)
}
