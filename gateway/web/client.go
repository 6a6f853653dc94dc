package web

import (
	"net/http"
	"strings"
)

// IsPython reports whether a request with an API key comes from the Python client library. That
// library takes the chapters of a result for an object, as the schema of the public interface has
// them, and fails on the list that is sent.
func IsPython(r *http.Request) bool {
	return strings.Contains(r.Header.Get("x-gladia-version"), "SdkPython/")
}
