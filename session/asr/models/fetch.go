package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// Limits of a download.
const (
	maxDownload = 8 << 30 // bytes, if no size is published
	maxStuck    = 6       // attempts in a row that get no byte more than the best before
	maxAttempts = 1000
	bufferSize  = 256 << 10
)

// errRestarted means that the server had another file than before.
var errRestarted = errors.New("the file was changed meanwhile")

// bound returns how long the download may be. Releases are rebuilt now and then, so that may be
// more than the published size.
func (i *installation) bound() int64 {
	if i.entry.Size == 0 {
		return maxDownload
	}
	return i.entry.Size + i.entry.Size/10 + 1<<20
}

// fetch downloads what is missing, in as many attempts as make progress.
func (i *installation) fetch(ctx context.Context, p *part) error {
	best, stuck := p.size, 0
	for n := 1; !p.complete(); n++ {
		err := i.attempt(ctx, p)
		if err == nil {
			break
		}
		var f permanentError
		if errors.As(err, &f) || ctx.Err() != nil {
			return i.explain(p, err)
		}
		if stuck++; p.size > best {
			best, stuck = p.size, 1
		}
		if stuck == maxStuck || n == maxAttempts {
			return fmt.Errorf("given up after %d attempts: %w; what came is kept for the next", n, err)
		}
		if err := i.options.pause(ctx, stuck); err != nil {
			return err
		}
	}
	return p.file.Sync()
}

// explain removes a download that is too large, and returns the error for it.
func (i *installation) explain(p *part, err error) error {
	if errors.Is(err, errTooLarge) {
		p.remove()
	}
	return err
}

var errTooLarge = errors.New("more than was announced")

// attempt makes one request for what is missing.
func (i *installation) attempt(ctx context.Context, p *part) error {
	header := http.Header{}
	if p.size > 0 && p.state.Validator != "" {
		header.Set("Range", fmt.Sprintf("bytes=%d-", p.size))
		header.Set("If-Range", p.state.Validator)
	}
	a, err := get(ctx, i.client, i.address, header, i.options.idle)
	if err != nil {
		return err
	}
	defer a.close()
	if err := p.begin(a.Response, i.address); err != nil || p.complete() {
		return err
	}
	if total := p.state.Total; total > i.bound() {
		return permanently("%w: %d bytes, and %d at most were expected", errTooLarge, total, i.bound())
	}
	return i.receive(p, a)
}

// begin prepares the part for an answer's body.
func (p *part) begin(r *http.Response, address string) error {
	switch r.StatusCode {
	case http.StatusOK:
		return p.restart(validator(r.Header), r.ContentLength)
	case http.StatusPartialContent:
		return p.resume(r.Header)
	case http.StatusRequestedRangeNotSatisfiable:
		if _, total, ok := contentRange(r.Header); ok && total == p.size && p.size > 0 {
			p.state.Total = total // it was complete, but its length was unknown
			return nil
		}
		return errors.Join(errRestarted, p.restart("", -1))
	}
	return statusError(address, r.StatusCode)
}

// resume checks that the answer is the rest of the part.
func (p *part) resume(h http.Header) error {
	start, total, ok := contentRange(h)
	known := p.state.Total
	if p.size == 0 || !ok || start != p.size || known >= 0 && total >= 0 && total != known {
		return errors.Join(errRestarted, p.restart("", -1))
	}
	if v := validator(h); v != "" && v != p.state.Validator {
		return errors.Join(errRestarted, p.restart("", -1))
	}
	p.state.Total = max(known, total)
	return nil
}

// receive writes the body to the part.
func (i *installation) receive(p *part, from io.Reader) error {
	buf := make([]byte, bufferSize)
	for {
		n, err := from.Read(buf)
		if p.size+int64(n) > i.bound() {
			return permanently("%w: %d bytes at most were expected", errTooLarge, i.bound())
		}
		if err := p.write(buf[:n]); err != nil {
			return err
		}
		i.progress(Fetching, p.size, p.state.Total)
		switch {
		case errors.Is(err, io.EOF) && p.state.Total >= 0 && p.size < p.state.Total:
			return io.ErrUnexpectedEOF
		case errors.Is(err, io.EOF):
			p.state.Total = p.size
			return nil
		case err != nil:
			return err
		}
	}
}

// validator returns the value for If-Range (RFC 9110, 13.1.5): a strong entity tag, else the date
// of change.
func validator(h http.Header) string {
	if tag := h.Get("ETag"); strings.HasPrefix(tag, `"`) {
		return tag
	}
	return h.Get("Last-Modified")
}

// contentRange parses "bytes 5-9/10" and "bytes */10" (RFC 9110, 14.4); what is missing is -1.
func contentRange(h http.Header) (start, total int64, ok bool) {
	text, ok := strings.CutPrefix(h.Get("Content-Range"), "bytes ")
	span, length, found := strings.Cut(text, "/")
	if !ok || !found {
		return 0, 0, false
	}
	first, _, _ := strings.Cut(span, "-")
	if start, ok = number(first); !ok {
		return 0, 0, false
	}
	total, ok = number(length)
	return start, total, ok
}

// number parses a number that is not negative; "*" is -1.
func number(text string) (int64, bool) {
	if text == "*" {
		return -1, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 0
}
