package gateway

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"steno/gateway/connections"
	"steno/gateway/web"
)

// A large file and its ranges are served over a real connection, whether or not the kernel copies
// them.
func TestLargeFileOverTCP(t *testing.T) {
	content := make([]byte, 5<<20+123)
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(content) // never fails
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	r := newTestServer(t, nil)
	server := http.Server{ConnState: connections.Follow, Handler: r.server.operation(unaudited, access{open: true},
		func(w http.ResponseWriter, q *http.Request) error {
			file, err := os.Open(path)
			if err != nil {
				return err
			}
			defer file.Close()
			if q.URL.Path == "/hidden" {
				return web.ServeContent(w, q, time.Time{}, struct{ io.ReadSeeker }{file})
			}
			return web.ServeContent(w, q, time.Time{}, file)
		})}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(r.server.connections.Clients(l)) }()
	defer func() { server.Close(); <-served }()
	client := http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for _, tc := range []struct {
		path, span string
		want       []byte
	}{
		{"/", "", content}, {"/hidden", "", content}, {"/", "bytes=100-99999", content[100:100000]},
		{"/", "bytes=-70000", content[len(content)-70000:]}, {"/hidden", "bytes=65536-", content[65536:]},
		{"/", "bytes=5-5", content[5:6]},
	} {
		req, err := http.NewRequestWithContext(context.Background(), "GET", "http://"+l.Addr().String()+tc.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if tc.span != "" {
			req.Header.Set("Range", tc.span)
		}
		answer, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !bytes.Equal(got, tc.want) {
			t.Errorf("%s %s: %d bytes, want %d: %v", tc.path, tc.span, len(got), len(tc.want), err)
		}
	}
}
