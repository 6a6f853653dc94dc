package loadtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"steno/messages"
)

const (
	callTimeout = 30 * time.Second // one HTTP request
	maxAnswer   = 64 << 20         // bytes of an HTTP answer
	maxWait     = 10 * time.Second // longest Retry-After that is waited for
	// cleanupTimeout bounds the calls that close or cancel a session after the end of a run.
	cleanupTimeout = 3 * time.Second
)

// api calls the gateway's REST routes.
type api struct {
	base   string // without a slash at the end
	key    string
	client *http.Client
}

// dialer opens a connection, as [net.Dialer.DialContext] does.
type dialer func(ctx context.Context, network, address string) (net.Conn, error)

// newAPI returns the routes of the gateway at base. A nil dialer stands for TCP.
func newAPI(base, key string, dial dialer) *api {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.Proxy = nil // a gateway under test is spoken to directly
	t.MaxIdleConnsPerHost = 64
	if dial != nil {
		t.DialContext = dial
	}
	return &api{base: strings.TrimRight(base, "/"), key: key, client: &http.Client{Transport: t}}
}

func (a *api) close() { a.client.CloseIdleConnections() }

// refusal is an answer that is not a success.
type refusal struct {
	status  int
	message string
	wait    time.Duration // Retry-After; zero: none
}

func (r *refusal) Error() string { return fmt.Sprintf("refused with %d: %s", r.status, r.message) }

// Check tells why the gateway at url cannot be used with a key now: it does not answer, takes no
// sessions yet, or does not know the key. It asks once.
func Check(ctx context.Context, url, key string) error {
	a := newAPI(url, key, nil)
	defer a.close()
	var answer json.RawMessage
	if err := a.call(ctx, http.MethodGet, "/readyz", nil, &answer); err != nil {
		return fmt.Errorf("ask whether the gateway is ready: %w", err)
	}
	if err := a.call(ctx, http.MethodGet, "/v2/live?limit=1", nil, &answer); err != nil {
		return fmt.Errorf("ask with the key: %w", err)
	}
	return nil
}

// create opens a session. Like the public client libraries it tries a second time when the gateway
// cannot be reached or has no room. When ctx ends it waits for a moment for the answer, as the
// server may have opened the session.
func (a *api) create(ctx context.Context, r request) (created, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return created{}, fmt.Errorf("encode request: %w", err)
	}
	var c created
	post := func() error {
		ctx, cancel := outlast(ctx, cleanupTimeout)
		defer cancel()
		return a.call(ctx, http.MethodPost, "/v2/live", body, &c)
	}
	err = post()
	if wait, again := retryable(err); again {
		if err := sleep(ctx, wait); err != nil {
			return created{}, err
		}
		err = post()
	}
	if err != nil {
		return created{}, fmt.Errorf("create session: %w", err)
	}
	return c, nil
}

// cancel ends a session, and has the server delete what it has of it. It takes but a moment, also
// when ctx has ended.
func (a *api) cancel(ctx context.Context, id string) error {
	ctx, end := outlast(ctx, cleanupTimeout)
	defer end()
	if err := a.call(ctx, http.MethodDelete, "/v2/live/"+id+"?cancel=true", nil, nil); err != nil {
		return fmt.Errorf("cancel session: %w", err)
	}
	return nil
}

// job fetches the record of a session.
func (a *api) job(ctx context.Context, id string) (messages.Job, error) {
	var j messages.Job
	if err := a.call(ctx, http.MethodGet, "/v2/live/"+id, nil, &j); err != nil {
		return j, fmt.Errorf("fetch record: %w", err)
	}
	return j, nil
}

// call makes a request and decodes the answer, unless into is nil.
func (a *api) call(ctx context.Context, method, path string, body []byte, into any) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, a.base+path, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("make request: %w", err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(req.Header, a.authorization())
	resp, err := a.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	if resp.StatusCode/100 != 2 {
		return newRefusal(resp, answer)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("decode answer: %w", err)
	}
	return nil
}

// authorization is the header with the key.
func (a *api) authorization() http.Header {
	if a.key == "" {
		return http.Header{}
	}
	return http.Header{"X-Service-Key": {a.key}}
}

func newRefusal(resp *http.Response, answer []byte) *refusal {
	r := &refusal{status: resp.StatusCode, message: http.StatusText(resp.StatusCode)}
	var body messages.ErrorBody
	if json.Unmarshal(answer, &body) == nil && body.Message != "" {
		r.message = strings.Join(append([]string{body.Message}, body.ValidationErrors...), "; ")
	}
	if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s > 0 {
		r.wait = time.Duration(s) * time.Second
	}
	return r
}

// retryable reports whether a failed call may be made again, and after how long.
func retryable(err error) (time.Duration, bool) {
	var r *refusal
	switch {
	case err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return 0, false
	case !errors.As(err, &r):
		return backoff(1), true
	case r.status == http.StatusTooManyRequests || r.status >= 500:
		return min(max(r.wait, backoff(1)), maxWait), true
	}
	return 0, false
}

// backoff is the wait before attempt n (from 1) at something that failed: 0.3 s, doubled each time,
// at most 2 s, as the public client libraries have it.
func backoff(n int) time.Duration {
	return min(300*time.Millisecond<<min(n-1, 8), 2*time.Second)
}

// outlast returns a context that ends a while after ctx does.
func outlast(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		_ = sleep(longer, d) // it has ended before where nobody needs it any more
		cancel()
	})
	return longer, func() {
		stop()
		cancel()
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
