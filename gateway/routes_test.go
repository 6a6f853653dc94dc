package gateway

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// once makes a request and follows no redirect.
func (r *testServer) once(method, path string, headers ...string) answer {
	r.t.Helper()
	client := r.http.Client()
	follow := client.CheckRedirect
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	defer func() { client.CheckRedirect = follow }()
	return r.do(method, path, "", headers...)
}

// Every operation is reached with one slash more as well, by every method, and answers the same.
func TestTrailingSlash(t *testing.T) {
	r := newTestServer(t, nil)
	id, address := r.create(`{}`)
	for _, o := range slices.Concat(r.server.table(), r.server.openTable()) {
		path := strings.ReplaceAll(o.path, "{id}", id)
		if strings.HasSuffix(path, "/events") {
			path += "?from=x" // a stream would not end
		}
		for _, method := range []string{o.method, "HEAD", "OPTIONS", "PUT"} {
			if method == "DELETE" && !strings.HasPrefix(o.path, "/v2/live") {
				continue
			}
			plain, other := r.once(method, path), r.once(method, slashed(path))
			if other.status != plain.status || other.header.Get("Allow") != plain.header.Get("Allow") ||
				other.header.Get("Content-Type") != plain.header.Get("Content-Type") {
				t.Errorf("%s %s: %d %v, without the slash %d", method, path+"/", other.status, other.header, plain.status)
			}
		}
	}
	if a := r.do("POST", "/v2/live/?region=eu", `{}`); a.status != http.StatusCreated {
		t.Errorf("POST with a body: %d %s", a.status, a.body)
	}
	c := call(t, strings.Replace(address, "/v2/live?", "/v2/live/?", 1)).mustConnect()
	if err := errors.Join(c.send(speech(1, 1)), c.stop()); err != nil || c.end() != websocket.StatusNormalClosure {
		t.Errorf("socket: %v, closed with %d", err, c.code)
	}
	for _, path := range []string{"/v2/live/%2F", "/v2/live//"} {
		if a := r.once("GET", path); a.status != http.StatusNotFound {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

// A browser that is sent to the server's address comes to the documentation; programs get links that lead somewhere.
func TestRoot(t *testing.T) {
	r := newTestServer(t, nil)
	a := r.once("GET", "/", "x-service-key", "", "Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")
	if a.status != http.StatusSeeOther || a.header.Get("Location") != "/docs" {
		t.Errorf("browser: %d %v", a.status, a.header)
	}
	a = r.once("GET", "/", "x-service-key", "")
	var links map[string]string
	if err := json.Unmarshal(a.body, &links); err != nil || a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	for name, path := range links {
		if name == "name" {
			continue
		}
		if a := r.once("GET", path); a.status != http.StatusOK {
			t.Errorf("%s %s: %d", name, path, a.status)
		}
	}
}

// slashed is a path with a slash at its end.
func slashed(path string) string {
	path, query, found := strings.Cut(path, "?")
	if found {
		query = "?" + query
	}
	return path + "/" + query
}

// TestTable sees that every route is there once and says what it is.
func TestTable(t *testing.T) {
	r := newTestServer(t, nil)
	var seen []string
	for _, route := range r.server.table() {
		name := route.method + " " + route.path
		if slices.Contains(seen, name) || route.summary == "" {
			t.Errorf("%s: twice, or without a summary", name)
		}
		seen = append(seen, name)
		path := strings.ReplaceAll(route.path, "{id}", "x")
		if a := r.do(route.method, path, "", "x-service-key", ""); a.status != 401 {
			t.Errorf("%s without a key: %d", name, a.status)
		}
	}
}
