package live

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"steno/gateway/limits"
	"steno/gateway/web"
)

// hijackedWire returns the server's side of a connection that was a request.
func hijackedWire(t *testing.T) *web.SocketConn {
	t.Helper()
	wires := make(chan *web.SocketConn, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		caught := web.ConnCatcher{ResponseWriter: w}
		if _, _, err := caught.Hijack(); err != nil {
			t.Error(err)
		}
		wires <- caught.Socket
	}))
	t.Cleanup(server.Close)
	client, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	if _, err := client.Write([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	wire := <-wires
	t.Cleanup(func() { _ = wire.Close() })
	return wire
}

// A reader lets messages gather twice more though none has come; then it waits for the next one.
func TestReaderWaitsWhereNothingGathers(t *testing.T) {
	s := &Sessions{processors: 1}
	s.sockets.Store(crowdedSockets)
	bounds := limits.Limits{}.WithDefaults()
	k := &socket{sessions: s, wire: hijackedWire(t), ledger: &ledger{Live: &awayJournal{}}}
	k.intake = intake{socket: k, ledger: k.ledger, pace: newPace(&bounds), taken: ackDelay / 5, count: 1}
	r := &reader{socket: k, intake: &k.intake}
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
