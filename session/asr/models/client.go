package models

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"steno/session/httpclient"
)

// Limits of every request. There is none for a whole download, which may take hours, only for one
// that stalls.
const (
	dialTimeout  = 15 * time.Second
	tlsTimeout   = 15 * time.Second
	idleTimeout  = 60 * time.Second // without the answer's header, or a byte of its body
	maxRedirects = 10
	userAgent    = "steno"
)

// errIdle means that a request was cancelled because it stalled.
var errIdle = errors.New("nothing came for too long")

// permanentError is an error that another attempt would meet again.
type permanentError struct{ error }

func (f permanentError) Unwrap() error { return f.error }

func permanently(format string, args ...any) error {
	return permanentError{fmt.Errorf(format, args...)}
}

// secureClient returns a client for requests that start at address: it does not follow a redirect
// from TLS to plain HTTP.
func secureClient(c *http.Client, address string, idle time.Duration) (*http.Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fmt.Errorf("%q is not an http or https address", address)
	}
	if c == nil {
		t := httpclient.Transport()
		t.DialContext = (&net.Dialer{Timeout: dialTimeout}).DialContext
		t.TLSHandshakeTimeout, t.ResponseHeaderTimeout = tlsTimeout, idle
		t.DisableCompression = true // offsets count the bytes of the file
		c = &http.Client{Transport: t}
	}
	own := *c
	own.CheckRedirect = checkRedirect
	return &own, nil
}

func checkRedirect(next *http.Request, before []*http.Request) error {
	last := before[len(before)-1].URL
	switch {
	case len(before) >= maxRedirects:
		return permanently("redirected %d times", len(before))
	case next.URL.Scheme == "https" || next.URL.Scheme == "http" && last.Scheme == "http":
		return nil
	}
	return permanently("redirected from %s to %s:// on %s: refused", last.Scheme, next.URL.Scheme, next.URL.Host)
}

// answer is an open response. Reading its body fails when it stalls.
type answer struct {
	*http.Response
	watch *time.Timer
	idle  time.Duration
	stop  func()
	ctx   context.Context // of the request
}

// get requests an address. The caller closes the answer.
func get(ctx context.Context, c *http.Client, address string, header http.Header, idle time.Duration) (*answer, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	a := &answer{ctx: ctx, idle: idle}
	a.watch = time.AfterFunc(idle, func() { cancel(errIdle) })
	a.stop = func() {
		a.watch.Stop()
		cancel(nil)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		a.stop()
		return nil, permanentError{err}
	}
	req.Header = header
	req.Header.Set("User-Agent", userAgent)
	req.Header.Set("Accept-Encoding", "identity")
	if a.Response, err = c.Do(req); err != nil {
		a.stop()
		return nil, a.cause(err)
	}
	return a, nil
}

func (a *answer) Read(p []byte) (int, error) {
	n, err := a.Body.Read(p)
	a.watch.Reset(a.idle)
	if err != nil && !errors.Is(err, io.EOF) {
		err = a.cause(err)
	}
	return n, err
}

func (a *answer) close() {
	a.stop()
	_ = a.Body.Close()
}

// cause returns why a request failed. Errors of certificates are permanent, and names that do not
// exist.
func (a *answer) cause(err error) error {
	if errors.Is(context.Cause(a.ctx), errIdle) {
		return fmt.Errorf("%w (%v)", errIdle, a.idle)
	}
	var certificate *tls.CertificateVerificationError
	var name *net.DNSError
	if errors.As(err, &certificate) || errors.As(err, &name) && name.IsNotFound {
		return permanentError{err}
	}
	return err
}

// statusError returns the error for an answer that is not the file.
func statusError(address string, status int) error {
	err := fmt.Errorf("%s answers %d %s", address, status, http.StatusText(status))
	if status == http.StatusRequestTimeout || status == http.StatusTooManyRequests || status >= 500 {
		return err
	}
	return permanentError{err}
}
