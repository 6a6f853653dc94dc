package valkey

import (
	"strings"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkeytest"
)

// slowSync is how long the disk of a test's server takes for a sync: less than its writes are put
// off meanwhile.
const slowSync = 600 * time.Millisecond

// syncing waits until a server syncs its append-only file, which it has to where something is
// written.
func syncing(t *testing.T, server *valkeytest.Server) {
	t.Helper()
	eventually(t, "the server syncs", func() bool {
		server.Must("SET", "something", "else")
		return strings.Contains(server.Must("INFO", "persistence"), "aof_pending_bio_fsync:1")
	})
}

// TestFinishedOnce kills a server in the moment in which a session or a job has ended: no other
// node ends it again.
func TestFinishedOnce(t *testing.T) {
	t.Parallel()
	server := valkeytest.StartOnSlowDisk(t, slowSync, "--appendonly", "yes", "--appendfsync", "everysec")
	n := openNode(t, server.Addr(), "node", t.TempDir())
	finish := map[string]func(){}
	n.create("session")
	l := n.claim("session", store.IfFree)
	appendAudio(t, l, 3200)
	settled(t, l)
	finish["session"] = func() {
		must(t, l.Finish(t.Context(), store.Outcome{Result: []byte(`{"by":"session"}`), Seconds: 0.1}))
	}
	addJob(t, n.Store, "job")
	leased := lease(t, n.Store, time.Minute, "job")
	finish["job"] = func() { must(t, n.FinishJob(t.Context(), leased, store.Outcome{Result: []byte(`{"by":"job"}`)})) }
	for id, f := range finish {
		syncing(t, server)
		f()
		server.Kill()
		server.Again()
		eventually(t, "the server is there", func() bool { return n.Ping(t.Context()) == nil })
		if r := jobRecord(t, n.Store, id); r.Status != messages.StatusDone || string(r.Result) != `{"by":"`+id+`"}` {
			t.Errorf("after its end the %s is %s, with the result %s", id, r.Status, r.Result)
		}
	}
}

// TestFinishedOnceAfterFailover promotes a replica that gets everything late in the moment in which
// a session has ended: it knows.
func TestFinishedOnceAfterFailover(t *testing.T) {
	t.Parallel()
	primary := valkeytest.Start(t, "--repl-diskless-sync-delay", "0")
	between := valkeytest.NewProxy(t, primary.Addr())
	host, port, _ := strings.Cut(between.Addr(), ":")
	replica := valkeytest.Start(t, "--replicaof", host+" "+port)
	eventually(t, "the replica follows", func() bool {
		return strings.Contains(primary.Must("INFO", "replication"), "state=online")
	})
	n := openNode(t, primary.Addr(), "node", t.TempDir())
	n.create("job")
	l := n.claim("job", store.IfFree)
	appendAudio(t, l, 3200)
	settled(t, l)
	eventually(t, "the replica has the session", func() bool { // a moment after it is online
		return strings.HasPrefix(replica.Must("EXISTS", "{steno}:record:job"), ":1")
	})
	between.Delay(300 * time.Millisecond)
	must(t, l.Finish(t.Context(), store.Outcome{}))
	between.Cut()
	replica.Must("REPLICAOF", "NO", "ONE")
	if status := replica.Must("HGET", "{steno}:record:job", "status"); !strings.Contains(status, "done") {
		t.Errorf("the replica has the session as %s", status)
	}
}

// TestForgottenDelivery enqueues a callback again that the server has forgotten: it has the id by
// which its receiver knows it, and no other callback has it.
func TestForgottenDelivery(t *testing.T) {
	server := valkeytest.Start(t)
	s := openAt(t, server.Addr(), "node")
	ids := map[string]string{}
	for _, id := range []string{"job", "other"} {
		addJob(t, s, id)
		must(t, s.Enqueue(t.Context(), callback(id, "end")))
		d := claimOne(t, s, time.Minute, "end")
		if ids[d.ID] != "" || d.Job != id {
			t.Errorf("the callback of %s has the id of that of %s", id, ids[d.ID])
		}
		ids[d.ID] = id
		must(t, s.Sent(t.Context(), d))
	}
	for _, part := range []string{"", ":events", ":pending", ":all"} {
		server.Must("DEL", "{steno}:outbox:job"+part)
	}
	must(t, s.Enqueue(t.Context(), callback("job", "end")))
	if d := claimOne(t, s, time.Minute, "end"); ids[d.ID] != "job" {
		t.Errorf("the same callback has another id, %s", d.ID)
	}
}
