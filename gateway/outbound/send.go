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

// Send makes one request with a body and gives the status of the answer, whatever it is; redirects are not followed,
// so 3xx is a status like any other. retryAfter is what the server asks for by Retry-After, in seconds or as a date,
// 0 to 24 h; 0 where it asks for nothing. The answer's body is read up to 64 KiB and for 3 s, and thrown away. All
// takes at most 30 s. Neither header nor body is changed or kept; a caller's User-Agent wins. Errors: ErrURL,
// ErrRefusedAddress, ErrTimeout, ErrUnreachable, or of ctx; an error does not mean that the receiver got nothing.
func (c *Client) Send(ctx context.Context, method, rawURL string, header http.Header, body []byte) (status int, retryAfter time.Duration, err error) {
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
		return 0, 0, tidy(ctx, err)
	}
	drain(cancel, res.Body)
	return res.StatusCode, parseRetryAfter(res.Header.Get("Retry-After"), time.Now()), nil
}

// drain reads the rest of an answer so that its connection can serve again, if that is quickly done. The status is
// known, so how this ends does not matter.
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
