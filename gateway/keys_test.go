package gateway

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"steno/gateway/audit"
	"steno/gateway/tokens"
	"steno/session/store"
)

// madeKey makes a key as operators do.
func (r *testServer) madeKey(body string) (k tokens.MadeKey) {
	r.t.Helper()
	a := r.do("POST", "/v2/admin/keys", body)
	if err := json.Unmarshal(a.body, &k); err != nil || a.status != http.StatusCreated {
		r.t.Fatalf("%s: %d %s", body, a.status, a.body)
	}
	return k
}

// An account's key is changed without a gap: both work, on all nodes, until the first is ended.
// Sessions continue after a key that has expired, and end with one that is removed.
func TestKeysChange(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	r, _ := c.node("one", nil)
	other, _ := c.node("two", nil)
	first := r.madeKey(`{"account":"acme","name":"first"}`)
	second := r.madeKey(`{"account":"acme","scopes":["live","read"],"expires_at":"2099-01-01T00:00:00Z"}`)
	status := func(s *testServer, key string) int { return s.do("GET", "/v2/live", "", "x-service-key", key).status }
	for _, key := range []string{first.Text, second.Text} {
		if status(r, key) != 200 || status(other, key) != 200 {
			t.Fatal("a new key is refused")
		}
	}
	ofFirst := other.opened(first.Text)
	ofSecond := other.opened(second.Text)
	if a := r.do("DELETE", "/v2/admin/keys/"+first.ID+"?at="+time.Now().Add(time.Hour).UTC().Format(time.RFC3339),
		""); a.status != http.StatusNoContent || status(other, first.Text) != 200 {
		t.Errorf("a key that is to end: %d %s", a.status, a.body)
	}
	s := r.server.deps.Store
	if err := s.EndKey(t.Context(), hashOf(first.Text), time.Now().Add(-time.Second)); err != nil {
		t.Fatal(err)
	}
	if status(r, first.Text) != 401 || status(other, first.Text) != 401 {
		t.Error("a key that has ended is taken")
	}
	if a := r.do("DELETE", "/v2/admin/keys/"+second.ID, ""); a.status != http.StatusNoContent {
		t.Errorf("remove a key: %d %s", a.status, a.body)
	}
	if status(r, second.Text) != 401 || status(other, second.Text) != 401 {
		t.Error("a key that was removed is taken")
	}
	if code := ofSecond.end(); code != 4401 {
		t.Errorf("the session of the removed key ends with %d", code)
	}
	if err := ofFirst.send(speech(3, 2)); err != nil {
		t.Fatal(err)
	}
	ofFirst.await("a final", func(f frame) bool { return f.final() != "" })
	if err := ofFirst.stop(); err != nil {
		t.Fatal(err)
	}
	if code := ofFirst.end(); code != websocket.StatusNormalClosure {
		t.Errorf("the session of the key that has ended ends with %d", code)
	}
	r.listedKeys(first, second)
}

// opened opens a live session by a key.
func (r *testServer) opened(key string) *caller {
	r.t.Helper()
	a := r.do("POST", "/v2/live", "{}", "x-service-key", key)
	var got struct{ URL string }
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != http.StatusCreated {
		r.t.Fatalf("%d %s", a.status, a.body)
	}
	return call(r.t, got.URL).mustConnect()
}

// listedKeys wants the first key in the list, and nothing that could be used.
func (r *testServer) listedKeys(first, second tokens.MadeKey) {
	a := r.do("GET", "/v2/admin/keys", "")
	var list tokens.KeyList
	if err := json.Unmarshal(a.body, &list); err != nil || len(list.Items) != 2 || list.Items[0].ID != first.ID ||
		list.Items[0].ExpiresAt == nil || list.Items[1].From != "configuration" {
		r.t.Errorf("%d %s", a.status, a.body)
	}
	if strings.Contains(string(a.body), first.Text) || strings.Contains(string(a.body), testKey) {
		r.t.Error("the list shows a key")
	}
	for path, want := range map[string]int{
		second.ID: 404, first.ID[:6]: 404, first.ID + "?at=2001-01-01T00:00:00Z": 400, list.Items[1].ID: 404,
	} {
		if a := r.do("DELETE", "/v2/admin/keys/"+path, ""); a.status != want {
			r.t.Errorf("%s: %d %s, want %d", path, a.status, a.body, want)
		}
	}
	for _, body := range []string{`{}`, `{"account":"a:b"}`, `{"account":"a","scopes":["all"]}`, `{"account":"a"}{}`,
		`{"account":"a","expires_at":"2001-01-01T00:00:00Z"}`, `{"account":"a","x":1}`, `[]`} {
		if a := r.do("POST", "/v2/admin/keys", body); a.status != 400 {
			r.t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
}

// What the configuration has kept of the audit log is read by operators, in pages, by account,
// action and time.
func TestAuditInStore(t *testing.T) {
	t.Parallel()
	r := newTestServer(t, func(c *Config) {
		c.AuditKeep = store.AuditBounds{Keep: time.Hour, Most: 10_000}
		c.Keys = append(c.Keys, Key{Text: "key-of-others", Account: "others"})
	})
	id, _ := r.create(`{"custom_metadata":{"name":"` + private + `"}}`)
	r.do("GET", "/v2/live/"+id, "")
	r.do("GET", "/v2/live/"+id, "", "x-service-key", "key-of-others")
	if a := r.do("DELETE", "/v2/live/"+id+"?cancel=true", ""); a.status != 202 {
		t.Fatal(a.status)
	}
	r.restart() // which keeps what waits
	pageOf := func(query string) (page audit.Page) {
		a := r.do("GET", "/v2/admin/audit"+query, "")
		if err := json.Unmarshal(a.body, &page); err != nil || a.status != 200 {
			t.Fatalf("%s: %d %s", query, a.status, a.body)
		}
		return page
	}
	page := pageOf("?action=record.delete")
	if len(page.Items) != 1 || page.Items[0].Object != id || page.Items[0].Status != 202 || page.Next != "" ||
		page.Items[0].Account != DefaultAccount || page.Items[0].Key == "" || page.Items[0].Time.IsZero() {
		t.Errorf("the deletion is %+v", page)
	}
	if page := pageOf("?account=others"); len(page.Items) != 1 || page.Items[0].Status != 404 {
		t.Errorf("of another account there is %+v", page)
	}
	if page := pageOf("?since=2099-01-01T00:00:00Z"); len(page.Items) != 0 {
		t.Errorf("of the future there is %+v", page)
	}
	var actions []string // reading is in it too
	for page = pageOf("?account=" + DefaultAccount + "&limit=2"); page.Next != ""; {
		if len(page.Items) != 2 {
			t.Errorf("a page before the last is %+v", page)
		}
		for _, line := range page.Items {
			actions = append(actions, line.Action)
		}
		page = pageOf("?account=" + DefaultAccount + "&limit=2&cursor=" + page.Next)
	}
	for _, line := range page.Items {
		actions = append(actions, line.Action)
	}
	actions = slices.DeleteFunc(actions, func(a string) bool { return a == "audit.read" })
	if want := []string{"record.delete", "record.read", "session.create"}; !slices.Equal(actions, want) {
		t.Errorf("in pages there are %v", actions)
	}
	a := r.do("GET", "/v2/admin/audit?action=record.delete", "", "Accept", "application/jsonl")
	var line audit.Line
	if err := json.Unmarshal(a.body, &line); err != nil || line.Object != id ||
		strings.Contains(string(a.body), private) {
		t.Errorf("lines are %s", a.body)
	}
	for _, query := range []string{"?limit=0", "?cursor=x", "?since=yesterday", "?format=csv"} {
		if a := r.do("GET", "/v2/admin/audit"+query, ""); a.status != 400 {
			t.Errorf("%s: %d", query, a.status)
		}
	}
}
