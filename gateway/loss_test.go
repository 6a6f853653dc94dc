package gateway

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store/valkeytest"
)

// TestLossIsTold has a node and the server die at the same time while the replica lacks two
// acknowledged seconds: an event, the record, the result and the last callbacks report it, once
// each.
func TestLossIsTold(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	host, port, _ := strings.Cut(c.server.Addr(), ":")
	replica := valkeytest.Start(t, "--replicaof", host+" "+port, "--repl-diskless-sync-delay", "0")
	first, dying := c.node("first", nil)
	second, link := c.node("second", nil)
	sound := speech(6, 3)
	id, url := first.create(`{"messages_config":{"receive_errors":true}}`)
	client := call(t, url).mustConnect()
	client.loose = true
	if err := stream(client, sound[:64000]); err != nil {
		t.Fatal(err)
	}
	client.ackedTo(64000)
	c.server.Must("SET", "marker", "x")
	for late := time.Now().Add(patience); !strings.Contains(replica.Must("GET", "marker"),
		"x"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal("the replica does not follow")
		}
	}
	replica.Must("REPLICAOF", "NO", "ONE")
	if err := stream(client, sound[64000:128000]); err != nil {
		t.Fatal(err)
	}
	client.ackedTo(128000)
	dying.Cut()
	c.server.Kill()
	link.Switch(replica.Addr())
	client.hangUp()
	client.url = "ws" + second.http.URL[len("http"):] + "/v2/live?" + afterQuestion(url)
	client.acked, client.kept = 128000, nil
	for late := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) { // the node finds the new server
		client.mustConnect()
		select {
		case <-client.closed:
		case <-time.After(300 * time.Millisecond):
			late = time.Time{}
		}
		if late.IsZero() {
			break
		}
		if time.Now().After(late) {
			t.Fatal("the second node does not take the session")
		}
	}
	check := func(what string, warnings []messages.Warning) {
		t.Helper()
		if len(warnings) != 1 || warnings[0].Field != "audio" || !strings.Contains(warnings[0].Message,
			"after 2.000 s") {
			t.Errorf("%s has warnings %v", what, warnings)
		}
	}
	told := client.await("error", func(f frame) bool { return f.Type == "error" })
	if !strings.Contains(told.text,
		`"exception":"AudioMissing","message":"audio and messages after 2.000 s may be missing`) {
		t.Errorf("event %s", told.text)
	}
	check("the running session", second.job(id).Warnings)
	if err := stream(client, sound[128000:]); err != nil {
		t.Fatal(err)
	}
	finish(t, second, client, id)
	check("the record", second.job(id).Warnings)
	result := second.result(id)
	check("the result", result.Warnings)
	errors := 0
	for _, text := range result.Messages {
		var m struct {
			Type string
			Data struct{ Warnings []messages.Warning }
		}
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		switch m.Type {
		case "error":
			errors++
		case "post_final_transcript":
			check("the last message", m.Data.Warnings)
		}
	}
	if errors != 1 {
		t.Errorf("%d error events in the log", errors)
	}
}
