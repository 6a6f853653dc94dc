package ports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"

	"github.com/coder/websocket"

	"steno/gateway/dialect"
	"steno/messages"
)

// maxText is how many bytes a text of an encoder may have.
const maxText = 4 << 20

// dial opens a link for a client with an address.
func (p *Port) dial(ctx context.Context, from net.Addr, query url.Values) (dialect.Link, error) {
	within, cancel := context.WithTimeout(ctx, openWithin)
	defer cancel()
	inside := &http.Transport{
		DialContext:       func(ctx context.Context, _, _ string) (net.Conn, error) { return p.links.dial(ctx, from) },
		DisableKeepAlives: true,
	}
	conn, resp, err := websocket.Dial(within, "http://"+p.cfg.Dialect.Name+"/?"+query.Encode(), &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: inside},
		HTTPHeader: http.Header{"Authorization": {"Bearer " + p.cfg.Key}},
	})
	if err == nil && !p.linked.Enter() {
		return nil, errors.Join(net.ErrClosed, conn.CloseNow())
	}
	if err == nil {
		conn.SetReadLimit(maxText)
		return link{conn, sync.OnceFunc(p.linked.Leave)}, nil
	}
	if resp == nil {
		return nil, fmt.Errorf("link: %w", err)
	}
	var body messages.ErrorBody // the status is enough where its beginning is all there is of it
	_ = json.NewDecoder(resp.Body).Decode(&body)
	return nil, &messages.Problem{
		Status: resp.StatusCode, Message: body.Message, ValidationErrors: body.ValidationErrors,
	}
}

// link is the client's end of a WebSocket within the process.
type link struct {
	conn *websocket.Conn
	left func() // counts that it is left, once
}

// Audio implements dialect.Link.
func (l link) Audio(ctx context.Context, p []byte) error {
	return l.conn.Write(ctx, websocket.MessageBinary, p)
}

// Text implements dialect.Link.
func (l link) Text(ctx context.Context, p []byte) error {
	return l.conn.Write(ctx, websocket.MessageText, p)
}

// Read implements dialect.Link.
func (l link) Read(ctx context.Context) ([]byte, error) {
	_, text, err := l.conn.Read(ctx)
	if closed, ok := errors.AsType[websocket.CloseError](err); ok {
		return nil, &dialect.Closed{Code: int(closed.Code), Reason: closed.Reason}
	}
	return text, err
}

// Close implements dialect.Link.
func (l link) Close() {
	_ = l.conn.CloseNow() // mostly closed already
	l.left()
}

// pipes is a listener of connections that begin in this process.
type pipes struct {
	next   chan net.Conn
	closed <-chan struct{}
}

// dial connects, in the name of an address.
func (p pipes) dial(ctx context.Context, from net.Addr) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.next <- end{far, from}:
		return near, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (p pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.next:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p pipes) Close() error { return nil } // it is closed with the port

// Addr implements net.Listener.
func (p pipes) Addr() net.Addr { return inProcess{} }

// inProcess is the address of pipes.
type inProcess struct{}

func (inProcess) Network() string { return "pipe" }
func (inProcess) String() string  { return "pipe" }

// end is the server's end of a pipe. Its peer is the client for whom it was opened.
type end struct {
	net.Conn
	peer net.Addr
}

// RemoteAddr implements net.Conn.
func (e end) RemoteAddr() net.Addr { return e.peer }
