package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxRefusal bounds what is read of a refusal, in bytes.
const maxRefusal = 64 << 10

// Do makes one request and returns a response with status 200. Reading its body fails with an
// [*Error] where the body is too long or breaks off. The caller closes the body. All errors are an
// [*Error].
func (r *Caller) Do(request *http.Request) (*http.Response, error) {
	response, err := r.client.Do(request)
	if err != nil {
		return nil, r.broken(request.Context(), err)
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		return nil, r.refusal(response)
	}
	response.Body = &bounded{ReadCloser: response.Body, caller: r, ctx: request.Context(), left: r.config.MaxAnswer}
	return response, nil
}

// broken is the error where a connection failed, or the time was over.
func (r *Caller) broken(ctx context.Context, err error) *Error {
	var with *url.Error
	if errors.As(err, &with) {
		err = with.Err // without the address
	}
	e := r.Fault(http.StatusBadGateway, "Unreachable", "could not be reached", err)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) || with != nil && with.Timeout() {
		e = r.Fault(http.StatusGatewayTimeout, "Timeout", "took too long", err)
	}
	e.again = true
	return e
}

// refusal reads an answer that is none.
func (r *Caller) refusal(response *http.Response) *Error {
	status := response.StatusCode
	cause := errors.New(strings.TrimSpace(fmt.Sprintf("HTTP %d %s", status, http.StatusText(status))))
	var e *Error
	switch {
	case status == http.StatusTooManyRequests:
		e = r.Fault(http.StatusTooManyRequests, "RateLimited", "has too many requests", cause)
		e.again = true
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status >= 500:
		e = r.Fault(http.StatusBadGateway, "Failed", "failed", cause)
		e.again = true
	default:
		e = r.Fault(http.StatusBadGateway, "Refused", "refused the request", cause)
	}
	e.refused = status
	e.said, _ = io.ReadAll(io.LimitReader(response.Body, maxRefusal)) // what could be read is enough
	if strings.Contains(string(e.said), `"insufficient_quota"`) {
		e.again = false // there will be none in a moment either
	}
	e.asked = retryAfter(response.Header.Get("Retry-After"))
	return e
}

// retryAfter reads how long a server asks to be left alone, in seconds or as a date. No sensible
// header, no wait.
func retryAfter(header string) time.Duration {
	const most = 24 * 60 * 60
	if seconds, err := strconv.ParseFloat(header, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, most) * float64(time.Second))
	}
	if date, err := http.ParseTime(header); err == nil {
		return min(max(time.Until(date), 0), most*time.Second)
	}
	return 0
}

// bounded is a body that may be only so long.
type bounded struct {
	io.ReadCloser
	caller *Caller
	ctx    context.Context // of the request: the cause if the body breaks off
	left   int64           // bytes
}

func (b *bounded) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left+1)])
	b.left -= int64(n)
	switch {
	case b.left < 0:
		return 0, b.caller.Invalid("the answer is too long", false)
	case err != nil && err != io.EOF:
		return n, b.caller.broken(b.ctx, err)
	}
	return n, err
}

// Base checks the address of a server and returns it without a slash at its end.
func Base(address string) (string, error) {
	base, err := url.Parse(address)
	switch {
	case err != nil, base.Scheme != "http" && base.Scheme != "https", base.Host == "":
		return "", errors.New("url must be that of an HTTP server")
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return "", errors.New("url must not hold a user, a query or a fragment")
	}
	return strings.TrimSuffix(base.String(), "/"), nil
}
