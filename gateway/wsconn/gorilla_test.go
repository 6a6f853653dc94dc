package wsconn

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// TestGorilla has a client of gorilla/websocket, which is strict about what a server sends, talk to
// an echo: messages of all lengths, in parts, pings, compression that is offered and not taken, and
// a close.
func TestGorilla(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, err := Accept(w, r, "echo"); err != nil {
			t.Error(err)
		} else {
			echo(t, conn)
		}
	}))
	defer server.Close()
	dialer := websocket.Dialer{EnableCompression: true, Subprotocols: []string{"other", "echo"}, WriteBufferSize: 256}
	conn, response, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(server.URL, "http"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if conn.Subprotocol() != "echo" || response.Header.Get("Sec-WebSocket-Extensions") != "" {
		t.Errorf("subprotocol %q, extensions %q", conn.Subprotocol(), response.Header.Get("Sec-WebSocket-Extensions"))
	}
	pongs := 0
	conn.SetPongHandler(func(payload string) error {
		if pongs++; payload != "are you there" {
			t.Errorf("pong %q", payload)
		}
		return nil
	})
	for _, n := range []int{0, 1, 125, 126, 65535, 65536, 1 << 17} { // in parts of the client's buffer
		for _, kind := range []int{websocket.TextMessage, websocket.BinaryMessage} {
			sent := bytes.Repeat([]byte("ä"), n/2)
			if err := errors.Join(conn.WriteControl(websocket.PingMessage, []byte("are you there"), time.Time{}),
				conn.WriteMessage(kind, sent)); err != nil {
				t.Fatal(err)
			}
			if _, got, err := conn.ReadMessage(); err != nil || !bytes.Equal(got, sent) {
				t.Fatalf("%d bytes came back as %d: %v", len(sent), len(got), err)
			}
		}
	}
	if pongs != 14 {
		t.Errorf("%d pongs", pongs)
	}
	bye := websocket.FormatCloseMessage(4001, "enough")
	if err := conn.WriteControl(websocket.CloseMessage, bye, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := conn.ReadMessage(); !websocket.IsCloseError(err, 4001) {
		t.Errorf("closed by %v", err)
	}
}

// echo sends back what it reads, as text, until the client closes.
func echo(t *testing.T, conn *Conn) {
	defer conn.Cut()
	for {
		_, err := conn.Next()
		if err != nil {
			if c, ok := errors.AsType[*CloseError](err); !ok || c.Code != 4001 || c.Reason != "enough" {
				t.Errorf("ended by %v", err)
			}
			return
		}
		p, err := readMessage(conn, 1<<20)
		if err == nil {
			err = conn.WriteText(p)
		}
		if err != nil {
			t.Error(err)
			return
		}
	}
}
