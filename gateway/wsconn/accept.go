package wsconn

import (
	"bufio"
	"io"
	"net"
	"net/http"

	"github.com/coder/websocket"
)

// Accept answers a request for a WebSocket, with the first of the subprotocols that the client
// offers, if any, and returns the connection. After an error the request is answered. Pages of any
// origin may connect: who may is for the caller to decide.
func Accept(w http.ResponseWriter, r *http.Request, subprotocols ...string) (*Conn, error) {
	t := &taker{ResponseWriter: w}
	shaken, err := websocket.Accept(t, r, &websocket.AcceptOptions{InsecureSkipVerify: true,
		Subprotocols: subprotocols})
	if err != nil {
		return nil, err
	}
	_ = shaken.CloseNow() // it has nothing, and must not outlive the handshake
	return t.conn, nil
}

// taker is a response whose connection is taken from the library that answers the handshake, which
// gets nothing instead: a finalizer of the library's closes what it has.
type taker struct {
	http.ResponseWriter
	conn *Conn // nil before
}

// Hijack implements http.Hijacker.
func (t *taker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(t.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	early, err := buffers.Peek(min(buffers.Reader.Buffered(), aheadSize)) // what the client has sent after its request
	if err != nil {
		_ = conn.Close()
		return nil, nil, err
	}
	t.conn = newConn(conn, early)
	return nothing{}, bufio.NewReadWriter(bufio.NewReaderSize(nothing{}, 0), bufio.NewWriterSize(nothing{}, 1)), nil
}

// nothing is a connection without a client.
type nothing struct{ net.Conn }

func (nothing) Read([]byte) (int, error)    { return 0, io.EOF }
func (nothing) Write(p []byte) (int, error) { return len(p), nil }
func (nothing) Close() error                { return nil }
