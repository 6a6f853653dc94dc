package gateway

import (
	"net/http"
	"strings"
	"testing"
)

// TestDocumentsServed checks that everybody gets the descriptions, and 304 once they have them.
func TestDocumentsServed(t *testing.T) {
	r := newTestServer(t, nil)
	for path, media := range map[string]string{
		"/openapi.json": "application/json", "/asyncapi.json": "application/json", "/docs": "text/html; charset=utf-8",
		"/docs/dialects": "text/html; charset=utf-8",
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
	if !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") || !strings.Contains(policy,
		"; script-src 'sha256-") {
		t.Errorf("policy %q", policy)
	}
}

// TestExamplesFit checks every example of the description against its schema, with closed objects.
// Every answer of an operation that is not deprecated has one, except for audio, the documents
// themselves, and what other services' documents show.
func TestExamplesFit(t *testing.T) {
	d := newDescribed(t, func(*Config) {})
	for path, item := range within(d.open, "paths") {
		for method, operation := range item.(map[string]any) {
			exempt := operation.(map[string]any)["deprecated"] == true || ofDialect(operation)
			for status, answer := range within(operation.(map[string]any), "responses") {
				for media, content := range within(answer.(map[string]any), "content") {
					example, ok := content.(map[string]any)["example"]
					if !ok {
						if needed := status < "300" && !exempt && !isAudio(media) && !isDocument(path); needed {
							t.Errorf("%s %s: the answer of %s has no example", method, path, media)
						}
						continue
					}
					schema := pointer("/openapi.json", "paths", path, method, "responses", status, "content", media,
						"schema")
					if s, err := d.schemas.Compile(schema); err != nil {
						t.Error(err)
					} else if err := s.Validate(example); err != nil {
						t.Errorf("%s %s: %v", method, path, err)
					}
				}
			}
		}
	}
}

// isAudio reports whether a body is audio, or parts of it.
func isAudio(media string) bool {
	return strings.HasPrefix(media, "audio/") || media == "multipart/byteranges"
}

// isDocument reports whether a path is that of a description of the interface.
func isDocument(path string) bool {
	return strings.HasSuffix(path, ".json") || strings.HasPrefix(path, "/docs")
}
