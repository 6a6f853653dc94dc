package claims

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"steno/session/store"
	"steno/session/store/valkey/server"
	"steno/session/store/valkeytest"
)

// slowSync is how long the disk of a test's server takes for a sync: less than its writes are put
// off meanwhile.
const slowSync = 600 * time.Millisecond

// TestFinishedWithoutSync wants an end to be taken, soon, where the server never syncs a file or
// has none.
func TestFinishedWithoutSync(t *testing.T) {
	t.Parallel()
	running := valkeytest.Start(t, "--appendonly", "yes", "--appendfsync", "no")
	n := openNode(t, running.Addr(), "node", t.TempDir())
	var waits []string
	for i, setting := range []string{"yes", "yes", "no"} {
		running.Must("CONFIG", "SET", "appendonly", setting)
		id := fmt.Sprint("job-", i)
		n.create(id)
		must(t, n.claim(id, store.IfFree).Finish(t.Context(), store.Outcome{}))
		waits = append(waits, regexp.MustCompile(`cmdstat_waitaof:calls=\d+`).FindString(running.Must("INFO",
			"commandstats")))
	}
	if waits[0] == "" || waits[1] != waits[0] || waits[2] != waits[0] {
		t.Errorf("the server is waited for each time: %v", waits)
	}
	if _, err := openDurable(t, running.Addr(), server.DurableDisk); err == nil || !strings.Contains(err.Error(),
		"append") {
		t.Errorf("tier disk: %v", err)
	}
}

// TestKilledServer kills servers in the middle of their writing and counts the events that were
// reported durable and are gone.
func TestKilledServer(t *testing.T) {
	const pace = 10 * time.Millisecond
	for _, c := range []struct {
		sync  string
		tier  server.Durability
		loses bool // the two seconds in which writing is put off
	}{
		{"always", server.DurableProcess, false},
		{"everysec", server.DurableProcess, true},
		{"no", server.DurableProcess, false},
		{"everysec", server.DurableDisk, false},
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
					return l.Durable().Seq == int64(logged) && !strings.Contains(server.Must("INFO", "persistence"),
						"aof_buffer_length:0")
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
