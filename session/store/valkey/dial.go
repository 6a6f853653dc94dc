package valkey

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
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
			conn, err = dialTLS(ctx, addr, d, c)
		default:
			conn, err = d.DialContext(ctx, "tcp", addr)
		}
		if err != nil {
			return nil, err
		}
		return &firstAnswer{Conn: conn, hint: endHint(addr, c)}, nil
	}
}

// dialTLS connects, and says more of a handshake that fails: a server that speaks plain text waits for the rest of what it takes for
// a command.
func dialTLS(ctx context.Context, addr string, d *net.Dialer, c *tls.Config) (net.Conn, error) {
	conn, err := (&tls.Dialer{NetDialer: d, Config: c}).DialContext(ctx, "tcp", addr)
	var refused *net.OpError
	var noTLS tls.RecordHeaderError
	if errors.As(err, &noTLS) || errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &refused) {
		return nil, fmt.Errorf("TLS handshake: %w (the server may speak plain text at this port)", err)
	}
	return conn, err
}

// endHint is what may be the matter with a server that takes a connection and ends it without an answer.
func endHint(addr string, c *tls.Config) string {
	switch {
	case strings.HasPrefix(addr, "/"):
		return ""
	case c == nil:
		return "the server may want TLS at this port"
	case len(c.Certificates) == 0 && c.GetClientCertificate == nil:
		return "the server may want a certificate of its clients"
	}
	return "the server may not trust the certificate of its client"
}

// firstAnswer is a connection that fails with what the server says where it denies the connection: it closes it then, and the client
// library would tell of that alone. Where it ends without an answer the error has the hint as well. Read is called by one goroutine.
type firstAnswer struct {
	net.Conn
	hint     string // may be empty
	answered atomic.Bool
}

func (c *firstAnswer) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.answered.Load() {
		return n, err
	}
	if n == 0 {
		return n, c.explain(err)
	}
	c.answered.Store(true)
	if denial, ok := bytes.CutPrefix(p[:n], []byte("-DENIED ")); ok {
		line, _, _ := strings.Cut(string(denial), "\r\n")
		return 0, errors.New("the server denies the connection: " + line)
	}
	return n, err
}

func (c *firstAnswer) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	if !c.answered.Load() {
		err = c.explain(err)
	}
	return n, err
}

// explain adds the hint to the error of a connection that the server has ended.
func (c *firstAnswer) explain(err error) error {
	if err == nil || c.hint == "" || errors.Is(err, net.ErrClosed) || errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%w (%s)", err, c.hint)
}
