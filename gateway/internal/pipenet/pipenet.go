// Package pipenet is a network inside one process, for tests with a fake clock: see
// testing/synctest. Its connections hold nothing: a write lasts until the other side has read.
package pipenet

import (
	"context"
	"net"
	"sync"
)

// Listener accepts connections that are dialled with its Dial method. It is a [net.Listener].
type Listener struct {
	conns chan net.Conn
	gone  chan struct{}
	once  sync.Once
}

// Listen returns a listener. In a test with a fake clock it must be made within the bubble.
func Listen() *Listener { return &Listener{conns: make(chan net.Conn), gone: make(chan struct{})} }

// Accept waits for a call of Dial and returns the other end of its connection. Error: net.ErrClosed
// after Close.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.gone:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and Dial, and no connection.
func (l *Listener) Close() error {
	l.once.Do(func() { close(l.gone) })
	return nil
}

// Addr returns an address that stands for the listener and cannot be dialled.
func (l *Listener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// Dial connects to the listener, whatever the network and the address: it fits
// http.Transport.DialContext. Errors: net.ErrClosed after Close, the context's.
func (l *Listener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	return l.DialFrom(ctx, nil)
}

// DialFrom is Dial from an address, which the listener's side sees; nil: that of a pipe.
func (l *Listener) DialFrom(ctx context.Context, peer net.Addr) (net.Conn, error) {
	client, server := net.Pipe()
	if peer != nil {
		server = addressed{server, peer}
	}
	select {
	case l.conns <- server:
		return client, nil
	case <-l.gone:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// addressed is a connection whose peer has an address.
type addressed struct {
	net.Conn
	peer net.Addr
}

func (a addressed) RemoteAddr() net.Addr { return a.peer }
