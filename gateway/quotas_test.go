package gateway

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"steno/gateway/accounts"
	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded/embeddedtest"
)

// inTenantBubble runs a test with a gateway whose accounts have quotas.
func inTenantBubble(t *testing.T, quotas map[string]store.Quota, test func(t *testing.T, w *bubble)) {
	dir := embeddedtest.Folder(t)
	synctest.Test(t, func(t *testing.T) {
		w := &bubble{t: t, dir: dir, config: Config{Accounts: quotas}}
		w.start()
		defer w.stop()
		synctest.Wait()
		test(t, w)
	})
}

// refused makes a session and wants it to be refused with a status and a message that names the
// figure. It returns the answer's headers.
func (w *bubble) refused(key string, status int, figure string) http.Header {
	w.t.Helper()
	resp, err := w.request("POST", "/v2/live", `{}`, key)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != status || !strings.Contains(string(text), figure) {
		w.t.Errorf("%d %s, want %d with %q", resp.StatusCode, text, status, figure)
	}
	return resp.Header
}

// An account has no more unfinished sessions than it may, with whatever keys and on whatever node,
// and others notice nothing of that. A restart forgets nothing and leaks nothing.
func TestSessionsOfAccount(t *testing.T) {
	quotas := map[string]store.Quota{"tenant": {Sessions: 3}}
	inTenantBubble(t, quotas, func(t *testing.T, w *bubble) {
		keys := []string{w.addKey("tenant", "first-key-of-the-tenant"), w.addKey("tenant", "second-key-of-tenant")}
		other := w.addKey("other", "key-of-another-account")
		beside := w.beside("beside")
		for i, at := range []*bubble{w, beside, w} {
			if status := at.doWith(keys[i%2], "POST", "/v2/live", `{}`, nil); status != 201 {
				t.Fatalf("session %d: %d", i, status)
			}
		}
		h := w.refused(keys[1], 429, "concurrent sessions allows: 3")
		beside.refused(keys[0], 429, "concurrent sessions allows: 3")
		if h.Get("Retry-After") == "" || h.Get("RateLimit-Policy") != `"sessions";q=3` ||
			h.Get("RateLimit") != `"sessions";r=0` {
			t.Errorf("headers %v", h)
		}
		if status := beside.doWith(other, "POST", "/v2/live", `{}`, nil); status != 201 {
			t.Errorf("another account: %d", status)
		}
		beside.leave()
		w.stop()
		w.start()
		w.refused(keys[0], 429, "3")
		time.Sleep(2 * time.Minute) // none was connected
		resp, err := w.request("POST", "/v2/live", `{}`, keys[0])
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 201 || resp.Header.Get("RateLimit") != `"sessions";r=2` {
			t.Errorf("once they have ended: %d %v", resp.StatusCode, resp.Header)
		}
	})
}

// An account that opens too much learns when it may continue, and that is true.
func TestOpensOfAccount(t *testing.T) {
	quotas := map[string]store.Quota{accounts.DefaultName: {Opens: 4}}
	inTenantBubble(t, quotas, func(t *testing.T, w *bubble) {
		key := w.addKey("tenant", "key-of-the-tenant-here")
		for range 4 {
			if status := w.doWith(key, "POST", "/v2/live", `{}`, nil); status != 201 {
				t.Fatal(status)
			}
		}
		h := w.refused(key, 429, "4 a minute")
		if h.Get("RateLimit-Policy") != `"opens";q=4;w=60` || h.Get("RateLimit") != `"opens";r=0` {
			t.Errorf("headers %v", h)
		}
		for range 50 {
			h = w.refused(key, 429, "4 a minute")
		}
		after, err := strconv.Atoi(h.Get("Retry-After"))
		if err != nil || after < 14 || after > 15 {
			t.Fatalf("Retry-After %q", h.Get("Retry-After"))
		}
		time.Sleep(time.Duration(after) * time.Second)
		if status := w.doWith(key, "POST", "/v2/live", `{}`, nil); status != 201 {
			t.Errorf("then: %d", status)
		}
	})
}

// A live session that uses up the audio of its account ends soon: its client gets what was said
// until then, learns why, and may open no other before the next day.
func TestAudioOfAccount(t *testing.T) {
	quotas := map[string]store.Quota{"tenant": {AudioHours: 5. / 3600}}
	inTenantBubble(t, quotas, func(t *testing.T, w *bubble) {
		const withErrors = `{"messages_config":{"receive_errors":true}}`
		key := w.addKey("tenant", "key-of-the-tenant-here")
		var made struct{ ID, URL string }
		if status := w.doWith(key, "POST", "/v2/live", withErrors, &made); status != 201 {
			t.Fatal(status)
		}
		c := w.call(made.URL)
		sound := speech(8, 1)
		if err := c.send(sound[:2*32000]); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		if err := c.send(sound[2*32000 : 6*32000]); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		if code := c.end(); code != 4429 {
			t.Errorf("closed with %d, want 4429", code)
		}
		said, told := 0, false
		for _, f := range c.all() {
			if f.final() != "" {
				said++
			}
			told = told || f.Type == "error"
		}
		var job messages.Job
		w.doWith(key, "GET", "/v2/live/"+made.ID, "", &job)
		if job.Status != messages.StatusDone || *job.File.AudioDuration != 6 || said == 0 || !told {
			t.Errorf("%s after %v, %d finals, told: %v", job.Status, *job.File.AudioDuration, said, told)
		}
		h := w.refused(key, 429, "0.00138889 hours")
		after, err := strconv.Atoi(h.Get("Retry-After"))
		next := time.Now().Add(time.Duration(after) * time.Second).UTC()
		if err != nil || next.Sub(next.Truncate(24*time.Hour)) > time.Second {
			t.Errorf("Retry-After %q at %v", h.Get("Retry-After"), time.Now())
		}
	})
}

// Quotas are set by the API of operators, and are in force on other nodes within seconds, and
// after a restart.
func TestQuotasAreSet(t *testing.T) {
	const path = "/v2/admin/accounts/tenant"
	quotas := map[string]store.Quota{"tenant": {Sessions: 1}}
	inTenantBubble(t, quotas, func(t *testing.T, w *bubble) {
		key := w.addKey("tenant", "key-of-the-tenant-here")
		beside := w.beside("beside")
		var got accounts.Account
		want := func(at *bubble, from string, sessions int64) {
			t.Helper()
			status := at.do("GET", path, "", &got)
			if status != 200 || got.From != from || got.Quota.Sessions != sessions {
				t.Errorf("%d %+v, want %d sessions from %s", status, got, sessions, from)
			}
		}
		want(w, "configuration", 1)
		for _, bad := range []string{``, `null`, `{"sessions":-1}`, `{"session":1}`, `{} {}`} {
			if status := w.do("PUT", path, bad, nil); status != 400 {
				t.Errorf("%q: %d", bad, status)
			}
		}
		if status := w.do("PUT", path, `{"sessions":2}`, &got); status != 200 || got.Quota.Sessions != 2 {
			t.Fatalf("%d %+v", status, got)
		}
		time.Sleep(3 * time.Second)
		for i := range 2 {
			if status := beside.doWith(key, "POST", "/v2/live", `{}`, nil); status != 201 {
				t.Errorf("session %d: %d", i, status)
			}
		}
		beside.refused(key, 429, "2")
		want(beside, "api", 2)
		if got.Sessions != 2 {
			t.Errorf("%d sessions, want 2", got.Sessions)
		}
		var list accounts.AccountList
		if w.do("GET", "/v2/admin/accounts", "", &list); len(list.Items) != 2 || list.Items[1].Account != "tenant" {
			t.Errorf("accounts %+v", list)
		}
		beside.leave()
		w.stop()
		w.start()
		want(w, "api", 2)
		if status := w.do("DELETE", path, "", nil); status != 204 {
			t.Error(status)
		}
		if status := w.do("DELETE", path, "", nil); status != 404 {
			t.Error(status)
		}
		want(w, "configuration", 1)
		for _, method := range []string{"GET", "PUT", "DELETE"} {
			if status := w.doWith(key, method, path, `{}`, nil); status != 403 {
				t.Errorf("%s by a tenant: %d", method, status)
			}
		}
	})
}

// An account stores no more than it may: uploads end, and sessions are refused, until it makes
// room.
func TestStorageOfAccount(t *testing.T) {
	wav := wavOf(speech(8, 1), 16000, 1) // 256 KiB
	most := int64(len(wav)*5/2) + 1
	r := recordedServer(t, func(c *Config) {
		c.Accounts = map[string]store.Quota{DefaultAccount: {Storage: most}}
	})
	send := func() answer { return r.send("/v2/upload", filled{filename: "a.wav", content: wav}) }
	for range 2 {
		if a := send(); a.status != 200 {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	a := send()
	checkError(t, a, 507, "/v2/upload")
	if !strings.Contains(string(a.body), fmt.Sprint(most)) {
		t.Errorf("refused with %s", a.body)
	}
	checkError(t, r.do("POST", "/v2/live", `{}`), 507, "/v2/live")
	if lines := r.lines.String(); strings.Contains(lines, `"level":"error"`) {
		t.Errorf("a full quota is no failure of the server: %s", lines)
	}
	set := func(bytes int) {
		t.Helper()
		a := r.do("PUT", "/v2/admin/accounts/"+DefaultAccount, fmt.Sprintf(`{"storage_bytes":%d}`, bytes))
		if a.status != 200 {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	set(len(wav) * 5)
	if a := r.do("POST", "/v2/live", `{}`); a.status != 201 || a.header.Get("RateLimit") == "" {
		t.Errorf("session: %d %v", a.status, a.header)
	}
	if a := send(); a.status != 200 {
		t.Errorf("with more room: %d %s", a.status, a.body)
	}
}
