package valkey

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"steno/cmd/cmdtest"
	"steno/session/store"
	"steno/session/store/valkeytest"
)

// startSentinel starts a Sentinel that watches a primary alone, and returns the address for a
// store.
func startSentinel(t *testing.T, primary string) string {
	t.Helper()
	host, port, _ := net.SplitHostPort(primary)
	addr := cmdtest.Address(t)
	_, own, _ := net.SplitHostPort(addr)
	config := filepath.Join(t.TempDir(), "sentinel.conf")
	text := fmt.Sprintf("port %s\nbind 127.0.0.1\nsentinel monitor steno %s %s 1\nsentinel down-after-milliseconds steno 500\n"+
		"sentinel failover-timeout steno 5000\n", own, host, port)
	must(t, os.WriteFile(config, []byte(text), 0o600))
	sentinel := exec.Command(valkeytest.Program(t), config, "--sentinel")
	sentinel.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	must(t, sentinel.Start())
	t.Cleanup(func() {
		_ = sentinel.Process.Kill()
		_ = sentinel.Wait()
	})
	return "valkey://" + addr + "?master_set=steno"
}

// TestSentinel has a store find its server by a Sentinel, and the replica that this promotes when
// the server dies. The holder of a session continues without an error.
func TestSentinel(t *testing.T) {
	t.Parallel()
	primary := valkeytest.Start(t)
	host, port, _ := net.SplitHostPort(primary.Addr())
	replica := valkeytest.Start(t, "--replicaof", host+" "+port, "--repl-diskless-sync-delay", "0")
	awaitAnswer(t, replica, "master_link_status:up", "INFO", "replication")
	addr := startSentinel(t, primary.Addr())
	var s *Store
	for late := time.Now().Add(20 * time.Second); s == nil; time.Sleep(100 * time.Millisecond) {
		opened, err := Open(t.Context(), Options{Addr: addr, Node: "node", Blobs: t.TempDir(), Spool: t.TempDir()})
		if err == nil {
			s = opened
		} else if time.Now().After(late) {
			t.Fatal(err)
		}
	}
	defer s.Close()
	must(t, s.Create(t.Context(), store.Record{ID: "job", Account: "acme", Kind: "live", Status: "queued",
		CreatedAt: time.Now(), Channels: 1}))
	l, err := s.Claim(t.Context(), "job", store.IfFree)
	must(t, err)
	appendAudio(t, l, 3200)
	settled(t, l)
	awaitAnswer(t, replica, "session:job", "KEYS", "*session:job")
	time.Sleep(time.Second) // the Sentinel asks the primary for its replicas once a second at first
	primary.Kill()
	appendAudio(t, l, 3200)
	for late := time.Now().Add(30 * time.Second); l.Durable().Boundary <
		l.AudioSize(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("%v of %d bytes are durable after the failover", l.Durable(), l.AudioSize())
		}
	}
	if role := replica.Must("ROLE"); !strings.Contains(role, "master") {
		t.Errorf("the replica is %q", role)
	}
	must(t, l.Finish(t.Context(), store.Outcome{}))
	must(t, l.Close())
}

// awaitAnswer waits until the answer to a command has a word.
func awaitAnswer(t *testing.T, s *valkeytest.Server, word string, command ...string) {
	t.Helper()
	for late := time.Now().Add(20 * time.Second); !strings.Contains(s.Must(command...),
		word); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("%v does not tell of %s", command, word)
		}
	}
}
