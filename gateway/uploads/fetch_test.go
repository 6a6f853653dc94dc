package uploads

import (
	"errors"
	"fmt"
	"net/http"
	"syscall"
	"testing"

	"steno/gateway/outbound"
	"steno/messages"
)

// The status of a fetch that failed shows whose fault it is.
func TestFetchProblem(t *testing.T) {
	for cause, status := range map[error]int{
		outbound.ErrSlow: 504, outbound.ErrTimeout: 504, outbound.ErrUnreachable: 502, outbound.ErrIncomplete: 502,
		outbound.ErrTooLarge: 413, outbound.ErrURL: 422, outbound.ErrRefusedAddress: 422, outbound.ErrRedirect: 422,
		&outbound.StatusError{Code: http.StatusNotFound}: 422, &outbound.StatusError{Code: http.StatusBadGateway}: 502,
		syscall.ENOSPC: 507,
	} {
		p, ok := errors.AsType[*messages.Problem](fetchProblem(fmt.Errorf("fetch: %w", cause)))
		if !ok || p.Status != status {
			t.Errorf("%v: %+v, want %d", cause, p, status)
		}
	}
	if p, _ := errors.AsType[*messages.Problem](fetchProblem(outbound.ErrSlow)); p.Message !=
		"audio_url cannot be fetched: server gives its answer too slowly" {
		t.Errorf("message %q", p.Message)
	}
}
