package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"steno/gateway/audit"
)

// Every operation states what the audit log calls it, or that it is not in it.
func TestEveryOperationStatesItsAction(t *testing.T) {
	r := newTestServer(t, nil)
	form := regexp.MustCompile(`^([a-z]+\.[a-z_]+|-)$`)
	for _, o := range slices.Concat(clientTable(r.server), operatorTable(r.server, access{operator: true})) {
		if !form.MatchString(string(o.does)) {
			t.Errorf("%s %s: states neither an action nor unaudited: %q", o.method, o.path, o.does)
		}
	}
}

// auditedServer returns a server with an audit log, which trusts proxies on this machine.
func auditedServer(t *testing.T) (r *testServer, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "audit.log")
	log, err := audit.Open(path, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	r = newTestServer(t, func(c *Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	r.audit, r.media = log, newDecoder(t)
	r.restart()
	return r, path
}

// audited reads the lines of a closed log, and checks what all have.
func audited(t *testing.T, text []byte) (all []string, ids []string) {
	t.Helper()
	hash := sha256.Sum256([]byte(testKey))
	for text := range bytes.Lines(text) {
		var l audit.Line
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		known := l.Account != ""
		if l.Time.IsZero() || known != (l.Key == hex.EncodeToString(hash[:])[:12]) || known != (l.Credential != "") {
			t.Errorf("%s", text)
		}
		if want := "127.0.0.1"; l.Address != want && l.Action != "record.delete" {
			t.Errorf("address is not %s: %s", want, text)
		}
		all = append(all, fmt.Sprintf("%s|%s|%s|%s|%s|%s|%d", l.Action, l.Method, l.Account, l.Credential, l.Object,
			l.In, l.Status))
		ids = append(ids, l.RequestID+" "+l.Address)
	}
	return all, ids
}

// The audit log has a line for each request that it is for, of whoever makes it, and nothing of
// what was said or of credentials.
func TestAuditLog(t *testing.T) {
	r, path := auditedServer(t)
	id := sharedSession(r)
	link := r.token("/v2/live/"+id+"/subscribers", "{}")
	token := r.token("/v2/tokens", `{"scopes":["read"]}`)
	ticket := r.ticket(testKey)
	wrong, none := "key-that-is-nowhere", "00000000-0000-0000-0000-000000000000"
	want := []string{
		"session.create|POST|default|key|" + id + "||201", "live.connect|GET|default|session|" + id + "||101",
		"record.change|PATCH|default|key|" + id + "||204",
		"token.create|POST|default|key|" + link.ID + "|" + id + "|201",
		"token.create|POST|default|key|" + token.ID + "||201", "ticket.create|POST|default|key|||201",
	}
	for _, step := range []struct {
		method, path, body string
		headers            []string
		line               string // empty: none
	}{
		{"GET", "/v2/live/" + id, "", nil, "record.read|GET|default|key|" + id + "||200"},
		{"GET", "/v2/live/" + id + "/transcript?format=txt&x=" + private, "", bearer(token.Token),
			"record.read|GET|default|token|" + id + "||200"},
		{"GET", "/v2/live/" + id, "", bearer(link.Token), "record.read|GET|default|share link|" + id + "||200"},
		{"GET", "/v2/live/" + id + "/file", "", bearer(link.Token),
			"audio.read|GET|default|share link|" + id + "||403"},
		{"GET", "/v2/live/" + id + "/file", "", []string{"Range", "bytes=0-9"},
			"audio.read|GET|default|key|" + id + "||206"},
		{"GET", "/v2/live/" + id + "/events?ticket=" + ticket, "", []string{"x-service-key", ""},
			"events.follow|GET|default|ticket|" + id + "||200"},
		{"GET", "/v2/live", "", nil, "record.list|GET|default|key|||200"},
		{"GET", "/v2/live", "", []string{"x-service-key", wrong}, "record.list|GET||||" + "|401"},
		{"GET", "/v2/models", "", []string{"x-service-key", wrong}, "refused|GET||||" + "|401"},
		{"GET", "/v2/models", "", nil, ""}, {"GET", "/healthz", "", nil, ""}, {"GET", "/console", "", nil, ""},
		{"POST", "/console/login", "", []string{"x-service-key", wrong}, "console.sign_in|POST||||" + "|401"},
		{"DELETE", "/v2/tokens/" + token.ID, "", nil, "token.revoke|DELETE|default|key|" + token.ID + "||204"},
		{"GET", "/v2/live/" + wrong, "", nil, "record.read|GET|default|key|||404"},
		{"GET", "/file/" + none, "", nil, "upload.read|GET|default|key|" + none + "||404"},
		{"DELETE", "/v2/live/" + id, "", []string{"X-Forwarded-For", "203.0.113.7"},
			"record.delete|DELETE|default|key|" + id + "||202"},
	} {
		a := r.do(step.method, step.path, step.body, step.headers...)
		if step.line == "" {
			continue
		}
		want = append(want, step.line)
		if !strings.HasSuffix(step.line, fmt.Sprintf("|%d", a.status)) {
			t.Errorf("%s %s: %d, want %s", step.method, step.path, a.status, step.line)
		}
	}
	for _, at := range []string{"/v2/live?token=" + wrong, "/vosk/" + wrong} {
		if conn, _, err := websocket.Dial(t.Context(), r.http.URL+at, nil); err == nil {
			_, _, _ = conn.Read(t.Context()) // until it is closed
			_ = conn.CloseNow()
		}
		want = append(want, "live.connect|GET||||"+"|401")
	}
	a := r.openAI("/v1/audio/transcriptions", wavOf(speech(4, 5), 16000, 1), "model", "whisper-1", "prompt", private)
	file := a.header.Get("X-Request-Id")
	r.stop()
	if err := r.audit.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines, ids := audited(t, text)
	if last := len(lines) - 1; !strings.HasPrefix(lines[last], "dialect.openai|POST|default|key|") ||
		!strings.HasSuffix(lines[last], "||200") || ids[last] != file+" 127.0.0.1" || a.status != 200 {
		t.Errorf("%d, last line %s %s, want the file of request %s", a.status, lines[last], ids[last], file)
	} else if lines, ids = lines[:last], ids[:last]; !slices.ContainsFunc(ids, func(id string) bool {
		return strings.HasSuffix(id, " 203.0.113.7")
	}) {
		t.Error("the address is not that of the client behind the proxy")
	}
	slices.Sort(lines)
	slices.Sort(want)
	if !slices.Equal(lines, want) {
		t.Errorf("lines:\n%s\nwant:\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	for _, secret := range []string{private, "hello", testKey, wrong, link.Token, token.Token, ticket, "?"} {
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("the audit log holds %q", secret)
		}
	}
}
