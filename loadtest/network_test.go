package loadtest

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
)

// memoryNetwork is a network within a test, so that a test in fake time can use sockets. Its
// connections take a bounded number of bytes without waiting for the other side.
type memoryNetwork struct {
	accepted chan net.Conn
	closed   chan struct{}
	pumps    sync.WaitGroup
}

// serveInMemory serves h until the test ends, and returns how to reach it, whatever the address.
func serveInMemory(t *testing.T, h http.Handler) dialer {
	n := &memoryNetwork{accepted: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: h}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(n) }) // it ends with Close
	t.Cleanup(func() {
		_ = server.Close()
		serving.Wait()
		n.pumps.Wait()
	})
	return n.dial
}

func (n *memoryNetwork) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	a, b := net.Pipe()
	select {
	case n.accepted <- n.buffer(b):
		return n.buffer(a), nil
	case <-n.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (n *memoryNetwork) Accept() (net.Conn, error) {
	select {
	case c := <-n.accepted:
		return c, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

func (n *memoryNetwork) Close() error {
	close(n.closed)
	return nil
}

func (n *memoryNetwork) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// memoryBuffer is how many bytes a connection takes that nobody has read yet.
const memoryBuffer = 256 << 10

// memoryConn is one side of a connection.
type memoryConn struct {
	net.Conn
	mu     sync.Mutex
	moved  sync.Cond // bytes were written or sent, or the connection was closed
	buf    []byte
	closed bool
}

func (n *memoryNetwork) buffer(c net.Conn) net.Conn {
	m := &memoryConn{Conn: c}
	m.moved.L = &m.mu
	n.pumps.Go(m.pump)
	return m
}

// pump sends what was written.
func (m *memoryConn) pump() {
	for {
		m.mu.Lock()
		for len(m.buf) == 0 && !m.closed {
			m.moved.Wait()
		}
		b := m.buf
		m.buf = nil
		m.moved.Broadcast()
		m.mu.Unlock()
		if len(b) == 0 {
			_ = m.Conn.Close()
			return
		}
		if _, err := m.Conn.Write(b); err != nil {
			_ = m.Close()
		}
	}
}

func (m *memoryConn) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.buf) > 0 && len(m.buf)+len(b) > memoryBuffer && !m.closed {
		m.moved.Wait()
	}
	if m.closed {
		return 0, net.ErrClosed
	}
	m.buf = append(m.buf, b...)
	m.moved.Broadcast()
	return len(b), nil
}

// Close sends what was written, if the other side takes it, and ends reads immediately.
func (m *memoryConn) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	empty := len(m.buf) == 0
	m.closed = true
	m.moved.Broadcast()
	if empty {
		return m.Conn.Close()
	}
	return nil
}
