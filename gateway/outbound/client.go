package outbound

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
)

// Bounds on every request.
const (
	dialTimeout   = 10 * time.Second // name resolution and connection
	tlsTimeout    = 10 * time.Second
	headerTimeout = 30 * time.Second // from the request to the answer's header
	idleTimeout   = 30 * time.Second // without a byte of the answer's body
	sendTimeout   = 30 * time.Second // a whole callback, except its answer's body
	drainTimeout  = 3 * time.Second  // for the body of a callback's answer
	reachTime     = time.Second      // least time after which a request fails to reach a server
	maxHeader     = 64 << 10         // bytes of an answer's header
	maxDrain      = 64 << 10         // bytes read of the body of a callback's answer
	maxRedirects  = 5
	userAgent     = "steno"
)

// Client makes requests on behalf of clients. Its methods may be called from any goroutine.
type Client struct {
	allowPrivate bool
	fetch, send  *http.Client
}

// Connector opens a connection, as net.Dialer.DialContext does.
type Connector func(ctx context.Context, network, address string) (net.Conn, error)

// wiring holds what tests replace.
type wiring struct {
	allowPrivate bool
	reachTime    time.Duration              // see evenly; 0: none
	resolver     *net.Resolver              // nil: the system's
	roots        *x509.CertPool             // nil: the system's
	dialled      func(address string) error // asked after the guard agreed
	connect      Connector                  // instead of the guarded dialer
}

// New returns a Client that reaches public addresses only, or with allowPrivate every address. The
// caller must close it.
func New(allowPrivate bool) *Client {
	w := wiring{allowPrivate: allowPrivate}
	if !allowPrivate {
		w.reachTime = reachTime
	}
	return newClient(w)
}

// Through returns a Client that connects through a network other than the machine's, such as one
// inside the process, to every address. The caller must close it.
func Through(connect Connector) *Client {
	return newClient(wiring{allowPrivate: true, connect: connect})
}

func newClient(w wiring) *Client {
	c := &Client{allowPrivate: w.allowPrivate}
	connect := w.connect
	if connect == nil {
		connect = w.dialer().DialContext
	}
	connect = evenly(connect, w.reachTime)
	c.fetch = &http.Client{Transport: w.transport(connect), CheckRedirect: c.checkRedirect}
	c.fetch.Transport.(*http.Transport).DisableKeepAlives = true
	c.send = &http.Client{
		Transport:     w.transport(connect),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// Close ends idle connections. Requests under way end with their contexts.
func (c *Client) Close() error {
	c.fetch.CloseIdleConnections()
	c.send.CloseIdleConnections()
	return nil
}

// newGuard returns a guard that refuses all special-purpose ranges, and the public address of
// Azure's metadata service.
func newGuard() *ssrf.Guardian {
	return ssrf.New(ssrf.WithAnyPort(), ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix("168.63.129.16/32")))
}

// dialer returns a dialer that checks each address just before it connects.
func (w wiring) dialer() *net.Dialer {
	guard := newGuard()
	return &net.Dialer{
		Timeout:  dialTimeout,
		Resolver: w.resolver,
		Control: func(network, address string, conn syscall.RawConn) error {
			if !w.allowPrivate {
				if err := guard.Safe(network, address, conn); err != nil {
					return err
				}
			}
			if w.dialled != nil {
				return w.dialled(address)
			}
			return nil
		},
	}
}

// evenly returns a connector that takes at least a time to fail, so that a name with a private
// address and one that does not exist fail after the same time, as they do with the same error.
func evenly(connect Connector, least time.Duration) Connector {
	if least == 0 {
		return connect
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		enough := time.NewTimer(least)
		defer enough.Stop()
		conn, err := connect(ctx, network, address)
		if err != nil {
			select {
			case <-enough.C:
			case <-ctx.Done():
			}
		}
		return conn, err
	}
}

func (w wiring) transport(connect Connector) *http.Transport {
	return &http.Transport{
		Proxy:                  nil, // a proxy would resolve names and dial itself
		DialContext:            connect,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: w.roots},
		TLSHandshakeTimeout:    tlsTimeout,
		ResponseHeaderTimeout:  headerTimeout,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true, // so that a small answer stays small
		MaxIdleConns:           64,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        30 * time.Second,
	}
}

// checkRedirect decides whether a Fetch follows a redirect. The dialer checks the address.
func (c *Client) checkRedirect(next *http.Request, before []*http.Request) error {
	next.Header.Del("Referer") // it would tell the next server the query of the one before
	last := before[len(before)-1]
	switch {
	case len(before) > maxRedirects:
		return fmt.Errorf("%w: more than %d", ErrRedirect, maxRedirects)
	case last.URL.Scheme == "https" && next.URL.Scheme != "https":
		return fmt.Errorf("%w: from https to %s", ErrRedirect, next.URL.Scheme)
	}
	return c.check(next.URL)
}
