package outbound

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"steno/session/retry"
)

// The pauses before requests are repeated.
const (
	firstPause   = time.Second
	longestPause = 30 * time.Second
)

// skipTime bounds how long a server may take for what it has sent before.
const skipTime = 2 * time.Minute

// fetching is one Fetch, of one request or several. It belongs to one goroutine.
type fetching struct {
	client *Client
	url    *url.URL
	user   *url.Userinfo // nil: none
	to     io.Writer
	limits FetchLimits

	info    FetchInfo
	written int64
	sum     hash.Hash // of what was written
	version string    // by which the server tells whether the file is the same; empty: it does not
}

// run makes requests until one is answered to the end, or no more may be made.
func (f *fetching) run(ctx context.Context) (FetchInfo, error) {
	pauses := retry.Backoff{First: firstPause, Longest: longestPause}
	patience := time.Now().Add(f.limits.Patience)
	for {
		before := f.written
		after, err := f.request(ctx)
		f.info.Bytes = f.written
		if err == nil || !passes(err) {
			return f.info, alike(err)
		}
		if f.written > before { // it is served after all
			pauses.Reset()
			patience = time.Now().Add(f.limits.Patience)
		}
		pause := max(pauses.Next(), after)
		if deadline, ok := ctx.Deadline(); time.Now().Add(pause).After(patience) || ok &&
			time.Now().Add(pause).After(deadline) {
			return f.info, alike(err)
		}
		if err := retry.Sleep(ctx, pause); err != nil {
			return f.info, tidy(ctx, err)
		}
	}
}

// passes reports whether an error may be none the next time.
func passes(err error) bool {
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status.Code >= 500 || status.Code == http.StatusTooManyRequests || status.Code ==
			http.StatusRequestTimeout
	}
	if name, ok := errors.AsType[*net.DNSError](err); ok {
		return name.IsTemporary || name.IsTimeout
	}
	for _, e := range []error{
		ErrTimeout, ErrSlow, ErrIncomplete, io.EOF, io.ErrUnexpectedEOF,
		syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE, syscall.EHOSTUNREACH, syscall.ENETUNREACH,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// request makes one request. after is how long the server asks to wait before the next.
func (f *fetching) request(ctx context.Context) (after time.Duration, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.url.String(), nil)
	if err != nil {
		return 0, fmt.Errorf("%w: cannot be asked for", ErrURL)
	}
	req.Header.Set("User-Agent", userAgent)
	if f.user != nil {
		password, _ := f.user.Password()
		req.SetBasicAuth(f.user.Username(), password)
	}
	if f.written > 0 && f.version != "" {
		req.Header.Set("Range", "bytes="+strconv.FormatInt(f.written, 10)+"-")
		req.Header.Set("If-Range", f.version)
	}
	res, err := f.client.fetch.Do(req)
	if err != nil {
		return 0, tidy(ctx, err)
	}
	defer res.Body.Close()
	return parseRetryAfter(res.Header.Get("Retry-After"), time.Now()), f.take(ctx, stop, res)
}

// take writes what is new of an answer.
func (f *fetching) take(ctx context.Context, stop context.CancelCauseFunc, res *http.Response) error {
	whole := res.StatusCode == http.StatusOK
	part := res.StatusCode == http.StatusPartialContent && f.written > 0 &&
		strings.HasPrefix(res.Header.Get("Content-Range"), "bytes "+strconv.FormatInt(f.written, 10)+"-")
	from := int64(0)
	if part {
		from = f.written
	}
	switch {
	case !whole && !part:
		if f.written == 0 {
			f.info = describe(res)
		}
		return &StatusError{Code: res.StatusCode}
	case res.ContentLength > f.limits.Bytes-from:
		return ErrTooLarge
	case whole && f.written > 0:
		if err := f.skip(stop, res.Body); err != nil {
			return err
		}
	case whole:
		f.info, f.version = describe(res), versionOf(res.Header)
	}
	var err error
	f.written, err = copyBody(ctx, stop, io.MultiWriter(f.to, f.sum), res.Body, f.limits, f.written)
	return err
}

// skip reads what was written before, from an answer that begins again.
func (f *fetching) skip(stop context.CancelCauseFunc, body io.Reader) error {
	late := time.AfterFunc(skipTime, func() { stop(ErrTimeout) })
	defer late.Stop()
	again := sha256.New()
	if n, err := io.CopyN(again, body, f.written); err != nil {
		return fmt.Errorf("%w: after %d bytes the second time", ErrIncomplete, n)
	}
	if !bytes.Equal(again.Sum(nil), f.sum.Sum(nil)) {
		return ErrChanged
	}
	return nil
}

// versionOf returns what a server tells a file's version by, for If-Range.
func versionOf(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		return tag
	}
	return h.Get("Last-Modified")
}
