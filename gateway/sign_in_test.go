package gateway

import (
	"net/http"
	"strings"
	"testing"
)

// Signing in exchanges a key for a cookie that no script reads, that no other site's page sends,
// and that ends with the sign-in.
func TestSignIn(t *testing.T) {
	r := newTestServer(t, nil)
	if a := r.do("GET", "/console/login", "", "x-service-key", ""); a.status != http.StatusOK || string(a.body) !=
		"null\n" {
		t.Errorf("nobody: %d %s", a.status, a.body)
	}
	if a := r.do("POST", "/console/login", "", "x-service-key", "", "Authorization",
		"Bearer nobody-has-this-key"); a.status != http.StatusUnauthorized {
		t.Errorf("unknown key: %d %s", a.status, a.body)
	}
	a := r.do("POST", "/console/login", "")
	cookie, attributes, _ := strings.Cut(a.header.Get("Set-Cookie"), "; ")
	if a.status != http.StatusCreated || !strings.Contains(attributes, "HttpOnly") || !strings.Contains(attributes,
		"SameSite=Strict") ||
		!strings.Contains(attributes, "Expires=") || !strings.Contains(attributes, "Max-Age=43") ||
		strings.Contains(string(a.body), strings.TrimPrefix(cookie, "steno_token=")) {
		t.Fatalf("%d %v %s", a.status, a.header, a.body)
	}
	signedIn := []string{"x-service-key", "", "Cookie", cookie, "Sec-Fetch-Site", "same-origin"}
	if a := r.do("GET", "/console/login", "", signedIn...); a.status != http.StatusOK ||
		!strings.Contains(string(a.body), `"scopes":["live","jobs","read","admin"]`) {
		t.Errorf("signed in: %d %s", a.status, a.body)
	}
	if a := r.do("POST", "/v2/live", "{}", signedIn...); a.status != http.StatusCreated {
		t.Errorf("session: %d %s", a.status, a.body)
	}
	id, _ := r.create("{}")
	if a := r.do("POST", "/v2/live/"+id+"/subscribers", "{}", signedIn...); a.status != http.StatusCreated {
		t.Errorf("token for captions: %d %s", a.status, a.body)
	}
	if a := r.do("POST", "/console/login", "", signedIn...); a.status != http.StatusForbidden {
		t.Errorf("a cookie prolongs itself: %d %s", a.status, a.body)
	}
	for _, foreign := range [][]string{{"Origin", "https://elsewhere.example"}, {"Sec-Fetch-Site", "cross-site"}, {}} {
		headers := append([]string{"x-service-key", "", "Cookie", cookie}, foreign...)
		if a := r.do("POST", "/v2/live", "{}", headers...); a.status != http.StatusUnauthorized {
			t.Errorf("%v: %d %s", foreign, a.status, a.body)
		}
	}
	if a := r.do("DELETE", "/console/login", "", signedIn...); a.status != http.StatusNoContent ||
		!strings.Contains(a.header.Get("Set-Cookie"), "steno_token=;") ||
		!strings.Contains(a.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("sign out: %d %v", a.status, a.header)
	}
	if a := r.do("GET", "/v2/models", "", signedIn...); a.status != http.StatusUnauthorized {
		t.Errorf("after signing out: %d %s", a.status, a.body)
	}
	if a := r.do("GET", "/console/login", "", signedIn...); string(a.body) != "null\n" {
		t.Errorf("after signing out: %d %s", a.status, a.body)
	}
}

// If clients reach the server by TLS, the cookie is only sent by TLS.
func TestSignInIsSecure(t *testing.T) {
	r := newTestServer(t, func(c *Config) { c.PublicURL = "https://speech.example" })
	if a := r.do("POST", "/console/login", ""); !strings.Contains(a.header.Get("Set-Cookie"), "; Secure") {
		t.Errorf("%d %v", a.status, a.header)
	}
}
