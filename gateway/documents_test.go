package gateway

import (
	"net/http"
	"strings"
	"testing"
)

// TestDocumentsServed sees that all who ask get the descriptions, and once they have them are told so.
func TestDocumentsServed(t *testing.T) {
	r := newTestServer(t, nil)
	for path, media := range map[string]string{
		"/openapi.json": "application/json", "/asyncapi.json": "application/json", "/docs": "text/html; charset=utf-8",
	} {
		a := r.do("GET", path, "", "x-service-key", "")
		if a.status != http.StatusOK || a.header.Get("Content-Type") != media || len(a.body) < 1000 {
			t.Fatalf("%s: %d %s, %d bytes", path, a.status, a.header.Get("Content-Type"), len(a.body))
		}
		again := r.do("GET", path, "", "x-service-key", "", "If-None-Match", a.header.Get("ETag"))
		if again.status != http.StatusNotModified || len(again.body) > 0 {
			t.Errorf("%s again: %d", path, again.status)
		}
	}
	policy := r.do("GET", "/docs", "").header.Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") {
		t.Errorf("policy %q", policy)
	}
}
