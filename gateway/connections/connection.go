// Package connections accepts the connections of clients: it bounds them, and has each keep a
// minimum throughput while it carries answers.
package connections

import (
	"crypto/tls"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"steno/gateway/web"
)

// connection is a connection of a client. While it carries answers, the client must keep a minimum
// throughput; a WebSocket has limits of its own.
type connection struct {
	net.Conn
	progress  web.Throughput
	free      atomic.Bool // it carries a WebSocket
	onStall   func()      // called once, if the client is too slow
	onClose   func()      // called once, when the connection is closed
	stallOnce sync.Once
	closeOnce sync.Once
}

// Close implements net.Conn.
func (c *connection) Close() error {
	err := c.Conn.Close()
	c.closeOnce.Do(c.onClose)
	return err
}

// CloseWrite lets net/http end an answer to a request that it has not read completely.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// SyscallConn returns the connection below, for its state to be inspected.
func (c *connection) SyscallConn() (syscall.RawConn, error) {
	if below, ok := c.Conn.(syscall.Conn); ok {
		return below.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}

// Write implements net.Conn.
func (c *connection) Write(p []byte) (n int, err error) {
	if c.free.Load() {
		return c.Conn.Write(p)
	}
	for {
		piece := p[n:min(len(p), n+web.WriteStep)]
		m, err := c.timed(func() (int64, error) {
			m, err := c.Conn.Write(piece)
			return int64(m), err
		})
		if n += int(m); err != nil || n == len(p) {
			return n, err
		}
	}
}

// ReadFrom lets the kernel copy files to the network.
func (c *connection) ReadFrom(from io.Reader) (n int64, err error) {
	to, ok := c.Conn.(io.ReaderFrom)
	if !ok || c.free.Load() {
		return io.Copy(struct{ io.Writer }{c}, from) // not this method again
	}
	whole, ok := from.(*io.LimitedReader)
	if !ok {
		whole = &io.LimitedReader{R: from, N: math.MaxInt64}
	}
	for whole.N > 0 {
		piece := &io.LimitedReader{R: whole.R, N: min(whole.N, web.WriteStep)}
		m, err := c.timed(func() (int64, error) { return to.ReadFrom(piece) })
		n, whole.N = n+m, whole.N-m
		if err != nil || piece.N > 0 {
			return n, err
		}
	}
	return n, nil
}

// timed calls write with the deadline that the client's progress allows.
func (c *connection) timed(write func() (int64, error)) (int64, error) {
	began := time.Now()
	if err := c.SetWriteDeadline(c.progress.Deadline(began)); err != nil {
		return 0, err
	}
	n, err := write()
	c.progress.Add(n, time.Since(began))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.stallOnce.Do(c.onStall)
	}
	return n, err
}

// Follow is called by http.Server with each change of a connection. It measures the throughput of
// each answer separately, and of a WebSocket not at all.
func Follow(c net.Conn, state http.ConnState) {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	own, ok := c.(*connection)
	switch {
	case !ok:
	case state == http.StateActive:
		own.progress.Reset()
	case state == http.StateHijacked:
		own.free.Store(true)
	}
}
