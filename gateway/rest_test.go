package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
)

const noSuchJob = "/v2/live/6a2f41a3-8a0e-4b1d-9b57-2d1f0c6de001"

// TestErrors goes through the statuses the API answers with and the shape of their bodies.
func TestErrors(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.Limits.Body = 1000 })
	r.engines.languages = []string{"en"}
	id, _ := r.create(`{}`)
	for _, tc := range []struct {
		name, method, path, body string
		headers                  []string
		status                   int
		message                  string // a part of it
		faults                   []string
	}{
		{name: "no key", method: "GET", path: "/v2/live", headers: []string{"x-service-key", ""}, status: 401,
			message: "missing"},
		{name: "unknown key", method: "GET", path: "/v2/live", headers: []string{"x-service-key", "x"}, status: 401,
			message: "unknown"},
		{name: "long key", method: "POST", path: "/v2/live", headers: []string{"x-service-key",
			strings.Repeat("x", 5000)}, status: 401},
		{name: "bad JSON", method: "POST", path: "/v2/live", body: `{`, status: 400, faults: []string{"the body"}},
		{name: "no object", method: "POST", path: "/v2/live", body: `[]`, status: 400, faults: []string{"the body"}},
		{name: "faults", method: "POST", path: "/v2/live",
			body: `{"endpointing":0,"channels":9,"messages_config":{"receive_errors":1}}`, status: 400,
			faults: []string{"endpointing", "channels", "messages_config.receive_errors"}},
		{name: "model", method: "POST", path: "/v2/live", body: `{"model":"stt-3"}`, status: 422},
		{name: "language", method: "POST", path: "/v2/live", body: `{"language_config":{"languages":["fr"]}}`,
			status: 422, message: "fr"},
		{name: "long body", method: "POST", path: "/v2/live", body: `{"x":"` + strings.Repeat("x", 1000) + `"}`,
			status: 413},
		{name: "list faults", method: "GET", path: "/v2/live?limit=0&offset=-1&status=x&date=today", status: 400,
			faults: []string{"limit", "offset", "status", "date"}},
		{name: "no job", method: "GET", path: noSuchJob, status: 404, message: "does not exist"},
		{name: "no id", method: "GET", path: "/v2/live/nonsense", status: 404},
		{name: "no job to patch", method: "PATCH", path: noSuchJob, body: `{}`, status: 404},
		{name: "no job to delete", method: "DELETE", path: noSuchJob, status: 404},
		{name: "no file", method: "GET", path: noSuchJob + "/file", status: 404},
		{name: "not finished", method: "DELETE", path: "/v2/live/" + id, status: 403},
		{name: "bad patch", method: "PATCH", path: "/v2/live/" + id, body: `"x"`, status: 400,
			faults: []string{"the body"}},
		{name: "long patch", method: "PATCH", path: "/v2/live/" + id, body: `{"x":"` + strings.Repeat("x", 70_000) +
			`"}`, status: 413},
		{name: "no endpoint", method: "GET", path: "/v2/nothing", status: 404},
		{name: "method of the root", method: "POST", path: "/", status: 405},
		{name: "method", method: "PUT", path: "/v2/live", status: 405},
		{name: "method of a job", method: "POST", path: "/v2/live/" + id, status: 405},
		{name: "odd method", method: "BREW", path: "/healthz", status: 405},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := r.do(tc.method, tc.path, tc.body, tc.headers...)
			path, _, _ := strings.Cut(tc.path, "?")
			checkError(t, a, tc.status, path)
			var body messages.ErrorBody
			_ = json.Unmarshal(a.body, &body) // checked by checkError
			if !strings.Contains(body.Message, tc.message) {
				t.Errorf("message %q", body.Message)
			}
			if len(body.ValidationErrors) != len(tc.faults) {
				t.Errorf("faults %q", body.ValidationErrors)
			}
			for _, f := range tc.faults {
				if !slices.ContainsFunc(body.ValidationErrors,
					func(e string) bool { return strings.HasPrefix(e, f+" must ") }) {
					t.Errorf("no fault of %s among %q", f, body.ValidationErrors)
				}
			}
			if tc.status == 405 && a.header.Get("Allow") == "" {
				t.Error("no Allow header")
			}
		})
	}
	if strings.Contains(r.lines.String(), strings.Repeat("x", 300)) {
		t.Error("the log repeats what clients send")
	}
}

// The log has the reason of a refusal and the names of faulty fields, but no value.
func TestRefusalsAreLogged(t *testing.T) {
	r := newTestServer(t, nil)
	r.do("POST", "/v2/live",
		`{"sample_rate":"secret-rate","custom_metadata":{"a":["secret-list"]},"encoding":"secret-encoding"}`)
	r.do("GET", noSuchJob, "")
	type line struct {
		Message, Reason string
		Status          int
		Fields          []string
	}
	var refused []line
	for text := range strings.Lines(r.lines.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		refused = append(refused, l)
	}
	if len(refused) != 2 {
		t.Fatalf("%d lines: %s", len(refused), r.lines)
	}
	first, second := refused[0], refused[1]
	slices.Sort(first.Fields)
	if first.Message != "request refused" || first.Status != 400 || first.Reason == "" ||
		len(first.Fields) != 2 || !strings.HasPrefix(first.Fields[0], "encoding must be one of wav/pcm") ||
		first.Fields[1] != "sample_rate must be an integer" {
		t.Errorf("%+v", first)
	}
	if second.Status != 404 || !strings.Contains(second.Reason, "does not exist") || second.Fields != nil {
		t.Errorf("%+v", second)
	}
	if strings.Contains(r.lines.String(), "secret-") {
		t.Errorf("a value was logged: %s", r.lines)
	}
}

var requestIDForm = regexp.MustCompile(`^G-[0-9a-f]{8}$`)

// checkError checks that an error answer has the common form.
func checkError(t testing.TB, a answer, status int, path string) {
	t.Helper()
	var body map[string]any
	if err := json.Unmarshal(a.body, &body); err != nil {
		t.Fatalf("%d %q: %v", a.status, a.body, err)
	}
	if a.status != status || body["statusCode"] != float64(status) {
		t.Errorf("status %d, in the body %v, want %d: %s", a.status, body["statusCode"], status, a.body)
	}
	id, _ := body["request_id"].(string)
	if body["path"] != path || !requestIDForm.MatchString(id) || a.header.Get("X-Request-Id") != id {
		t.Errorf("path %v, request id %v", body["path"], body["request_id"])
	}
	stamp, _ := body["timestamp"].(string)
	if _, err := time.Parse("2006-01-02T15:04:05.000Z", stamp); err != nil {
		t.Errorf("timestamp %q", stamp)
	}
	if _, ok := body["message"].(string); !ok {
		t.Errorf("message %v", body["message"])
	}
	if got := a.header.Get("Content-Type"); got != "application/json" {
		t.Errorf("content type %q", got)
	}
}

// keyOf returns a key in its stored form.
func keyOf(account, text string) store.Key {
	hash := sha256.Sum256([]byte(text))
	return store.Key{Hash: hash[:], Account: account, CreatedAt: time.Now()}
}

func TestLimitsOfAdmission(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.Limits.KeySessions, c.Limits.Sessions = 1, 2 })
	for _, name := range []string{"other", "third"} {
		if err := r.store.AddKey(t.Context(), keyOf(name, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		key    string
		status int
	}{{testKey, 201}, {testKey, 429}, {"other", 201}, {"third", 503}} {
		a := r.do("POST", "/v2/live", `{}`, "x-service-key", "", "x-gladia-key", tc.key)
		if a.status != tc.status {
			t.Fatalf("%s: status %d, want %d", tc.key, a.status, tc.status)
		}
		if tc.status >= 400 && a.header.Get("Retry-After") == "" {
			t.Errorf("%d without Retry-After", tc.status)
		}
	}
}

func TestCreated(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	a := r.do("POST", "/v2/live?region=eu-west", `{"encoding":"PCM"}`, "Content-Type", "text/plain",
		"X-Forwarded-Proto", "https")
	var got struct{ ID, URL, Created_at string }
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != 201 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	u, err := url.Parse(got.URL)
	if err != nil || u.Scheme != "wss" || u.Path != "/v2/live" || len(u.Query().Get("token")) < 20 {
		t.Errorf("address %q", got.URL)
	}
	if strings.Contains(got.URL, got.ID) {
		t.Error("the token is the id")
	}
	job := r.job(got.ID)
	if job.Status != messages.StatusQueued || job.RequestID != messages.RequestID(got.ID) || job.Version != 2 ||
		job.Kind != messages.JobLive || job.File != nil || string(job.Result) != "null" {
		t.Errorf("job %+v", job)
	}
	var params messages.LiveRequest
	if err := json.Unmarshal(job.RequestParams, &params); err != nil || params.Encoding != "wav/pcm" ||
		params.SampleRate != 16000 {
		t.Errorf("request_params %s", job.RequestParams)
	}
}

func TestPublicURL(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.PublicURL = "https://stt.example.com/" })
	_, address := r.create(`{}`)
	if !strings.HasPrefix(address, "wss://stt.example.com/v2/live?token=") {
		t.Errorf("address %q", address)
	}
	for _, bad := range []string{"stt.example.com", "ftp://x", "://", "http://"} {
		if _, err := New(Config{PublicURL: bad}, Deps{Store: r.store}); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestList(t *testing.T) {
	r := newTestServer(t, nil)
	var ids []string
	for i := range 5 {
		id, _ := r.create(`{"custom_metadata":{"n":"` + string(rune('a'+i%2)) + `","deep":{"x":1}}}`)
		ids = append(ids, id)
	}
	slices.Reverse(ids)
	for _, path := range []string{"/v2/live", "/v2/transcription"} {
		var got []string
		next := path + "?limit=2&status=queued&status=processing&custom_metadata[deep][x]=1&kind=live"
		for pages := 0; next != ""; pages++ {
			a := r.do("GET", strings.TrimPrefix(next, r.http.URL), "")
			var page messages.Page
			if err := json.Unmarshal(a.body, &page); err != nil || a.status != 200 || pages > 3 {
				t.Fatalf("%d %s", a.status, a.body)
			}
			for _, j := range page.Items {
				got = append(got, j.ID)
			}
			for _, link := range []string{page.First, page.Current} {
				checkLink(t, r, link)
			}
			next = ""
			if page.Next != nil {
				checkLink(t, r, *page.Next)
				next = *page.Next
			}
		}
		if !slices.Equal(got, ids) {
			t.Errorf("%s: %v, want %v", path, got, ids)
		}
	}
	a := r.do("GET", "/v2/transcription?kind=pre-recorded", "")
	if !bytes.Contains(a.body, []byte(`"items":[]`)) {
		t.Errorf("pre-recorded jobs: %s", a.body)
	}
}

// checkLink checks that a page's link is absolute, leads to the common list and keeps the filters.
func checkLink(t *testing.T, r *testServer, link string) {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil || u.Scheme+"://"+u.Host != r.http.URL || u.Path != "/v2/transcription" {
		t.Fatalf("link %q", link)
	}
	q := u.Query()
	if q.Get("limit") != "2" || len(q["status"]) != 2 || q.Get("kind") != "live" || q.Get("custom_metadata") == "" {
		t.Errorf("link %q has lost filters", link)
	}
}

func TestMetadataAndDelete(t *testing.T) {
	r := newTestServer(t, nil)
	id, _ := play(t, r, `{"custom_metadata":{"big":12345678901234567890}}`, speech(2, 1))
	if a := r.do("PATCH", "/v2/live/"+id, `{"a":{"b":1.50}}`); a.status != 204 || len(a.body) > 0 {
		t.Fatalf("patch: %d %s", a.status, a.body)
	}
	a := r.do("GET", "/v2/transcription/"+id, "")
	for _, want := range []string{`"post_session_metadata":{"a":{"b":1.50}}`, `12345678901234567890`} {
		if !bytes.Contains(a.body, []byte(want)) {
			t.Errorf("%s is not in %.300s", want, a.body)
		}
	}
	if a := r.do("DELETE", "/v2/live/"+id, ""); a.status != 202 || len(a.body) > 0 {
		t.Fatalf("delete: %d %s", a.status, a.body)
	}
	for _, path := range []string{"/v2/live/" + id, "/v2/live/" + id + "/file"} {
		checkError(t, r.do("GET", path, ""), 404, path)
	}
}

func TestFileRanges(t *testing.T) {
	r := newTestServer(t, nil)
	sound := speech(1, 7)
	id, _ := play(t, r, `{}`, sound)
	path := "/v2/live/" + id + "/file"
	a := r.do("GET", path, "", "Range", "bytes=40-143")
	if a.status != http.StatusPartialContent || len(a.body) != 104 || !bytes.Equal(a.body[4:], sound[:100]) {
		t.Errorf("range: %d, %d bytes", a.status, len(a.body))
	}
	a = r.do("GET", path, "", "Range", "bytes=-10")
	if a.status != http.StatusPartialContent || !bytes.Equal(a.body, sound[len(sound)-10:]) {
		t.Errorf("suffix range: %d, %d bytes", a.status, len(a.body))
	}
	if a := r.do("HEAD", path, ""); a.status != 200 || a.header.Get("Content-Type") != "audio/wav" {
		t.Errorf("HEAD: %d %v", a.status, a.header)
	}
}

func TestCORS(t *testing.T) {
	r := newTestServer(t, nil)
	a := r.do("OPTIONS", "/v2/live", "", "x-service-key", "", "Origin", "https://app.example.com",
		"Access-Control-Request-Method", "POST")
	if a.status != 204 || a.header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.Contains(a.header.Get("Access-Control-Allow-Methods"), "PATCH") ||
		!strings.Contains(a.header.Get("Access-Control-Allow-Headers"), "x-gladia-key") {
		t.Errorf("preflight: %d %v", a.status, a.header)
	}
	if a := r.do("GET", "/v2/live", "", "x-service-key", ""); a.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Error("a browser could not read the error")
	}
	if a := r.do("OPTIONS", "/v2/live", ""); a.status != 204 || !strings.Contains(a.header.Get("Allow"), "POST") {
		t.Errorf("OPTIONS: %d %v", a.status, a.header)
	}
}

// A preflight is granted the headers it asks for: some clients send their own. Invalid names are
// not repeated, and no request makes the answer long.
func TestCORSRepeatsHeaders(t *testing.T) {
	r := newTestServer(t, nil)
	preflight := func(asked string) []string {
		a := r.do("OPTIONS", "/v2/live/", "", "x-service-key", "", "Origin", "https://app.example.com",
			"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", asked)
		if a.status != 204 {
			t.Fatalf("%q: %d", asked, a.status)
		}
		return strings.Split(strings.ToLower(a.header.Get("Access-Control-Allow-Headers")), ", ")
	}
	got := preflight("authorization,X-SDK-Version, Content-Type,bad name,<script>,é," + strings.Repeat("x", 200))
	for _, name := range []string{"authorization", "x-sdk-version", "content-type", "x-service-key"} {
		if !slices.Contains(got, name) {
			t.Errorf("%s is not allowed: %q", name, got)
		}
	}
	if len(got) != 6 { // with x-gladia-key, x-gladia-version
		t.Errorf("%q", got)
	}
	if got := preflight(strings.Repeat("a,b1,b2,b3,", 5) + strings.Join(manyNames(500), ",")); len(got) > 64 {
		t.Errorf("%d headers", len(got))
	}
}

func manyNames(n int) (names []string) {
	for i := range n {
		names = append(names, "x-"+strconv.Itoa(i))
	}
	return names
}

func TestHealthAndMetrics(t *testing.T) {
	r := newTestServer(t, nil)
	for _, path := range []string{"/healthz", "/readyz"} {
		if a := r.do("GET", path, "", "x-service-key", ""); a.status != 200 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	play(t, r, `{}`, speech(3, 1))
	got := adminGet(t, r, "/metrics")
	for _, name := range []string{"steno_sessions_created_total 1", "steno_sockets_total 1",
		"steno_audio_bytes_total 96000", "steno_final_delay_seconds_count"} {
		if !strings.Contains(got, name) {
			t.Errorf("metrics lack %s", name)
		}
	}
	r.server.Drain(context.Background())
	a := r.do("GET", "/readyz", "")
	checkError(t, a, 503, "/readyz")
	checkError(t, r.do("POST", "/v2/live", `{}`), 503, "/v2/live")
	if r.do("GET", "/healthz", "").status != 200 {
		t.Error("not alive while draining")
	}
}

func adminGet(t *testing.T, r *testServer, path string) string {
	t.Helper()
	rec := httptest.NewRecorder()
	r.server.admin.ServeHTTP(rec, httptest.NewRequest("GET", path, nil))
	if rec.Code != 200 {
		t.Fatalf("%s: %d", path, rec.Code)
	}
	return rec.Body.String()
}
