package addon

import (
	"net/http"

	"steno/messages"
)

// Overloaded is the error of a step that was not begun because too many wait for the same add-on, or it waited too long.
func Overloaded(name string) *messages.AddonError {
	return &messages.AddonError{
		StatusCode: http.StatusServiceUnavailable, Exception: "Overloaded",
		Message: "too many utterances wait for " + name,
	}
}
