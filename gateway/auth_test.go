package gateway

import (
	"encoding/base64"
	"net/http"
	"testing"
)

// TestKeyInAuthorization sends the key as clients do that know no other header, or only an address.
func TestKeyInAuthorization(t *testing.T) {
	r := newTestServer(t, nil)
	basic := func(name, password string) string {
		return "Basic " + base64.StdEncoding.EncodeToString([]byte(name+":"+password))
	}
	for _, c := range []struct{ name, key, authorization string }{
		{"bearer", "", "Bearer " + testKey},
		{"token", "", "token " + testKey},
		{"password of an address", "", basic("bot", testKey)},
	} {
		if a := r.do("GET", "/v2/live", "", "x-service-key", c.key, "Authorization", c.authorization); a.status !=
			http.StatusOK {
			t.Errorf("%s: status %d: %s", c.name, a.status, a.body)
		}
	}
	for _, c := range []struct{ name, key, authorization string }{
		{"name of an address", "", basic(testKey, "")},
		{"no scheme", "", testKey},
		{"another scheme", "", "Digest " + testKey},
		{"another key", "", "Bearer no"},
		{"key header first", "no", "Bearer " + testKey},
	} {
		if a := r.do("GET", "/v2/live", "", "x-service-key", c.key, "Authorization", c.authorization); a.status !=
			http.StatusUnauthorized {
			t.Errorf("%s: status %d: %s", c.name, a.status, a.body)
		}
	}
}
