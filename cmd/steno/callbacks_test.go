package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"steno/cmd/steno/config"
	calls "steno/gateway/callbacks"
	"steno/messages"
	"steno/session/store"
	"steno/session/store/embedded"
)

// deadLetters is a folder, still open, with a dead callback of each account.
func deadLetters(t *testing.T, accounts ...string) (dir string, s *embedded.Store) {
	t.Helper()
	dir = t.TempDir()
	s, err := embedded.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for i, account := range accounts {
		record := store.Record{
			ID: fmt.Sprint("job-", i), Account: account, Kind: messages.JobLive, Status: messages.StatusQueued,
			Version:   2,
			CreatedAt: time.Now().UTC(), Params: []byte("{}"), PostSessionMetadata: []byte("{}"),
		}
		if err := s.Create(t.Context(), record); err != nil {
			t.Fatal(err)
		}
		d := store.Delivery{
			Account: account, Job: record.ID, Seq: 1, Event: "live.end_session", Method: "POST",
			URL: "https://example.org/hook?key=hunter2", Body: []byte(`"secret words"`),
		}
		if err := s.Enqueue(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	claimed, err := s.ClaimDeliveries(t.Context(), time.Minute, len(accounts))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range claimed {
		if err := s.Dead(t.Context(), d, 410, "receiver answered 410"); err != nil {
			t.Fatal(err)
		}
	}
	return dir, s
}

// steno runs a command line beside whatever has the folder.
func steno(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(context.Background(), args, process{stdout: &out, stderr: &out})
	return out.String(), err
}

func TestCallbacksAreListedAndPutBackBesideAProcess(t *testing.T) {
	dir, s := deadLetters(t, "a", "a", "b")
	list, err := steno(t, "callbacks", "list", "--data", dir)
	if err != nil || strings.Count(list, "\n") != 3 || strings.Contains(list, "hunter2") ||
		strings.Contains(list, "secret words") ||
		!strings.Contains(list, "https://example.org/hook ") || !strings.Contains(list, "receiver answered 410") {
		t.Fatalf("%v\n%s", err, list)
	}
	for _, limit := range []string{"-1", "0", "100001"} {
		if said, err := steno(t, "callbacks", "list", "--data", dir, "--limit="+limit); err == nil ||
			!strings.Contains(err.Error(), "--limit") {
			t.Errorf("a limit of %s: %v\n%s", limit, err, said)
		}
	}
	id, _, _ := strings.Cut(list, " ")
	for _, step := range []struct {
		args []string
		says string
		dead int
		bad  bool
	}{
		{args: []string{id}, says: "1 to be sent again", dead: 2},
		// what waits may be sent immediately
		{args: []string{id, "msg_nothing"}, says: "1 to be sent again", dead: 2, bad: true},
		{args: []string{"--all-dead", "--account", "b"}, says: "1 to be sent again", dead: 1},
		{args: []string{"msg_nothing"}, dead: 1, bad: true},
		{args: nil, dead: 1, bad: true},
		{args: []string{"--all-dead", id}, dead: 1, bad: true},
		{args: []string{"--all-dead"}, says: "1 to be sent again", dead: 0},
		{args: []string{"--all-dead"}, says: "0 to be sent again", dead: 0},
	} {
		said, err := steno(t, append([]string{"callbacks", "redeliver", "--data", dir}, step.args...)...)
		if (err != nil) != step.bad || !strings.Contains(said, step.says) || step.says == "" && said != "" {
			t.Errorf("%v: %q %v", step.args, said, err)
		}
		if dead, err := s.Deliveries(t.Context(), "", store.DeliveryDead, 10); err != nil || len(dead) != step.dead {
			t.Errorf("%v: %d are dead, want %d (%v)", step.args, len(dead), step.dead, err)
		}
	}
	if list, err := steno(t, "callbacks", "list", "--account", "b", "--data", dir); err != nil ||
		!strings.Contains(list, "  pending  ") {
		t.Errorf("%v\n%s", err, list)
	}
	if list, err := steno(t, "callbacks", "list", "--account", "nobody", "--data", dir); err != nil ||
		list != "none\n" {
		t.Errorf("%v\n%s", err, list)
	}
	if list, err := steno(t, "callbacks", "list", "--state", "pending", "--account", "a", "--data", dir); err != nil ||
		strings.Count(list, "\n") != 2 {
		t.Errorf("%v\n%s", err, list)
	}
}

// Secrets of an account are made, listed without being shown, and removed beside a process that has
// the folder.
func TestCallbackSecrets(t *testing.T) {
	dir, s := deadLetters(t)
	do := func(want string, args ...string) string {
		t.Helper()
		said, err := steno(t, append([]string{"callbacks", "secret"}, append(args, "--data", dir)...)...)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v: %q, %v; want an error with %q", args, said, err, want)
		}
		return said
	}
	if said := do("", "list"); said != "none\n" {
		t.Errorf("an empty list says %q", said)
	}
	first := strings.TrimSpace(do("", "add", "--account", "acme"))
	second := strings.TrimSpace(do("", "add", "--account", "acme"))
	do("", "add")
	list := do("", "list", "--account", "acme")
	if err := calls.CheckSecret(first); err != nil || first == second || strings.Contains(list, first) ||
		strings.Count(list, "\n") != 2 {
		t.Errorf("%q %q: %v\n%s", first, second, err, list)
	}
	if kept, err := s.Secrets(t.Context(), "acme"); err != nil || len(kept) != 2 || kept[0].Text != second ||
		kept[1].Text != first {
		t.Errorf("kept are %+v, %v", kept, err)
	}
	do("the name of an account has", "add", "--account", "times:acme")
	do("no such secret", "remove", "000000")
	do("no such secret", "remove", strings.Fields(list)[0], "--account", "other")
	do("", "remove", strings.Fields(list)[0])
	if kept, err := s.Secrets(t.Context(), "acme"); err != nil || len(kept) != 1 || kept[0].Text != first {
		t.Errorf("kept are %+v, %v", kept, err)
	}
	for text, want := range map[string]string{"hunter2": calls.ErrSecret.Error(), second + "\n": ""} {
		p := process{stdin: strings.NewReader(text), stdout: io.Discard, stderr: io.Discard}
		err := run(t.Context(), []string{"callbacks", "secret", "add", "--stdin", "--account", "acme", "--data",
			dir}, p)
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestCallbackSettingsAreChecked(t *testing.T) {
	const good = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	for setting, ok := range map[string]bool{
		"SECRET=" + good: true, "SECRET=hunter2": false, "SECRET=whsec_hunter2": false, "CONCURRENCY=1": true,
		"CONCURRENCY=0":    false,
		"CONCURRENCY=1001": false, "TIMEOUT=30s": true, "TIMEOUT=31s": false, "TIMEOUT=999ms": false,
		"FIRST_RETRY=9ms":     false,
		"LONGEST_RETRY=999ms": false, "GIVE_UP=14m": false, "GIVE_UP=15m": true,
	} {
		c, err := config.Load("", []string{"STENO_CALLBACKS_" + setting})
		if err != nil {
			t.Fatal(err)
		}
		err = c.Check()
		if (err == nil) != ok || err != nil && (!strings.Contains(err.Error(), "callbacks.") ||
			strings.Contains(err.Error(), "hunter2")) {
			t.Errorf("%s: %v", setting, err)
		}
	}
}
