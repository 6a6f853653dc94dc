package endtoend_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// limited is a folder of programs of which steno may have only so many files and connections open.
func limited(t *testing.T, bin string, descriptors int) string {
	t.Helper()
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\nulimit -n %d\nexec '%s/steno' \"$@\"\n", descriptors, bin)
	if err := os.WriteFile(filepath.Join(dir, "steno"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Clients that connect, ask and do not read, more of them than there are file descriptors, take
// nothing from those that are there already: the store has its own.
func TestFloodOfConnections(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and starts the programs")
	}
	g := newGateway(t, limited(t, build(t), 200), "scripted")
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}, Timeout: 2 * time.Minute}
	defer client.CloseIdleConnections()
	ask := func(method, path, body string) (int, string) {
		t.Helper()
		r, err := http.NewRequest(method, g.url()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("x-service-key", testKey)
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(text)
	}
	if status, text := ask("POST", "/v2/live", "{}"); status != http.StatusCreated {
		t.Fatalf("%d %s", status, text)
	}
	refused := 0
	for range 300 {
		c, err := net.Dial("tcp", g.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		// some are refused
		_, _ = io.WriteString(c, strings.Repeat("GET /openapi.json HTTP/1.1\r\nHost: steno\r\n\r\n", 20))
		if err := c.SetReadDeadline(time.Now().Add(readyWithin)); err != nil {
			t.Fatal(err)
		}
		begin := make([]byte, len("HTTP/1.1 200"))
		if _, err := io.ReadFull(c, begin); err != nil || strings.HasSuffix(string(begin), "503") {
			refused++
		}
	}
	if refused < 200 || refused == 300 {
		t.Errorf("%d of 300 connections were refused", refused)
	}
	for range 3 {
		status, text := ask("POST", "/v2/live", "{}")
		if status != http.StatusCreated {
			t.Errorf("a session during the flood: %d %s", status, text)
		}
	}
	if status, text := ask("GET", "/readyz", ""); status != http.StatusOK {
		t.Errorf("not ready during the flood: %d %s", status, text)
	}
}
