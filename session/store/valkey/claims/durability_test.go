package claims

import (
	"strings"
	"testing"
	"time"

	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkeytest"
)

// openDurable opens a store of a durability tier.
func openDurable(t *testing.T, addr string, tier server.Durability) (node, error) {
	t.Helper()
	s, err := openRig(t.Context(), rigOptions{Addr: addr, Node: "a", Durability: tier, Blobs: t.TempDir()})
	if err == nil {
		t.Cleanup(func() { must(t, s.Close()) })
	}
	return node{s, t}, err
}

// TestReplicaTier checks that nothing is reported durable that no replica has.
func TestReplicaTier(t *testing.T) {
	primary := valkeytest.Start(t, "--repl-diskless-sync-delay", "0")
	host, port, _ := strings.Cut(primary.Addr(), ":")
	replica := valkeytest.Start(t, "--replicaof", host+" "+port)
	eventually(t, "the replica follows", func() bool {
		out, _ := primary.Command("INFO", "replication")
		return strings.Contains(out, "state=online")
	})
	n, err := openDurable(t, primary.Addr(), server.DurableReplica)
	must(t, err)
	n.create("job")
	l := n.claim("job", store.IfFree)
	appendAudio(t, l, 3200)
	logEvent(t, l, "one")
	settled(t, l)
	replica.Pause()
	appendAudio(t, l, 3200)
	logEvent(t, l, "two")
	time.Sleep(1500 * time.Millisecond) // more than one attempt
	if p := l.Durable(); p.Seq != 1 || p.Boundary != 3200 {
		t.Errorf("durable without the replica: %+v; %s", p, primary.Must("INFO", "replication"))
	}
	replica.Resume()
	settled(t, l)
	if got := n.names("job"); got != "one two" {
		t.Errorf("events %s", got)
	}
	if !strings.Contains(replica.Must("XLEN", "{steno}:session:job:events"), ":2") {
		t.Error("the replica lacks what is durable")
	}
	n.hasAudio("job", 6400)
}

// TestDiskTier checks that what is durable is there after the server was killed right away. Redis
// before 7.2 does not have the tier.
func TestDiskTier(t *testing.T) {
	running := valkeytest.Start(t, "--appendonly", "yes", "--appendfsync", "everysec")
	n, err := openDurable(t, running.Addr(), server.DurableDisk)
	if err != nil && strings.Contains(err.Error(), "needs Valkey") {
		t.Skip(err)
	}
	must(t, err)
	n.create("job")
	l := n.claim("job", store.IfFree)
	appendAudio(t, l, 3200)
	logEvent(t, l, "one")
	settled(t, l)
	running.Kill()
	running.Again()
	if !strings.Contains(running.Must("XLEN", "{steno}:session:job:events"), ":1") {
		t.Error("the server lacks what is durable")
	}
	appendAudio(t, l, 3200)
	settled(t, l)
	n.hasAudio("job", 6400)
}
