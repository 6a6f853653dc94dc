package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/valkey-io/valkey-go"
)

// dialer returns what makes the client library's connections, and counts them. An address that
// begins with a slash is the path of a Unix socket.
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

// dialTLS connects, and adds a hint to the error of a failed handshake: a server that speaks plain
// text waits for the rest of what it takes for a command.
func dialTLS(ctx context.Context, addr string, d *net.Dialer, c *tls.Config) (net.Conn, error) {
	conn, err := (&tls.Dialer{NetDialer: d, Config: c}).DialContext(ctx, "tcp", addr)
	var refused *net.OpError
	var noTLS tls.RecordHeaderError
	if errors.As(err, &noTLS) || errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &refused) {
		return nil, fmt.Errorf("TLS handshake: %w (the server may speak plain text at this port)", err)
	}
	return conn, err
}

// endHint is what may be the matter with a server that takes a connection and ends it without an
// answer.
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

// firstAnswer is a connection whose error has the server's answer where the server denies the
// connection: the server closes it then, and the client library would report the end alone. Where
// the connection ends without an answer the error has the hint as well. Read is called by one
// goroutine.
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

// DefaultPrefix begins the names of all keys. The braces make it the hash tag of all of them.
const DefaultPrefix = "{steno}:"

const (
	// answerTimeout bounds the wait for an answer of the server, after which its connections are
	// closed.
	answerTimeout = 3 * time.Second
	// dialTimeout bounds the wait for a connection.
	dialTimeout = 2 * time.Second
	// idleTimeout is after how long connections for commands that wait in the server are closed
	// which an outage or a crowd of such commands has left: each has a megabyte of buffers.
	// spareConnections of them stay.
	idleTimeout      = time.Minute
	spareConnections = 4
)

// clientOption returns the client library's options for an address, and the prefix of the names of
// keys. secured is that of the options.
func clientOption(addr string, secured *tls.Config) (valkey.ClientOption, string, error) {
	if !strings.Contains(addr, "://") {
		addr = "valkey://" + addr
	}
	u, err := url.Parse(addr)
	if err != nil {
		// the cause has the password
		return valkey.ClientOption{}, "", errors.New("parse address of valkey: not host:port and not a URL")
	}
	prefix := DefaultPrefix
	if name := u.Query().Get("prefix"); name != "" {
		prefix = "{" + strings.Trim(name, "{}:") + "}:"
	}
	o, err := valkey.ParseURL(addr)
	if err != nil {
		return o, "", fmt.Errorf("parse address of valkey: %w", err)
	}
	o.ClientName = "steno"
	o.DisableCache = true
	o.DisableRetry = true // of reads; the callers of scripts decide themselves
	o.Dialer.Timeout = dialTimeout
	o.ConnWriteTimeout = answerTimeout
	o.BlockingPoolCleanup, o.BlockingPoolMinSize = idleTimeout, spareConnections
	o.ForceSingleClient = o.Sentinel.MasterSet == ""
	if o.TLSConfig != nil {
		o.TLSConfig.ServerName = "" // each server, of several, has a certificate for its own address
	}
	if secured != nil {
		o.TLSConfig = secured
	}
	o.Sentinel.TLSConfig = o.TLSConfig
	return o, prefix, nil
}

// Options specifies where the server is.
type Options struct {
	// Addr is host:port, or a URL: valkey://user:password@host:port/db, valkeys:// for TLS,
	// unix:///path. Its parameters prefix, and master_set with further addr for Sentinel, are
	// looked at.
	Addr string
	// TLS secures the connections, those to Sentinel too; nil: plain text, or with valkeys:// the
	// system's authorities.
	TLS *tls.Config
	// Now is the clock of leases, queue and outbox; nil for that of the server. Any goroutine calls
	// it. For tests.
	Now func() time.Time
	// Idle is after how long connections for commands that wait in the server are closed that are
	// not used; 0: a minute. For tests.
	Idle time.Duration
}

// Connect opens the connections to the server. The caller must close it. Errors: store.ErrAway.
func Connect(ctx context.Context, o Options) (*Conn, error) {
	option, prefix, err := clientOption(o.Addr, o.TLS)
	if err != nil {
		return nil, err
	}
	if o.Idle > 0 {
		option.BlockingPoolCleanup = o.Idle
	}
	connections := new(atomic.Int64)
	option.DialCtxFn = dialer(connections)
	client, err := valkey.NewClient(option)
	if err != nil {
		return nil, fmt.Errorf("connect to valkey: %w", Error(ctx, err))
	}
	s := &Conn{
		Client: client, Prefix: prefix, now: o.Now, Here: time.Now,
		Connections: connections, figures: new(figures), latencies: new(latencies), unsynced: new(atomic.Int64),
	}
	if o.Now != nil {
		s.Here = o.Now
	}
	s.Wakes = newWakes(client, prefix)
	return s, nil
}
