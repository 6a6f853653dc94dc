package outbound

import (
	"context"
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
	Duration time.Duration // of the whole fetch, redirects and body included
	Rate     int64         // least bytes of the body a second, over rateWindow; 0: any
}

// FetchInfo describes what a Fetch has received.
type FetchInfo struct {
	ContentType string // media type that the server declares, without parameters; may be empty or wrong
	Filename    string // of Content-Disposition, else of the URL's path; no path, at most 255 bytes, may be empty
	FinalURL    string // where redirects led; may hold secrets in its query
	Bytes       int64  // written
}

// Fetch gets a URL and writes the answer's body to a writer. It follows at most five redirects, none from https to http. Beside
// the limits, the server must begin its answer within 30 s and never pause for 30 s. After an error part of the body may have
// been written, never more than limits.Bytes. Errors: ErrURL, ErrRefusedAddress for a URL that is refused without network
// traffic, ErrRedirect, ErrTooLarge, ErrTimeout, ErrSlow, ErrIncomplete, ErrUnreachable, *StatusError if the status is not 200,
// and those of the writer and of ctx. A name that leads to an address that is not allowed fails with the same error and after
// the same time as one that does not exist, so that a client learns nothing of the names in a private network.
func (c *Client) Fetch(ctx context.Context, rawURL string, to io.Writer, limits FetchLimits) (FetchInfo, error) {
	u, err := c.parse(rawURL)
	if err != nil {
		return FetchInfo{}, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limits.Duration, ErrTimeout)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return FetchInfo{}, fmt.Errorf("%w: cannot be asked for", ErrURL)
	}
	req.Header.Set("User-Agent", userAgent)
	res, err := c.fetch.Do(req)
	if err != nil {
		return FetchInfo{}, alike(tidy(ctx, err))
	}
	defer res.Body.Close()
	info := describe(res)
	switch {
	case res.StatusCode != http.StatusOK:
		return info, &StatusError{Code: res.StatusCode}
	case res.ContentLength > limits.Bytes:
		return info, ErrTooLarge
	}
	info.Bytes, err = copyBody(ctx, stop, to, res.Body, limits)
	return info, err
}

// copyBody copies at most as many bytes as the limits allow. It stops the request if nothing comes for idleTimeout, or less than
// the rate.
func copyBody(ctx context.Context, stop context.CancelCauseFunc, to io.Writer, body io.Reader, limits FetchLimits) (int64, error) {
	idle := time.AfterFunc(idleTimeout, func() { stop(ErrTimeout) })
	defer idle.Stop()
	pace := pace{least: limits.Rate}
	buf := make([]byte, 64<<10)
	for written := int64(0); ; {
		idle.Reset(idleTimeout)
		from := time.Now()
		n, err := body.Read(buf)
		idle.Stop() // the writer's time is not the server's
		slow := err == nil && pace.slow(n, time.Since(from))
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
