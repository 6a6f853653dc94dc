package httpclient_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"steno/session/httpclient"
)

// A redirect is an answer, with a client of the caller's as well.
func TestRedirectIsNotFollowed(t *testing.T) {
	followed := false
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		followed = followed || r.URL.Path == "/elsewhere"
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}))
	defer s.Close()
	for name, base := range map[string]*http.Client{"own": nil, "given": s.Client()} {
		c := httpclient.New(base, 2)
		resp, err := c.Post(s.URL, "text/plain", strings.NewReader("secret"))
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		c.Close()
		if resp.StatusCode != http.StatusTemporaryRedirect || followed {
			t.Errorf("%s: status %d, followed: %v", name, resp.StatusCode, followed)
		}
	}
	if s.Client().CheckRedirect != nil {
		t.Error("the caller's client was changed")
	}
}
