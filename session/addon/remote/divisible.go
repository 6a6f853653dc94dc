package remote

import (
	"errors"
	"net/http"
	"strings"
)

// Divisible tells whether an error may be due to a part of what was asked about: the answer was no good, or the server
// refused just this.
func Divisible(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch status, _ := e.Refused(); status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return true
	case 0:
		return e.StatusCode == http.StatusBadGateway && !strings.HasSuffix(e.Exception, "Unreachable")
	}
	return false
}
