package gateway

import (
	"errors"
	"fmt"
	"io"
	"net/http"
)

// readBody returns a request's body, whatever its content type says, of at most limit bytes.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var tooBig *http.MaxBytesError
	if errors.As(err, &tooBig) {
		return nil, problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("body is larger than %d bytes", limit))
	}
	if err != nil {
		p := problem(http.StatusBadRequest, "body could not be read")
		p.Err = err
		return nil, p
	}
	return body, nil
}
