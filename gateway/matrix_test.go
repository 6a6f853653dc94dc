package gateway

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"steno/gateway/dialect/registry"
	"steno/session/store"
)

// want returns the status with which a bearer must be refused; 0: it must not be.
func (n *need) want(b *bearerOf) int {
	switch {
	case n.has("open"):
		return 0
	case b.account == "" || b.ticket && !n.has("ticket"):
		if n.has("optional") {
			return 0
		}
		return http.StatusUnauthorized
	case n.has("optional"):
		return 0
	case n.scopes&^b.scopes != 0 && n.has("public"):
		return http.StatusUnauthorized
	case n.scopes&^b.scopes != 0, n.has("some") && b.scopes&^store.ScopeAdmin == 0:
		return http.StatusForbidden
	case n.has("operators") && b.account == strangers:
		return http.StatusForbidden
	}
	return n.wantOfToken(b)
}

// wantOfToken is want of one whose scopes suffice.
func (n *need) wantOfToken(b *bearerOf) int {
	allowed := true
	switch {
	case !b.token:
		allowed = !n.has("signed")
	case b.signedIn:
		allowed = !n.has("key")
	case n.has("own") || n.has("key") || n.has("signed"):
		allowed = false
	case b.of != "" && !n.has("any") && (n.of != "live" || b.of != "own"):
		allowed = false
	case b.isShare():
		allowed = n.has("shared") || n.has("words") && b.finals || n.has("sound") && b.audio
	case n.has("change") && b.of == "":
		allowed = b.scopes.Has(store.ScopeAdmin)
	}
	if allowed {
		return 0
	}
	return http.StatusForbidden
}

// Every operation refuses everyone but those whom the data names, and answers them. What belongs to
// another account is not found.
func TestAuthorizationMatrix(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	bearers := m.bearers()
	seen := map[string]bool{}
	for _, o := range clientTable(m.server) {
		name := o.method + " " + o.path
		line, ok := required[name]
		if !ok {
			t.Errorf("%s: the data does not state what it asks of its callers", name)
			continue
		}
		seen[name] = true
		n := needOf(line)
		for _, b := range bearers {
			m.check(&o, &n, b)
		}
	}
	for name := range required {
		if !seen[name] {
			t.Errorf("%s: there is no such operation", name)
		}
	}
}

// check makes one request and compares the answer with what it must be.
func (m *matrix) check(o *route, n *need, b *bearerOf) {
	m.t.Helper()
	stranger := b.account == strangers
	if n.has("stream") && stranger && n.of == "" {
		return // would not end
	}
	rec := m.ask(o, n, b)
	want, name := n.want(b), o.method+" "+o.path+" by "+b.name
	deeper := strings.Contains(rec.Body.String(), "no such delivery of this job")
	refused := rec.Code == http.StatusUnauthorized || rec.Code == http.StatusForbidden
	switch {
	case rec.Code == http.StatusTooManyRequests || rec.Code == http.StatusInternalServerError:
		m.t.Errorf("%s: %d %s", name, rec.Code, rec.Body)
	case want != 0 && rec.Code != want, want == 0 && refused:
		m.t.Errorf("%s: %d, want %d (0: not refused): %s", name, rec.Code, want, rec.Body)
	case want == 0 && n.of != "" && stranger && (rec.Code != http.StatusNotFound || deeper):
		m.t.Errorf("%s: %d, want 404: %s", name, rec.Code, rec.Body)
	case want == 0 && n.of != "" && !stranger && rec.Code == http.StatusNotFound && !deeper:
		m.t.Errorf("%s: what its owner asks for is not found: %s", name, rec.Body)
	}
	if b.name == "expired key" && want != 0 && !strings.Contains(rec.Body.String(), "has expired") {
		m.t.Errorf("%s: does not tell that it has expired: %s", name, rec.Body)
	}
	if missing := n.scopes &^ b.scopes; want == http.StatusForbidden && missing != 0 && !n.has("own") &&
		!strings.Contains(rec.Body.String(), "lacks the scope "+missing.String()) {
		m.t.Errorf("%s: does not name the scopes %s: %s", name, missing, rec.Body)
	}
	if (stranger || want != 0) && bytes.Contains(rec.Body.Bytes(), []byte(marked)) {
		m.t.Errorf("%s: shows what is another account's: %s", name, rec.Body)
	}
}

// operatorsOnly are the paths that only the listener for operators answers.
var operatorsOnly = []string{"/metrics", "/debug/pprof/", "/debug/pprof/cmdline", "/debug/pprof/profile?seconds=1",
	"/debug/pprof/symbol", "/debug/pprof/trace?seconds=1"}

// Operations for operators are not there for clients, whatever they bring.
func TestClientsReachNothingOfOperators(t *testing.T) {
	m := newMatrix(t)
	key := m.newKey(DefaultAccount, store.AllScopes)
	for _, path := range operatorsOnly {
		for _, method := range []string{"GET", "POST", "HEAD"} {
			req := httptest.NewRequestWithContext(t.Context(), method, path, nil)
			req.Header.Set("x-service-key", key)
			rec := httptest.NewRecorder()
			m.server.handler.ServeHTTP(rec, req)
			if rec.Code != http.StatusNotFound {
				t.Errorf("%s %s: %d", method, path, rec.Code)
			}
		}
	}
}

// Every socket of a dialect is opened by keys and tokens that may make sessions, and by nothing
// else.
func TestAuthorizationOfSockets(t *testing.T) {
	m := newMatrix(t)
	n := needOf(": live")
	for _, d := range registry.All() {
		for _, path := range d.Paths {
			i := slices.IndexFunc(dialectDoors, func(d door) bool {
				at, _, _ := strings.Cut(strings.ReplaceAll(d.path, "KEY", "{key}"), "?")
				return at == path
			})
			if i < 0 && path != "/v2/live" {
				t.Errorf("%s: the data does not state how clients bring a key", path)
			}
		}
	}
	for _, b := range m.bearers() {
		if b.ticket || b.of != "" || b.name == "nobody" || b.name == "a key's hash" {
			continue // what a handshake has no place for
		}
		credential := b.text
		if b.present != nil {
			credential = b.present()
		}
		for _, d := range dialectDoors {
			conn, resp, err := d.knock(t, m.testServer, credential)
			if err == nil {
				_ = conn.CloseNow()
			}
			want := n.want(b)
			if want == 0 {
				want = http.StatusSwitchingProtocols
			}
			if resp == nil || resp.StatusCode != want {
				t.Errorf("%s by %s: %v %v, want %d", d.path, b.name, resp, err, want)
			}
		}
	}
}
