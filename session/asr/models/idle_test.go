package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// paced is a body that comes in pieces, each after a while. After the last it ends, or stalls.
type paced struct {
	ctx    context.Context // of the request
	body   []byte
	pieces int
	every  time.Duration
	stall  bool
}

func (p *paced) Read(b []byte) (int, error) {
	if len(p.body) == 0 && !p.stall {
		return 0, io.EOF
	}
	wait := p.every
	if len(p.body) == 0 {
		wait = time.Hour
	}
	select {
	case <-p.ctx.Done():
		return 0, p.ctx.Err()
	case <-time.After(wait):
	}
	n := copy(b, p.body[:min(p.pieces, len(p.body))])
	p.body = p.body[n:]
	return n, nil
}

func (p *paced) Close() error { return nil }

// transport answers requests without a network, so that time can be the test's.
type transport func(r *http.Request) *http.Response

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r), nil }

// rest is the answer to a request for content, or for the rest of it.
func rest(r *http.Request, content []byte, body func(rest []byte) io.ReadCloser) *http.Response {
	start := 0
	_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &start)
	a := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Etag": {`"1"`}},
		ContentLength: int64(len(content) - start), Request: r}
	if start > 0 {
		a.StatusCode = http.StatusPartialContent
		a.Header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", start, len(content)-1, len(content)))
	}
	a.Body = body(content[start:])
	return a
}

// What comes slowly comes: only standing still ends a request.
func TestSlowIsNotStandingStill(t *testing.T) {
	content, dir := packed(t, someFiles()), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		asked, began := 0, time.Now()
		client := &http.Client{Transport: transport(func(r *http.Request) *http.Response {
			asked++
			return rest(r, content, func(b []byte) io.ReadCloser {
				return &paced{ctx: r.Context(), body: b, pieces: 1000, every: idleTimeout - time.Second}
			})
		})}
		_, err := Install(t.Context(), model(content, "https://example.com"), dir, Options{Client: client})
		if err != nil || asked != 1 {
			t.Errorf("asked %d times, %v", asked, err)
		}
		if took := time.Since(began); took < 10*idleTimeout {
			t.Errorf("it took %v: not slow", took)
		}
	})
	checkInstalled(t, dir, someFiles())
}

func TestStandingStill(t *testing.T) {
	content, dir := packed(t, someFiles()), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		client := &http.Client{Transport: transport(func(r *http.Request) *http.Response {
			asked = append(asked, r.Header.Get("Range"))
			return rest(r, content, func(b []byte) io.ReadCloser {
				stall := len(asked) < 4
				if stall {
					b = b[:[]int{1000, 0, 5000}[len(asked)-1]]
				}
				return &paced{ctx: r.Context(), body: b, pieces: 1000, every: time.Millisecond, stall: stall}
			})
		})}
		if _, err := Install(t.Context(), model(content, "https://example.com"), dir, Options{Client: client}); err !=
			nil {
			t.Error(err)
		}
		if want := []string{"", "bytes=1000-", "bytes=1000-", "bytes=6000-"}; !slices.Equal(asked, want) {
			t.Errorf("asked for %q, want %q", asked, want)
		}
	})
	checkInstalled(t, dir, someFiles())
}

// Where nothing moves any more, it is said what was tried and that nothing is lost.
func TestGivingUp(t *testing.T) {
	content, dir := packed(t, someFiles()), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		client := &http.Client{Transport: transport(func(r *http.Request) *http.Response {
			return rest(r, content, func(b []byte) io.ReadCloser {
				return &paced{ctx: r.Context(), stall: true}
			})
		})}
		began := time.Now()
		_, err := Install(t.Context(), model(content, "https://example.com"), dir, Options{Client: client})
		if !errors.Is(err, errIdle) || !strings.Contains(err.Error(), "given up after 6 attempts") {
			t.Errorf("got %v", err)
		}
		if took, want := time.Since(began), 6*idleTimeout+(1+2+4+8+16)*time.Second; took != want {
			t.Errorf("it took %v, want %v", took, want)
		}
	})
}

func TestCancellingWhileItWaits(t *testing.T) {
	content, dir := packed(t, someFiles()), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		client := &http.Client{Transport: transport(func(r *http.Request) *http.Response {
			return rest(r, content, func(b []byte) io.ReadCloser {
				return &paced{ctx: r.Context(), body: b[:2000], pieces: 1000, every: time.Second, stall: true}
			})
		})}
		time.AfterFunc(10*time.Second, cancel)
		if _, err := Install(ctx, model(content, "https://example.com"), dir, Options{Client: client}); !errors.Is(err,
			context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	if p, err := openPart(dir+"/.m", "https://example.com/asr-models/m.tar.gz"); err != nil || p.size != 2000 {
		t.Errorf("kept: %+v, %v", p, err)
	} else {
		p.close()
	}
}
