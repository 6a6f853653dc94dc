package valkey

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"sync/atomic"
)

// dialer returns what makes the client library's connections, and counts them. An address that begins with a slash is the path of
// a Unix socket.
func dialer(count *atomic.Int64) func(context.Context, string, *net.Dialer, *tls.Config) (net.Conn, error) {
	return func(ctx context.Context, addr string, d *net.Dialer, c *tls.Config) (conn net.Conn, err error) {
		count.Add(1)
		switch {
		case strings.HasPrefix(addr, "/"):
			conn, err = d.DialContext(ctx, "unix", addr)
		case c != nil:
			conn, err = (&tls.Dialer{NetDialer: d, Config: c}).DialContext(ctx, "tcp", addr)
		default:
			conn, err = d.DialContext(ctx, "tcp", addr)
		}
		if err != nil {
			return nil, err
		}
		return &firstAnswer{Conn: conn}, nil
	}
}

// firstAnswer is a connection whose first Read fails with what the server says where it denies the connection: it closes it then,
// and the client library would tell of that alone. Read is called by one goroutine.
type firstAnswer struct {
	net.Conn
	read bool
}

func (c *firstAnswer) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.read || n == 0 {
		return n, err
	}
	c.read = true
	if denial, ok := bytes.CutPrefix(p[:n], []byte("-DENIED ")); ok {
		line, _, _ := strings.Cut(string(denial), "\r\n")
		return 0, errors.New("the server denies the connection: " + line)
	}
	return n, err
}
