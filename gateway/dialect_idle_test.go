package gateway

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/gateway/dialect"
	"steno/gateway/dialect/deepgram/listen"
	"steno/messages"
)

// A client of AssemblyAI's that asks for it is closed once it has sent nothing for a while, with
// the service's code, and its session ends.
func TestIdleClientsAreClosed(t *testing.T) {
	r := newTestServer(t, nil)
	s := callStreaming(t, r, "/v3/ws", "sample_rate=16000&inactivity_timeout=0.5")
	s.speak(speech(2, 2))
	for {
		if _, _, err := s.conn.Read(t.Context()); err != nil {
			if websocket.CloseStatus(err) != 4031 || !strings.Contains(err.Error(), "idle") {
				t.Error(err)
			}
			break
		}
	}
	r.awaitStatus(s.id, messages.StatusDone)
	if r.result(s.id).Transcription.FullTranscript == "" {
		t.Error("nothing is kept")
	}
}

// Clients of Deepgram's version 1 are closed after ten seconds, as the service does.
func TestDeepgramsIdleClients(t *testing.T) {
	o, err := listen.Dialect().Open(httptest.NewRequest("GET", "/v1/listen?encoding=linear16&sample_rate=16000", nil))
	if err != nil || o.Terms.Idle != 10*time.Second {
		t.Errorf("%+v, %v", o.Terms, err)
	}
	_, code, reason := o.Encoder.End(dialect.Ending{Why: dialect.Idle})
	if code != 1011 || !strings.HasPrefix(reason, "NET-0001") {
		t.Errorf("closed with %d, %q", code, reason)
	}
}
