package wsconn

import (
	"net"
	"sync/atomic"
	"time"
)

// controlWithin bounds how long the client may take to receive a pong or a close, and what was
// written before.
const controlWithin = 5 * time.Second

// Conn is the server's side of a WebSocket. Ready, Buffered, Await, Try, Gather, Batch, Next and
// Read are called by the goroutine that reads messages, all else by any.
type Conn struct {
	clock
	reading
	conn    net.Conn
	in      incoming
	out     outgoing
	closing atomic.Bool // by the server, or by the client
}

// newConn returns a WebSocket whose handshake is done, with what the client has sent after its
// request.
func newConn(conn net.Conn, early []byte) *Conn {
	c := &Conn{conn: conn}
	c.in.init(conn, early)
	c.out.init(conn)
	c.rest()
	return c
}

// Close writes a close frame, waits for that of the client, at most for a time, and closes the
// connection. It does nothing where the connection is being closed already. The reason has at most
// 123 bytes.
func (c *Conn) Close(code int, reason string, wait time.Duration) {
	if c.closing.Swap(true) {
		return
	}
	defer c.Cut()
	_ = c.conn.SetReadDeadline(time.Now().Add(wait)) // in tests the connection may not support deadlines
	if c.within(func() error { return c.out.control(opcodeClose, closePayload(code, reason)) }) != nil {
		return // the client is gone
	}
	c.in.mu.Lock()
	defer c.in.mu.Unlock()
	_ = c.drain() // whatever ends it
}

// Cut closes the connection immediately.
func (c *Conn) Cut() { _ = c.conn.Close() } // its only error is that it was closed

// within writes something for which the client is waited for a limited time. Then the connection is
// cut.
func (c *Conn) within(write func() error) error {
	late := time.AfterFunc(controlWithin, c.Cut)
	defer late.Stop()
	return write()
}
