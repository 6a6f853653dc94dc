package outbound

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

const maxRetryAfter = 24 * time.Hour

// Send makes one request with a body and returns the status of the answer. It does not follow
// redirects: 3xx is a status like any other. retryAfter is what the server asks for by Retry-After,
// in seconds or as a date, 0 to 24 h; 0 if it asks for nothing. Send reads up to 64 KiB of the
// answer's body for at most 3 s and discards them. The whole request takes at most 30 s. Send
// neither changes nor keeps header and body; a User-Agent of the caller takes precedence. Errors:
// ErrURL, ErrRefusedAddress for an address that is refused without network traffic, ErrTimeout,
// ErrUnreachable, or that of ctx. A name of an address that is not allowed fails as one that does
// not exist, see [Client.Fetch]. After an error the receiver may still have got the request.
func (c *Client) Send(ctx context.Context, method, rawURL string, header http.Header, body []byte) (status int,
	retryAfter time.Duration, err error) {
	u, err := c.parse(rawURL)
	if err != nil {
		return 0, 0, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, sendTimeout, ErrTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return 0, 0, fmt.Errorf("%w: cannot be sent to", ErrURL)
	}
	for name, values := range header {
		req.Header[name] = values
	}
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", userAgent)
	}
	res, err := c.send.Do(req)
	if err != nil {
		return 0, 0, alike(tidy(ctx, err))
	}
	drain(cancel, res.Body)
	return res.StatusCode, parseRetryAfter(res.Header.Get("Retry-After"), time.Now()), nil
}

// drain reads the rest of an answer, if it is short, so that the connection can be used again. Its
// errors do not matter, since the status is known.
func drain(cancel context.CancelFunc, body io.ReadCloser) {
	slow := time.AfterFunc(drainTimeout, cancel)
	defer slow.Stop()
	_, _ = io.CopyN(io.Discard, body, maxDrain)
	_ = body.Close()
}

func parseRetryAfter(value string, now time.Time) time.Duration {
	if value == "" {
		return 0
	}
	if seconds, err := strconv.ParseUint(value, 10, 63); err == nil {
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(at.Sub(now), 0), maxRetryAfter)
	}
	return 0
}
