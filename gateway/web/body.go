package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"

	"steno/messages"
)

// ReadBody returns a request's body of at most limit bytes, whatever its content type. Its errors
// are problems: 413 for a longer body, 408 for one that arrives too slowly, 400 for one that cannot
// be read.
func ReadBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var tooBig *http.MaxBytesError
	if errors.As(err, &tooBig) {
		return nil, Problem(http.StatusRequestEntityTooLarge, fmt.Sprintf("body is larger than %d bytes", limit))
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, BodyTooSlow(err)
	}
	if err != nil {
		p := Problem(http.StatusBadRequest, "body could not be read")
		p.Err = err
		return nil, p
	}
	return body, nil
}

// BodyTooSlow returns the problem of a body that was not waited for any longer.
func BodyTooSlow(cause error) *messages.Problem {
	return &messages.Problem{Status: http.StatusRequestTimeout, Message: "the body came too slowly", Err: cause}
}

// ErrNoObject means that a body is not one JSON object.
var ErrNoObject = errors.New("it must be one object")

// DecodeObject decodes a body of one JSON object without fields that are not known. Errors:
// ErrNoObject for an empty body and for more than one value, those of the decoder.
func DecodeObject(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil && d.More() || errors.Is(err, io.EOF) {
		return ErrNoObject
	}
	return err
}
