package gateway

import (
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"
)

const (
	corsMethods = "GET, POST, PUT, PATCH, DELETE, OPTIONS"
	corsMaxAge  = "7200" // seconds a browser may remember a preflight

	maxAllowed     = 64  // headers that the answer to a preflight allows
	maxAllowedName = 128 // bytes of one header's name
)

// cors sets the headers that permit browsers of an origin, or of all if it is *, to use the API. It
// answers a preflight and returns true. Scripts may send any header: some clients add their own,
// and a request with a header that is not permitted would not be sent.
func cors(w http.ResponseWriter, r *http.Request, origin string, keyHeaders []string) (answered bool) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", "ratelimit, ratelimit-policy, retry-after, x-request-id, x-steno-ignored")
	if origin != "*" {
		h.Add("Vary", "Origin")
	}
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	usual := append([]string{"content-type", "x-gladia-version"}, keyHeaders...)
	h.Set("Access-Control-Allow-Methods", corsMethods)
	h.Set("Access-Control-Allow-Headers", allowedHeaders(r.Header.Values("Access-Control-Request-Headers"), usual))
	h.Add("Vary", "Access-Control-Request-Headers")
	h.Set("Access-Control-Max-Age", corsMaxAge)
	w.WriteHeader(http.StatusNoContent)
	return true
}

// allowedHeaders returns the list of the usual headers and of those asked for that are valid names.
func allowedHeaders(asked, usual []string) string {
	list := slices.Clone(usual)
	for name := range strings.SplitSeq(strings.Join(asked, ","), ",") {
		if len(list) == maxAllowed {
			break
		}
		name = strings.Trim(name, " \t")
		known := slices.ContainsFunc(list, func(other string) bool { return strings.EqualFold(name, other) })
		if !known && len(name) <= maxAllowedName && httpguts.ValidHeaderFieldName(name) {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}
