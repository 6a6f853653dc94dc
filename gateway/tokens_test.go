package gateway

import (
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/store"
)

// newScopedServer is a server with a key for each scope, named after it, and an expired one.
func newScopedServer(t *testing.T) *testServer {
	t.Helper()
	return newTestServer(t, func(c *Config) {
		for _, name := range store.AllScopes.Names() {
			scopes, err := store.ParseScopes([]string{name})
			if err != nil {
				t.Fatal(err)
			}
			c.Keys = append(c.Keys, Key{Text: "key-for-" + name, Scopes: scopes})
		}
		c.Keys = append(c.Keys, Key{Text: "key-that-expired", Expires: time.Now().Add(-time.Second)})
	})
}

// made is the answer to a request for a token.
type made struct {
	ID        string    `json:"id"`
	Token     string    `json:"token"`
	ExpiresAt time.Time `json:"expires_at"`
	URL       string    `json:"url"`
}

func (r *testServer) token(path, body string, headers ...string) made {
	r.t.Helper()
	a := r.do("POST", path, body, headers...)
	var got made
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != http.StatusCreated ||
		!strings.HasPrefix(got.Token, "tok_") {
		r.t.Fatalf("token: %d %s", a.status, a.body)
	}
	return got
}

// bearer sends a token as the only credential.
func bearer(token string) []string {
	return []string{"x-service-key", "", "Authorization", "Bearer " + token}
}

// TestAccessTokens compares what a token may do with what it was made for.
func TestAccessTokens(t *testing.T) {
	r := newScopedServer(t)
	own, _ := r.create(`{}`)
	other, _ := r.create(`{}`)
	status := func(method, path string, headers []string) int { return r.do(method, path, "{}", headers...).status }
	reader := r.token("/v2/live/"+own+"/subscribers", "")
	if reader.URL != r.http.URL+"/v2/live/"+own+"/events" {
		t.Errorf("url is %s", reader.URL)
	}
	for what, c := range map[string]struct {
		method, path string
		want         int
	}{
		"its session":          {"GET", "/v2/live/" + own, 200},
		"another session":      {"GET", "/v2/live/" + other, 403},
		"all sessions":         {"GET", "/v2/live", 403},
		"models":               {"GET", "/v2/models", 200},
		"a new session":        {"POST", "/v2/live", 403},
		"its session's end":    {"DELETE", "/v2/live/" + own, 403},
		"a token of a token":   {"POST", "/v2/tokens", 403},
		"the tokens":           {"GET", "/v2/tokens", 403},
		"a subscriber's token": {"POST", "/v2/live/" + own + "/subscribers", 403},
		"its own revocation":   {"DELETE", "/v2/tokens/" + reader.ID, 403},
		"a ticket":             {"POST", "/v2/tickets", 201},
		"another's events":     {"GET", "/v2/live/" + other + "/events", 403},
		"a part of all events": {"GET", "/v2/events?session=" + other, 403},
	} {
		if got := status(c.method, c.path, bearer(reader.Token)); got != c.want {
			t.Errorf("%s: %d, want %d", what, got, c.want)
		}
	}
	if got := status("GET", "/v2/live/"+own+"?token="+reader.Token, []string{"x-service-key", ""}); got != 401 {
		t.Errorf("token in the URL: %d", got)
	}
	if got := status("GET", "/v2/live/"+own+"/events?ticket="+reader.Token, []string{"x-service-key", ""}); got != 401 {
		t.Errorf("token for a ticket: %d", got)
	}
	ticket := r.ticket(testKey)
	if got := status("GET", "/v2/live/"+own+"?ticket="+ticket, []string{"x-service-key", ""}); got != 401 {
		t.Errorf("ticket for a record: %d", got)
	}

	live := r.token("/v2/tokens", `{"scopes":["live"],"lifetime":60}`)
	if left := time.Until(live.ExpiresAt); left <= 0 || left > time.Minute {
		t.Errorf("expires in %v", left)
	}
	if got := status("POST", "/v2/live", bearer(live.Token)); got != 201 {
		t.Errorf("new session: %d", got)
	}
	if got := status("POST", "/v2/live", []string{"x-service-key", live.Token}); got != 201 {
		t.Errorf("new session with the token for a key: %d", got)
	}
	named := r.token("/v2/tokens", `{"scopes":["live"],"sessions":["`+own+`"]}`)
	admin := r.token("/v2/tokens", `{"scopes":["live","admin"]}`)
	for what, c := range map[string]struct {
		method, path, token string
		want                int
	}{
		"list":                          {"GET", "/v2/live", live.Token, 401},
		"change any session":            {"PATCH", "/v2/live/" + own, live.Token, 403},
		"delete any session":            {"DELETE", "/v2/live/" + own, live.Token, 403},
		"change its session":            {"PATCH", "/v2/live/" + own, named.Token, 204},
		"change another session":        {"PATCH", "/v2/live/" + other, named.Token, 403},
		"change as an administrator":    {"PATCH", "/v2/live/" + other, admin.Token, 204},
		"open a session beside its own": {"POST", "/v2/live", named.Token, 403},
	} {
		if got := status(c.method, c.path, bearer(c.token)); got != c.want {
			t.Errorf("%s: %d, want %d", what, got, c.want)
		}
	}
	for _, id := range []string{named.ID, admin.ID} {
		if got := status("DELETE", "/v2/tokens/"+id, nil); got != 204 {
			t.Errorf("revoked: %d", got)
		}
	}
	for _, key := range []string{"key-for-read", "key-for-admin"} {
		if a := r.do("POST", "/v2/tokens", `{"scopes":["live"]}`, "x-service-key", key); a.status != 403 ||
			!strings.Contains(string(a.body), "lacks the scope live") {
			t.Errorf("more than %s allows: %d %s", key, a.status, a.body)
		}
	}
	r.listTokens("key-for-read")
	r.listTokens("key-for-admin", reader.ID, live.ID)
	if got := status("DELETE", "/v2/tokens/"+live.ID, []string{"x-service-key", "key-for-read"}); got != 404 {
		t.Errorf("revoked with another key: %d", got)
	}
	if got := status("DELETE", "/v2/tokens/"+live.ID, nil); got != 204 {
		t.Errorf("revoked: %d", got)
	}
	if a := r.do("POST", "/v2/live", `{}`, bearer(live.Token)...); a.status != 401 || !strings.Contains(string(a.body),
		"revoked") {
		t.Errorf("revoked token: %d %s", a.status, a.body)
	}
	r.listTokens(testKey, reader.ID)
	if strings.Contains(r.lines.String(), reader.Token) || strings.Contains(r.lines.String(), ticket) {
		t.Error("the log holds a token or ticket")
	}
}

// ticket makes a ticket for a key or token.
func (r *testServer) ticket(credential string) string {
	r.t.Helper()
	var got struct{ Ticket string }
	a := r.do("POST", "/v2/tickets", "", "x-service-key", credential)
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != http.StatusCreated {
		r.t.Fatalf("ticket: %d %s", a.status, a.body)
	}
	return got.Ticket
}

// listTokens checks which tokens a key can list.
func (r *testServer) listTokens(key string, want ...string) {
	r.t.Helper()
	a := r.do("GET", "/v2/tokens", "", "x-service-key", key)
	var list struct{ Items []made }
	if err := json.Unmarshal(a.body, &list); err != nil {
		r.t.Fatalf("%d %s", a.status, a.body)
	}
	var got []string
	for _, item := range list.Items {
		if got = append(got, item.ID); item.Token != "" {
			r.t.Error("a list tells tokens")
		}
	}
	if !slices.Equal(got, want) {
		r.t.Errorf("%s is told of %v, want %v", key, got, want)
	}
}

// Pages of the server itself may have the token in a cookie, pages of others may not.
func TestTokenCookie(t *testing.T) {
	r := newTestServer(t, nil)
	a := r.do("POST", "/v2/tokens", `{"cookie":true,"scopes":["read","live"]}`)
	set := a.header.Get("Set-Cookie")
	for _, part := range []string{"steno_token=tok_", "HttpOnly", "SameSite=Strict", "Path=/", "Expires=", "Max-Age="} {
		if !strings.Contains(set, part) {
			t.Errorf("cookie %q lacks %s", set, part)
		}
	}
	cookie, _, _ := strings.Cut(set, ";")
	for what, c := range map[string]struct {
		method  string
		headers []string
		want    int
	}{
		"read":                      {"GET", nil, 200},
		"create, no origin":         {"POST", nil, 401},
		"create, same origin":       {"POST", []string{"Origin", r.http.URL}, 201},
		"create, another origin":    {"POST", []string{"Origin", "https://elsewhere.example"}, 401},
		"read, another origin":      {"GET", []string{"Origin", "https://elsewhere.example"}, 401},
		"read, said to be cross":    {"GET", []string{"Sec-Fetch-Site", "cross-site"}, 401},
		"create, origin null":       {"POST", []string{"Origin", "null"}, 401},
		"create, said to be origin": {"POST", []string{"Sec-Fetch-Site", "same-origin"}, 201},
	} {
		if a := r.do(c.method, "/v2/live", "{}", append([]string{"x-service-key", "", "Cookie", cookie},
			c.headers...)...); a.status != c.want {
			t.Errorf("%s: %d, want %d: %s", what, a.status, c.want, a.body)
		}
	}
}

// addKeyUntil adds a key of the default account that expires.
func (w *bubble) addKeyUntil(text string, end time.Time) {
	w.t.Helper()
	hash := sha256.Sum256([]byte(text))
	err := w.store.AddKey(w.t.Context(), store.Key{Hash: hash[:], Account: DefaultAccount, CreatedAt: time.Now(),
		ExpiresAt: end})
	if err != nil {
		w.t.Fatal(err)
	}
}

// A key that expires ends its sessions and tokens, like one that is removed.
func TestExpiredKeyEndsItsSessions(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		const text = "the-key-that-expires"
		w.addKeyUntil(text, time.Now().Add(time.Minute))
		_, url := w.createWith(text)
		var token made
		if status := w.doWith(text, "POST", "/v2/tokens", `{"lifetime":3600}`, &token); status != 201 {
			t.Fatalf("token: %d", status)
		}
		if left := time.Until(token.ExpiresAt); left > time.Minute {
			t.Errorf("the token outlives its key by %v", left-time.Minute)
		}
		c := w.call(url)
		if err := c.send(speech(3, 1)); err != nil {
			t.Fatal(err)
		}
		c.ackedTo(96000)
		if status := w.doWith(token.Token, "GET", "/v2/live", "", nil); status != 200 {
			t.Errorf("token: %d", status)
		}
		time.Sleep(time.Minute)
		if code := c.end(); code != 4401 {
			t.Errorf("closed with %d", code)
		}
		for _, credential := range []string{text, token.Token} {
			if status := w.doWith(credential, "GET", "/v2/live", "", nil); status != 401 {
				t.Errorf("after the end: status %d", status)
			}
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
	})
}
