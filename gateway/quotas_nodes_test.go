package gateway

import (
	"encoding/json"
	"net/http"
	"testing"

	"steno/session/store"
)

// quotaKeys are the keys of accounts with one quota each.
var quotaKeys = map[string]string{"sessions": "key-of-account-sessions", "opens": "key-of-account-opens",
	"audio": "key-of-account-audio"}

// tenants adds the accounts, their keys and quotas.
func tenants(c *Config) {
	for account, key := range quotaKeys {
		c.Keys = append(c.Keys, Key{Text: key, Account: account})
	}
	c.Accounts = map[string]store.Quota{
		"sessions": {Sessions: 3}, "opens": {Opens: 4}, "audio": {AudioHours: 5. / 3600},
	}
}

// open makes a session of an account, and returns the status and its address.
func (r *testServer) open(account string) (status int, id, url string) {
	r.t.Helper()
	a := r.do("POST", "/v2/live", `{}`, "X-Service-Key", quotaKeys[account])
	var made struct{ ID, URL string }
	if err := json.Unmarshal(a.body, &made); err != nil {
		r.t.Errorf("%s: %v", a.body, err)
	}
	return a.status, made.ID, made.URL
}

// Nodes that share a server count what an account has together, and that of a node that is gone is
// free again once its sessions have ended elsewhere.
func TestQuotasOfNodes(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	first, link := c.node("first", tenants)
	second, _ := c.node("second", tenants)
	nodes := []*testServer{first, second}
	wants := func(account string, want int) {
		t.Helper()
		for _, r := range nodes {
			if status, _, _ := r.open(account); status != want {
				t.Errorf("quota of %s: %d, want %d", account, status, want)
			}
		}
	}
	wants("opens", http.StatusCreated)
	wants("opens", http.StatusCreated)
	wants("opens", http.StatusTooManyRequests)

	sound := speech(3, 3)
	for _, r := range nodes {
		var id, url string
		waitUntil(t, "a session for audio: that of the other node has reported its end", func() (ok bool) {
			var status int
			status, id, url = r.open("audio")
			return status == http.StatusCreated
		})
		client := call(t, url).mustConnect()
		if err := client.send(sound); err != nil {
			t.Fatal(err)
		}
		if err := client.stop(); err != nil {
			t.Fatal(err)
		}
		if code := client.end(); code != 1000 {
			t.Fatalf("session %s of 3 s is closed with %d", id, code)
		}
	}
	wants("audio", http.StatusTooManyRequests)

	wants("sessions", http.StatusCreated)
	status, _, url := first.open("sessions")
	client := call(t, url).mustConnect()
	if err := client.send(sound); err != nil || status != http.StatusCreated {
		t.Fatal(status, err)
	}
	wants("sessions", http.StatusTooManyRequests)
	nodes = []*testServer{second}
	link.Cut() // the first node is gone, with the session that has a client and one that has none
	client.hangUp()
	wants("sessions", http.StatusTooManyRequests)
	waitUntil(t, "the session of the node that is gone is free", func() bool {
		status, _, _ := second.open("sessions")
		return status == http.StatusCreated
	})
}
