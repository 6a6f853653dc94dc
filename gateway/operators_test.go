package gateway

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// Where operators have a token, all that they are served requires it but the probes. A client's key
// does not open it.
func TestOperatorsToken(t *testing.T) {
	const token = "token-of-the-operators"
	r := newTestServer(t, func(c *Config) { c.AdminToken, c.Limits.FailedKeys = token, 1000 })
	for _, path := range slices.Concat([]string{"/healthz", "/readyz", "/nothing"}, operatorsOnly) {
		if strings.HasSuffix(path, "seconds=1") {
			continue // profiles take their time
		}
		for name, tc := range map[string]struct {
			set  func(*http.Request)
			good bool
		}{
			"nothing":       {func(*http.Request) {}, false},
			"bearer token":  {func(q *http.Request) { q.Header.Set("Authorization", "Bearer "+token) }, true},
			"password":      {func(q *http.Request) { q.SetBasicAuth("any", token) }, true},
			"a key":         {func(q *http.Request) { q.Header.Set("x-service-key", testKey) }, false},
			"a key as one":  {func(q *http.Request) { q.Header.Set("Authorization", "Bearer "+testKey) }, false},
			"its beginning": {func(q *http.Request) { q.SetBasicAuth("any", token[:8]) }, false},
			"more than it":  {func(q *http.Request) { q.SetBasicAuth("any", token+"x") }, false},
			"as a name":     {func(q *http.Request) { q.SetBasicAuth(token, "") }, false},
		} {
			req, rec := httptest.NewRequestWithContext(t.Context(), "GET", path, nil), httptest.NewRecorder()
			tc.set(req)
			r.server.admin.ServeHTTP(rec, req)
			good := tc.good || path == "/healthz" || path == "/readyz"
			if good == (rec.Code == http.StatusUnauthorized) {
				t.Errorf("%s with %s: %d", path, name, rec.Code)
			}
		}
	}
}
