package gateway

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"steno/gateway/recovery"
	"steno/gateway/web"
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

// Every operation is also reached with a final slash, by every method, with the same answer.
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
				t.Errorf("%s %s: %d %v, without the slash %d", method, path+"/", other.status, other.header,
					plain.status)
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

// A browser at the server's address is sent to the console; programs get working links.
func TestRoot(t *testing.T) {
	r := newTestServer(t, nil)
	a := r.once("GET", "/", "x-service-key", "", "Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")
	if a.status != http.StatusSeeOther || a.header.Get("Location") != "/console" {
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

// slashed returns a path with a slash at its end.
func slashed(path string) string {
	path, query, found := strings.Cut(path, "?")
	if found {
		query = "?" + query
	}
	return path + "/" + query
}

// TestTable checks that every route is listed once, has a summary and requires a key.
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
		want := 401
		if name == "GET /v2/live" { // is a session's socket, but this is none
			want = http.StatusUpgradeRequired
		}
		if a := r.do(route.method, path, "", "x-service-key", "", "Upgrade", "websocket"); a.status != want {
			t.Errorf("%s without a key, as a WebSocket: %d", name, a.status)
		}
	}
}

// Every answer has an id, even without a route, and those to clients have the headers for browsers.
func TestEveryAnswerHasItsHeaders(t *testing.T) {
	r := newTestServer(t, nil)
	for _, tc := range []struct {
		name, method, path string
		admin              bool
		status             int
	}{
		{"route", "GET", "/v2/models", false, 401},
		{"open route", "GET", "/healthz", false, 200},
		{"no route", "GET", "/nothing", false, 404},
		{"another method", "PUT", "/v2/live", false, 405},
		{"two slashes", "GET", "//v2/live", false, 307},
		{"dots", "POST", "/v2/../v2/live", false, 307},
		{"authority", "CONNECT", "example.com:443", false, 405},
		{"preflight", "OPTIONS", "/v2/live", false, 204},
		{"preflight of no route", "OPTIONS", "/nothing", false, 204},
		{"preflight of two slashes", "OPTIONS", "//v2/live", false, 204},
		{"profile", "GET", "/debug/pprof/cmdline", true, 200},
		{"another method of a profile", "POST", "/debug/pprof/symbol", true, 404},
		{"profiles without their slash", "GET", "/debug/pprof", true, 307},
		{"metrics", "GET", "/metrics", true, 200},
		{"no preflight", "OPTIONS", "/metrics", true, 204},
		{"another method for operators", "POST", "/readyz", true, 405},
		{"no route for operators", "GET", "/metrics/", true, 404},
	} {
		rec, req := httptest.NewRecorder(), httptest.NewRequest(tc.method, tc.path, nil)
		req.Header.Set("Access-Control-Request-Method", "POST")
		handler := r.server.handler
		if tc.admin {
			handler = r.server.admin
		}
		handler.ServeHTTP(rec, req)
		h := rec.Header()
		if rec.Code != tc.status || len(h.Values("X-Request-Id")) != 1 || len(h.Get("X-Request-Id")) !=
			len("G-00000000") {
			t.Errorf("%s: %d %v", tc.name, rec.Code, h)
		}
		if origins := h.Values("Access-Control-Allow-Origin"); tc.admin && len(origins) > 0 || !tc.admin &&
			!slices.Equal(origins, []string{"*"}) {
			t.Errorf("%s: allowed origins %q", tc.name, origins)
		}
		if preflight := !tc.admin && tc.method == "OPTIONS"; preflight != (h.Get("Access-Control-Max-Age") != "") {
			t.Errorf("%s: %v", tc.name, h)
		}
	}
}

// A handler that panics is answered with 500, unless it has already answered.
func TestPanicInAHandler(t *testing.T) {
	r := newTestServer(t, nil)
	for name, tc := range map[string]struct {
		handle web.Handler
		status int
	}{
		"before the answer": {func(http.ResponseWriter, *http.Request) error { panic("fault") }, 500},
		"within the answer": {func(w http.ResponseWriter, _ *http.Request) error {
			w.WriteHeader(http.StatusAccepted)
			panic("fault")
		}, 202},
	} {
		rec := httptest.NewRecorder()
		handler := r.server.operation(unaudited, access{open: true}, tc.handle)
		handler.ServeHTTP(rec, httptest.NewRequest("GET", "/v2/live", nil))
		if rec.Code != tc.status || rec.Header().Get("X-Request-Id") == "" {
			t.Errorf("%s: %d %v", name, rec.Code, rec.Header())
		}
	}
	if n := counted(t, r.server, "steno_panics_total", recovery.Request); n != 2 {
		t.Errorf("%v panics were counted", n)
	}
}
