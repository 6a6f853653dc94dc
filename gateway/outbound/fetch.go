package outbound

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode"
)

// FetchLimits bounds one Fetch. Bytes and Duration must be positive.
type FetchLimits struct {
	Bytes    int64         // of the answer's body
	Duration time.Duration // of the whole fetch, redirects, repetitions and body included
	Rate     int64         // least bytes of the body a second, over rateWindow; 0: any
	// for a server that is busy or away: within it a request that has failed is repeated; 0: none
	// is
	Patience time.Duration
}

// FetchInfo describes what a Fetch has received.
type FetchInfo struct {
	ContentType string // media type that the server declares, without parameters; may be empty or wrong
	Filename    string // of Content-Disposition, else of the URL's path; no path, at most 255 bytes, may be empty
	FinalURL    string // where redirects led; may hold secrets in its query
	Bytes       int64  // written
}

// Fetch gets a URL and writes the answer's body to a writer. It follows at most five redirects,
// none from https to http. Beside the limits, the server must begin its answer within 30 s and
// never pause for 30 s. Where the server is busy (429, 408, 5xx), cannot be connected to, or breaks
// the answer off, Fetch repeats the request after a while, for what is missing only if the server
// can do that. User and password in the URL are used as basic authentication, and not passed on to
// another host. After an error part of the body may have been written, never more than
// limits.Bytes. Errors: ErrURL, ErrRefusedAddress for a URL that is refused without network
// traffic, ErrRedirect, ErrTooLarge, ErrTimeout, ErrSlow, ErrIncomplete, ErrUnreachable, ErrPage,
// *StatusError if the status is not 200, and those of the writer and of ctx. A name that leads to
// an address that is not allowed fails with the same error and after the same time as one that does
// not exist, so that a client learns nothing of the names in a private network.
func (c *Client) Fetch(ctx context.Context, rawURL string, to io.Writer, limits FetchLimits) (FetchInfo, error) {
	bare, user := SplitUser(rawURL)
	u, err := c.parse(bare)
	if err != nil {
		return FetchInfo{}, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limits.Duration, ErrTimeout)
	defer cancel()
	f := fetching{client: c, url: u, user: user, to: to, limits: limits, sum: sha256.New()}
	return f.run(ctx)
}

// SplitUser returns a URL without user and password, and these; nil: there are none. A URL that
// cannot be parsed is returned as it is.
func SplitUser(rawURL string) (bare string, user *url.Userinfo) {
	u, err := url.Parse(rawURL)
	if err != nil || u.User == nil {
		return rawURL, nil
	}
	user, u.User = u.User, nil
	return u.String(), user
}

// copyBody copies at most as many bytes as the limits allow beside those that were written before.
// It returns how many were written in all. It stops the request if nothing comes for idleTimeout,
// or less than the rate.
func copyBody(ctx context.Context, stop context.CancelCauseFunc, to io.Writer, body io.Reader, limits FetchLimits,
	written int64) (int64, error) {
	idle := time.AfterFunc(idleTimeout, func() { stop(ErrTimeout) })
	defer idle.Stop()
	pace := pace{least: limits.Rate}
	buf := make([]byte, 64<<10)
	for {
		idle.Reset(idleTimeout)
		from := time.Now()
		n, err := body.Read(buf)
		idle.Stop() // the writer's time is not the server's
		slow := err == nil && pace.slow(n, time.Since(from))
		if written == 0 && strings.HasPrefix(http.DetectContentType(buf[:n]), "text/html") {
			return 0, ErrPage
		}
		more := int64(n) > limits.Bytes-written
		if more {
			n = int(limits.Bytes - written)
		}
		m, werr := to.Write(buf[:n])
		written += int64(m)
		switch {
		case werr != nil:
			return written, fmt.Errorf("store what was fetched: %w", werr)
		case more:
			return written, ErrTooLarge
		case slow:
			return written, ErrSlow
		case err == io.EOF:
			return written, nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return written, ErrIncomplete
		case err != nil:
			return written, tidy(ctx, err)
		}
	}
}

func describe(res *http.Response) FetchInfo {
	info := FetchInfo{FinalURL: res.Request.URL.String()}
	if kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type")); err == nil {
		info.ContentType = kind
	}
	info.Filename = filename(res.Header.Get("Content-Disposition"), res.Request.URL)
	return info
}

// filename returns a name that is safe to show and to store as text. It must not be used as a path.
func filename(disposition string, u *url.URL) string {
	name := ""
	if _, params, err := mime.ParseMediaType(disposition); err == nil {
		name = params["filename"]
	}
	if name = clean(name); name != "" {
		return name
	}
	return clean(u.Path)
}

func clean(name string) string {
	name = strings.ToValidUTF8(strings.ReplaceAll(name, `\`, "/"), "")
	name = path.Base(strings.TrimRight(name, "/"))
	name = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, name)
	if len(name) > 255 {
		name = strings.ToValidUTF8(name[:255], "")
	}
	if name == "." || name == ".." {
		return ""
	}
	return strings.TrimSpace(name)
}
