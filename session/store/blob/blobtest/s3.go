// Package blobtest runs servers of blob storage for tests.
package blobtest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// S3 starts a server that speaks the protocol of S3 and keeps everything in memory. The function
// wrap, if not nil, returns a handler that wraps the server's. It returns the address of an empty
// bucket as blob.Open has it. The server ends with the test, whose environment gets the
// credentials.
func S3(t *testing.T, wrap func(http.Handler) http.Handler) string {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	backend := s3mem.New()
	if err := backend.CreateBucket("steno"); err != nil {
		t.Fatal(err)
	}
	var handler http.Handler = gofakes3.New(backend).Server()
	if wrap != nil {
		handler = wrap(handler)
	}
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return "s3://steno/some/folder?region=eu-1&s3ForcePathStyle=true&endpoint=" + s.URL
}
