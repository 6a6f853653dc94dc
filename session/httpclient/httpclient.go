// Package httpclient makes HTTP clients for servers that the configuration names, such as those of
// engines and add-ons. Requests to addresses that clients of the API choose are made by package
// outbound instead.
package httpclient

import (
	"net/http"
	"time"
)

const (
	idleTimeout      = 90 * time.Second // of an unused connection
	handshakeTimeout = 10 * time.Second
	maxHeader        = 64 << 10 // bytes of an answer's header
)

// Client makes requests to one server and follows no redirect, so that keys, audio and text go to
// the configured address only. It is safe for concurrent use.
type Client struct {
	http.Client
	own *http.Transport // nil if the transport is the caller's
}

// New returns a client that keeps as many idle connections as there are concurrent requests. If
// base is not nil, the client uses its transport instead of one of its own.
func New(base *http.Client, concurrency int) *Client {
	c := &Client{}
	if base != nil {
		c.Client = *base
	} else {
		c.own = Transport()
		c.own.MaxIdleConnsPerHost = concurrency
		c.Transport = c.own
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// Close closes the idle connections of the client's own transport.
func (c *Client) Close() {
	if c.own != nil {
		c.own.CloseIdleConnections()
	}
}

// Transport returns a new transport for configured servers: through the proxies that the
// environment names, with HTTP/2 where the server has it, and with bounds on the handshake and on
// an answer's header.
func Transport() *http.Transport {
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, IdleConnTimeout: idleTimeout,
		TLSHandshakeTimeout: handshakeTimeout, MaxResponseHeaderBytes: maxHeader,
	}
}
