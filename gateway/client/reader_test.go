package client

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"

	"steno/gateway/limits"
	"steno/gateway/wsconn"
)

// accepted returns the server's side of a WebSocket.
func accepted(t *testing.T) *wsconn.Conn {
	t.Helper()
	conns := make(chan *wsconn.Conn, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := wsconn.Accept(w, r)
		if err != nil {
			t.Error(err)
		}
		conns <- conn
	}))
	t.Cleanup(server.Close)
	client, _, err := websocket.Dial(t.Context(), server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.CloseNow() })
	conn := <-conns
	t.Cleanup(conn.Cut)
	return conn
}

// A reader lets messages accumulate twice more though none has arrived; then it waits for the next
// one.
func TestReaderWaitsWhereNothingGathers(t *testing.T) {
	s := &Clients{processors: 1}
	s.served.Store(crowdedSockets)
	bounds := limits.Limits{}.WithDefaults()
	k := &Client{all: s, conn: accepted(t), ledger: &awayJournal{}}
	k.intake = intake{client: k, ledger: k.ledger, pace: newPace(&bounds), taken: ackDelay / 5, count: 1}
	r := &reader{client: k, intake: &k.intake}
	for range 3 {
		gathers := 0
		for r.gathered() > 0 {
			if gathers++; gathers > 10 {
				break
			}
		}
		if gathers != 2 || !r.direct {
			t.Errorf("messages gather %d times, want 2", gathers)
		}
		r.direct = false
	}
}
