package wsconn

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// A connection is the caller's alone: it works on when what has answered the handshake was
// collected, and has what the client has sent together with its request.
func TestAcceptKeepsNothingOfTheHandshake(t *testing.T) {
	conns := make(chan *Conn, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := Accept(w, r, "one", "two")
		if err != nil {
			t.Error(err)
		}
		conns <- conn
	}))
	defer server.Close()
	client, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, err = io.WriteString(client, "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n"+
		"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Protocol: three, two\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"+f(0x82, "early"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(client), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := resp.Header.Get("Sec-WebSocket-Protocol"); resp.StatusCode != http.StatusSwitchingProtocols ||
		got != "two" {
		t.Errorf("%s, subprotocol %q", resp.Status, got)
	}
	conn := <-conns
	defer conn.Cut()
	for range 3 {
		runtime.GC() // with finalizers
	}
	if _, err := conn.Next(); err != nil {
		t.Fatal(err)
	}
	if p, err := readMessage(conn, 10); string(p) != "early" || err != nil {
		t.Errorf("%q, %v", p, err)
	}
}

// A request that is not a handshake is answered.
func TestAcceptRefuses(t *testing.T) {
	w := httptest.NewRecorder()
	if conn, err := Accept(w, httptest.NewRequest(http.MethodGet, "/", nil)); conn != nil || err == nil ||
		w.Code != http.StatusUpgradeRequired {
		t.Error(conn, err, w.Code)
	}
}

// A client of a library and a server of this package understand each other, to the close.
func TestAClientOfALibrary(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := Accept(w, r)
		if err != nil {
			t.Error(err)
			return
		}
		for {
			if _, err := conn.Next(); err != nil {
				break
			}
			text, err := readMessage(conn, 100)
			if err != nil || conn.WriteText(text) != nil {
				t.Error(err)
			}
			if string(text) == "bye" {
				conn.Close(4000, "bye", time.Minute)
			}
		}
	}))
	defer server.Close()
	client, _, err := websocket.Dial(t.Context(), server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseNow()
	for _, text := range []string{"hello", "", "bye"} {
		if err := client.Write(t.Context(), websocket.MessageText, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if _, got, err := client.Read(t.Context()); string(got) != text || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	if _, _, err := client.Read(t.Context()); websocket.CloseStatus(err) != 4000 {
		t.Error(err)
	}
}
