package outbound

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"code.dny.dev/ssrf"
)

// The errors of a Client, for errors.Is. Any other error is a *StatusError, or that of the caller's
// context or writer.
var (
	ErrURL            = errors.New("URL is not acceptable")         // syntax, scheme, userinfo
	ErrRefusedAddress = errors.New("address is not allowed")        // see the package comment
	ErrRedirect       = errors.New("redirect is not followed")      // too many, or from https to http
	ErrTooLarge       = errors.New("answer is larger than allowed") // more than FetchLimits.Bytes
	ErrTimeout        = errors.New("server took too long")          // in any phase
	ErrSlow           = errors.New("server gives its answer too slowly")
	ErrIncomplete     = errors.New("answer ended before it was whole") // fewer bytes than announced
	ErrChanged        = errors.New("file changed while it was fetched")
	ErrPage           = errors.New("the address is that of a web page, not of a recording")

	// ErrUnreachable: unknown name, no connection, no TLS, no HTTP, or a name of an address that is
	// not allowed.
	ErrUnreachable = errors.New("server cannot be reached, or its address is not allowed")
)

// Message returns the text for clients of an error of Check, Fetch or Send. The error itself is for
// operators: it may name the gateway's resolver and the addresses of a name. What is wrong with a
// URL itself is for both.
func Message(err error) string {
	if errors.Is(err, ErrURL) {
		_, why, _ := strings.Cut(err.Error(), ErrURL.Error())
		return ErrURL.Error() + why
	}
	for _, e := range []error{ErrRefusedAddress, ErrRedirect, ErrTooLarge, ErrTimeout, ErrSlow, ErrIncomplete,
		ErrChanged, ErrPage, ErrUnreachable} {
		if errors.Is(err, e) {
			return e.Error()
		}
	}
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status.Error()
	}
	return "request failed"
}

// StatusError is an unsuccessful answer to Fetch.
type StatusError struct {
	Code int // HTTP status
}

func (e *StatusError) Error() string { return fmt.Sprintf("server answered with status %d", e.Code) }

// tidy returns an error of this package for one of net/http, without the URL.
func tidy(ctx context.Context, err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if cause := context.Cause(ctx); errors.Is(cause, ErrTimeout) {
		return cause
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	switch {
	case errors.Is(err, ErrURL), errors.Is(err, ErrRefusedAddress), errors.Is(err, ErrRedirect):
		return err
	case isRefusal(err):
		return fmt.Errorf("%w: %w", ErrRefusedAddress, err)
	case isTimeout(err):
		return fmt.Errorf("%w: %w", ErrTimeout, err)
	}
	return fmt.Errorf("%w: %w", ErrUnreachable, err)
}

// alike returns the same error for a name in a private network and for one that does not exist, so
// for errors of the resolver and for refusals of the dialer. It keeps the cause as text, for
// operators.
func alike(err error) error {
	_, unknown := errors.AsType[*net.DNSError](err)
	_, dialled := errors.AsType[*net.OpError](err)
	if unknown || dialled && isRefusal(err) {
		return fmt.Errorf("%w: %v", ErrUnreachable, err)
	}
	return err
}

func isRefusal(err error) bool {
	return errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedNetwork) ||
		errors.Is(err, ssrf.ErrInvalidHostPort)
}

func isTimeout(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}
