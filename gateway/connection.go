package gateway

import (
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"steno/gateway/web"
)

// connection is one of a client. While it carries answers, its client has to keep pace; a WebSocket has limits of its own.
type connection struct {
	net.Conn
	progress  web.Throughput
	free      atomic.Bool // a WebSocket
	onStall   func()      // called once, when the client has not kept pace
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

// CloseWrite lets net/http end an answer to a request that it has not read to its end.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
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

// ReadFrom lets files go to the network without being copied.
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

// timed writes within the time that the client has for it.
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

// follow is for http.Server.ConnState: each answer has its own pace, and a WebSocket none.
func follow(c net.Conn, state http.ConnState) {
	own, ok := c.(*connection)
	switch {
	case !ok:
	case state == http.StateActive:
		own.progress.Reset()
	case state == http.StateHijacked:
		own.free.Store(true)
	}
}
