package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"steno/session/store/valkeytest"
)

// A gateway does not start with a key that could be guessed.
func TestServeRefusesShortKeys(t *testing.T) {
	p := process{stdout: io.Discard, stderr: io.Discard, environ: []string{"STENO_API_KEYS=secret"}}
	err := run(t.Context(), []string{"serve", "--data", t.TempDir(), "--engine", "scripted"}, p)
	if err == nil || !strings.Contains(err.Error(), "STENO_API_KEYS") || strings.Contains(err.Error(), "secret") {
		t.Errorf("error is %v", err)
	}
}

// Commands with subcommands print them, and empty lists state that they are empty.
func TestCommandsAlonePrintTheirHelp(t *testing.T) {
	for _, args := range [][]string{{"keys"}, {"callbacks"}, {"callbacks", "secret"}, {}} {
		said, err := steno(t, args...)
		if err != nil || !strings.Contains(said, "Commands:") || !strings.Contains(said, "Usage: steno") {
			t.Errorf("steno %v: %v\n%s", args, err, said)
		}
	}
	if said, err := steno(t, "keys", "nonsense"); err == nil {
		t.Errorf("steno keys nonsense: %s", said)
	}
	var list, notes bytes.Buffer
	err := run(t.Context(), []string{"keys", "list", "--data", t.TempDir()}, process{stdout: &list, stderr: &notes})
	if err != nil || list.String() != "none\n" || notes.String() != notListed+"\n" {
		t.Errorf("no keys: %q and %q, %v", list.String(), notes.String(), err)
	}
}

// Keys are made with scopes, an account and an end, and listed with them.
func TestKeysAdd(t *testing.T) {
	dir := t.TempDir()
	add := func(args ...string) (string, error) {
		return steno(t, append([]string{"keys", "add", "--data", dir}, args...)...)
	}
	if _, err := add("plain"); err != nil {
		t.Fatal(err)
	}
	if _, err := add("page", "--scope", "live,read", "--expires", "30d", "--account", "acme"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"x", "--scope", "all"}, {"x", "--expires", "soon"}, {"x", "--expires", "2020-01-01"},
		{"x", "--expires", "-1h"},
		{"x", "--account", "a b"},
	} {
		if said, err := add(args...); err == nil {
			t.Errorf("%v: %s", args, said)
		}
	}
	said, err := steno(t, "keys", "list", "--data", dir)
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if err != nil || len(lines) != 3 || lines[2] != notListed {
		t.Fatalf("%q, %v", said, err)
	}
	end := time.Now().UTC().AddDate(0, 0, 30).Format(time.DateOnly)
	for i, want := range [][]string{
		{"default", "plain", "live,jobs,read,admin", "does not expire"}, {"acme", "page", "live,read", "until " + end},
	} {
		for _, part := range want {
			if !strings.Contains(lines[i], part) {
				t.Errorf("%q does not tell %q", lines[i], part)
			}
		}
	}
}

// Keys and secrets of gateways that share a server are changed on the server.
func TestKeysOfServer(t *testing.T) {
	place := []string{"--valkey", valkeytest.Start(t).Addr()}
	do := func(args ...string) string {
		t.Helper()
		said, err := steno(t, append(args, place...)...)
		if err != nil {
			t.Fatalf("steno %v: %v", args, err)
		}
		return strings.TrimSpace(said)
	}
	key := do("keys", "add", "page", "--account", "acme", "--scope", "live")
	if list := do("keys", "list"); !strings.Contains(list, "acme") || !strings.Contains(list, "page") ||
		strings.Count(list, "\n") != 1 {
		t.Errorf("keys are %q", list)
	}
	do("keys", "remove", key)
	if list := do("keys", "list"); list != "none\n"+notListed {
		t.Errorf("keys are %q after the removal", list)
	}
	do("callbacks", "secret", "add", "--account", "acme")
	if list := do("callbacks", "secret", "list"); !strings.Contains(list, "acme") {
		t.Errorf("secrets are %q", list)
	}
	if list := do("callbacks", "list"); list != "none" {
		t.Errorf("callbacks are %q", list)
	}
	if said, err := steno(t, "keys", "list", "--valkey", "127.0.0.1:1"); err == nil {
		t.Errorf("without a server: %q", said)
	}
}

// TestToolsDoNotMakeFolders runs commands with a missing data folder: those that look for something
// name it and do not make it, and the one that makes a key reports that no gateway has used it.
func TestToolsDoNotMakeFolders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "elsewhere")
	for _, command := range []string{
		"keys list", "keys remove 0123456789", "callbacks list", "callbacks redeliver --all-dead",
		"callbacks secret list",
		"callbacks secret remove 0123456789",
	} {
		said, err := steno(t, append(strings.Fields(command), "--data", dir)...)
		if _, missing := os.Stat(dir); err == nil || !strings.Contains(err.Error(), "no data folder "+dir) ||
			missing == nil {
			t.Errorf("%s: %q, %v, folder: %v", command, said, err, missing)
		}
	}
	for _, command := range []string{"keys add", "callbacks secret add"} {
		var made, notes bytes.Buffer
		dir := filepath.Join(t.TempDir(), "new")
		err := run(t.Context(), append(strings.Fields(command), "--data", dir), process{stdout: &made, stderr: &notes})
		if err != nil || strings.Count(made.String(), "\n") != 1 || !strings.Contains(notes.String(), dir) {
			t.Errorf("%s: %v: printed %q and %q", command, err, made.String(), notes.String())
		}
	}
}

// Tools refuse files for TLS that would not be used, as steno serve does: they would speak plain
// text.
func TestToolsRefuseTLSThatIsOff(t *testing.T) {
	file := filepath.Join(t.TempDir(), "steno.yml")
	if err := os.WriteFile(file, []byte("valkey: {address: '127.0.0.1:1', tls: {ca: ca.pem}}\nblob: /blobs\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"serve", "keys list", "keys add", "callbacks list", "callbacks secret list"} {
		said, err := steno(t, append(strings.Fields(command), "--config", file)...)
		if err == nil || !strings.Contains(err.Error(), "valkey.tls.enabled must be true") {
			t.Errorf("%s: %q, %v", command, said, err)
		}
	}
}
