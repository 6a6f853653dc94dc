package valkey

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkeytest"
)

// slowSync is how long the disk of a test's server takes for a sync: less than its writes are put off meanwhile.
const slowSync = 600 * time.Millisecond

// syncing waits until a server syncs its append-only file, which it has to where something is written.
func syncing(t *testing.T, server *valkeytest.Server) {
	t.Helper()
	eventually(t, "the server syncs", func() bool {
		server.Must("SET", "something", "else")
		return strings.Contains(server.Must("INFO", "persistence"), "aof_pending_bio_fsync:1")
	})
}

// TestFinishedOnce kills a server in the moment in which a session or a job has ended: no other node ends it again.
func TestFinishedOnce(t *testing.T) {
	t.Parallel()
	server := valkeytest.StartOnSlowDisk(t, slowSync, "--appendonly", "yes", "--appendfsync", "everysec")
	n := openNode(t, server.Addr(), "node", t.TempDir())
	finish := map[string]func(){}
	n.create("session")
	l := n.claim("session", store.IfFree)
	say(t, l, 3200)
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

// TestFinishedOnceAfterFailover promotes a replica that gets everything late in the moment in which a session has ended: it knows.
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
	say(t, l, 3200)
	settled(t, l)
	between.Delay(300 * time.Millisecond)
	must(t, l.Finish(t.Context(), store.Outcome{}))
	between.Cut()
	replica.Must("REPLICAOF", "NO", "ONE")
	if status := replica.Must("HGET", "{steno}:record:job", "status"); !strings.Contains(status, "done") {
		t.Errorf("the replica has the session as %s", status)
	}
}

// TestFinishedWithoutSync wants an end to be taken, soon, where the server never syncs a file or has none.
func TestFinishedWithoutSync(t *testing.T) {
	t.Parallel()
	server := valkeytest.Start(t, "--appendonly", "yes", "--appendfsync", "no")
	n := openNode(t, server.Addr(), "node", t.TempDir())
	var waits []string
	for i, setting := range []string{"yes", "yes", "no"} {
		server.Must("CONFIG", "SET", "appendonly", setting)
		id := fmt.Sprint("job-", i)
		n.create(id)
		must(t, n.claim(id, store.IfFree).Finish(t.Context(), store.Outcome{}))
		waits = append(waits, regexp.MustCompile(`cmdstat_waitaof:calls=\d+`).FindString(server.Must("INFO", "commandstats")))
	}
	if waits[0] == "" || waits[1] != waits[0] || waits[2] != waits[0] {
		t.Errorf("the server is waited for each time: %v", waits)
	}
	if _, err := openDurable(t, server.Addr(), DurableDisk); err == nil || !strings.Contains(err.Error(), "append") {
		t.Errorf("tier disk: %v", err)
	}
}

// TestKilledServer kills servers in the middle of their writing and counts the events that were told to be durable and are gone.
func TestKilledServer(t *testing.T) {
	const pace = 10 * time.Millisecond
	for _, c := range []struct {
		sync  string
		tier  Durability
		loses bool // the two seconds in which writing is put off
	}{
		{"always", DurableProcess, false},
		{"everysec", DurableProcess, true},
		{"no", DurableProcess, false},
		{"everysec", DurableDisk, false},
	} {
		t.Run(c.sync+" "+string(c.tier), func(t *testing.T) {
			t.Parallel()
			server := valkeytest.StartOnSlowDisk(t, slowSync, "--appendonly", "yes", "--appendfsync", "everysec")
			proxy := valkeytest.NewProxy(t, server.Addr())
			n, err := openDurable(t, proxy.Addr(), c.tier)
			must(t, err)
			n.create("job")
			l := n.claim("job", store.IfFree)
			l.pace.SetLimit(rate.Inf)
			server.Must("CONFIG", "SET", "appendfsync", c.sync)
			logged := 0
			eventually(t, "events are durable", func() bool {
				logEvent(t, l, strconv.Itoa(logged))
				time.Sleep(pace)
				logged++
				if c.loses {
					server.Must("SET", "something", "else")
					return l.Durable().Seq == int64(logged) && !strings.Contains(server.Must("INFO", "persistence"), "aof_buffer_length:0")
				}
				return logged >= 40 && l.Durable().Seq > 0
			})
			proxy.Cut() // a holder that lives would write it again
			told := l.Durable().Seq
			server.Kill()
			server.Again()
			answer := strings.TrimSpace(strings.TrimPrefix(server.Must("XLEN", "{steno}:session:job:events"), ":"))
			kept, err := strconv.ParseInt(answer, 10, 64)
			must(t, err)
			lost := max(told-kept, 0)
			t.Logf("%d of %d events that were told to be durable are lost", lost, told)
			if lost > 0 && !c.loses || lost == 0 && c.loses {
				t.Errorf("lost are %d of %d events", lost, told)
			}
		})
	}
}

// TestForgottenDelivery enqueues a callback again that the server has forgotten: it has the id by which its receiver knows it, and no other
// callback has it.
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
