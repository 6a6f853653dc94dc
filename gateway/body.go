package gateway

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"steno/messages"
)

// readBody returns a request's body, whatever its content type says, of at most limit bytes.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var tooBig *http.MaxBytesError
	if errors.As(err, &tooBig) {
		return nil, problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("body is larger than %d bytes", limit))
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, tooSlow(err)
	}
	if err != nil {
		p := problem(http.StatusBadRequest, "body could not be read")
		p.Err = err
		return nil, p
	}
	return body, nil
}

// tooSlow is why a body was not waited for any longer.
func tooSlow(cause error) *messages.Problem {
	return &messages.Problem{Status: http.StatusRequestTimeout, Message: "the body came too slowly", Err: cause}
}
