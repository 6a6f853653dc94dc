package claims

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"steno/session/store"
	"steno/session/store/valkeytest"
)

// commands is how often the server has carried out each command since the last time, within scripts
// too.
func (n node) commands() map[string]int {
	n.T.Helper()
	text, err := n.Client.Do(n.T.Context(), n.Client.B().Info().Section("commandstats").Build()).ToString()
	must(n.T, err)
	must(n.T, n.Client.Do(n.T.Context(), n.Client.B().ConfigResetstat().Build()).Error())
	counts := map[string]int{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimPrefix(line, "cmdstat_"), ":calls="); ok {
			count := 0
			_, err := fmt.Sscan(strings.ReplaceAll(value, ",", " "), &count)
			must(n.T, err)
			counts[name] = count
		}
	}
	return counts
}

// hold takes all slots of calls until release is called.
func (g *groupCommit) hold() (release func()) {
	for range cap(g.slots) {
		g.slots <- struct{}{}
	}
	return func() {
		for range cap(g.slots) {
			<-g.slots
		}
	}
}

func (g *groupCommit) waits() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.waiting)
}

// openLong opens the store of a node whose leases need no renewal.
func openLong(t *testing.T) node {
	t.Helper()
	s, err := openRig(t.Context(), rigOptions{
		Addr: valkeytest.Start(t).Addr(), Node: "a", Lease: time.Hour, Blobs: t.TempDir(),
	})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return node{s, t}
}

// TestCommitCost wants a commit of audio and a boundary to be four commands, and one call to carry
// out those of many sessions.
func TestCommitCost(t *testing.T) {
	t.Parallel()
	const handles, most, upkeep = 200, 4, 10
	n := openLong(t)
	var held []*Live
	for i := range handles {
		id := fmt.Sprint("job", i)
		n.create(id)
		held = append(held, n.claim(id, store.IfFree))
		appendAudio(t, held[i], 3200)
		settled(t, held[i])
	}
	n.commands()
	release := n.group.hold()
	for _, l := range held {
		appendAudio(t, l, 3200)
	}
	eventually(t, "all wait for a call", func() bool { return n.group.waits() == handles })
	release()
	for _, l := range held { // settled would ask for another call
		eventually(t, "the commit is durable", func() bool { return l.Durable().Boundary == l.AudioSize() })
	}
	counts := n.commands()
	if calls := counts["evalsha"]; calls < 2 || calls > 2+upkeep { // 128 and 72
		t.Errorf("%d calls for %d commits", calls, handles)
	}
	work := 0
	for _, name := range []string{"hmget", "hget", "hset", "rpush", "lpop", "lrem", "lindex", "llen", "del", "publish",
		"exists", "zadd"} {
		work += counts[name]
	}
	if work > most*handles+upkeep || work < most*handles/2 {
		t.Errorf("%d commands for %d commits: %v", work, handles, counts)
	}
}

// TestGroupFailures has one call carry out commits of which some fail: the others are as if they
// had been alone.
func TestGroupFailures(t *testing.T) {
	t.Parallel()
	n := openLong(t)
	var held []*Live
	for _, id := range []string{"first", "taken", "deleted", "behind", "broken", "last"} {
		n.create(id)
		held = append(held, n.claim(id, store.IfFree))
	}
	for _, l := range held {
		appendAudio(t, l, 3200)
		settled(t, l)
	}
	release := n.group.hold()
	must(t, n.Client.Do(t.Context(), n.Client.B().Hset().Key(n.Prefix+"session:taken").FieldValue().FieldValue("nonce",
		"another").
		FieldValue("generation", "9000000000000").FieldValue("seized", "1").Build()).Error())
	must(t, n.Client.Do(t.Context(), n.Client.B().Del().Key(n.Prefix+"record:deleted",
		n.Prefix+"session:deleted").Build()).Error())
	must(t, n.Client.Do(t.Context(), n.Client.B().Zadd().Key(n.Prefix+"removals").ScoreMember().ScoreMember(1,
		held[2].folder).Build()).Error())
	must(t, n.Client.Do(t.Context(),
		n.Client.B().Hset().Key(n.Prefix+"session:behind").FieldValue().FieldValue("version", "0").Build()).Error())
	// what follows the events fails
	broken := []string{n.Prefix + "session:broken:sent", n.Prefix + "session:broken:checkpoints"}
	for _, key := range broken {
		must(t, n.Client.Do(t.Context(), n.Client.B().Set().Key(key).Value("no list, no hash").Build()).Error())
	}
	for _, name := range []string{"one", "two"} {
		logEvent(t, held[4], name)
	}
	for _, l := range held {
		appendAudio(t, l, 3200)
	}
	eventually(t, "all wait for a call", func() bool { return n.group.waits() == len(held) })
	release()
	for i, cause := range []error{nil, store.ErrTaken, store.ErrNotFound, nil} {
		if cause != nil {
			ended(t, held[i], cause)
		} else {
			settled(t, held[i])
		}
	}
	settled(t, held[5])
	if held[4].Durable().Boundary != 3200 {
		t.Error("a commit that failed counts as durable")
	}
	must(t, n.Client.Do(t.Context(), n.Client.B().Del().Key(broken...).Build()).Error())
	settled(t, held[4])
	for _, id := range []string{"first", "behind", "broken", "last"} {
		n.hasAudio(id, 6400)
	}
	if got := n.names("broken"); got != "one two" {
		t.Errorf("events of a commit that was sent again after it had failed: %q", got)
	}
}

// TestGroupSize wants large commits to go alone and small ones together.
func TestGroupSize(t *testing.T) {
	commits := func(bytes, changes int) *sessionCommit { return &sessionCommit{bytes: bytes, changes: changes} }
	var many []*sessionCommit
	for range maxGroup + 10 {
		many = append(many, commits(3200, 0))
	}
	for _, c := range []struct {
		name    string
		waiting []*sessionCommit
		want    int
	}{
		{"none", nil, 0},
		{"many", many, maxGroup},
		{"a large one alone", []*sessionCommit{commits(2*maxGroupBytes, 300), commits(0, 0)}, 1},
		{"a large one later", []*sessionCommit{commits(3200, 0), commits(maxGroupBytes, 0), commits(0, 0)}, 1},
		{"changes", []*sessionCommit{commits(0, 2), commits(0, maxGroupChanges-2), commits(0, 1)}, 2},
	} {
		if got := groupSize(c.waiting); got != c.want {
			t.Errorf("%s: %d in a call, want %d", c.name, got, c.want)
		}
	}
}

// TestGroupEnds checks that a commit ends whose context is cancelled, or whose store is closed.
func TestGroupEnds(t *testing.T) {
	t.Parallel()
	n := openLong(t)
	n.create("job")
	l := n.claim("job", store.IfFree)
	settled(t, l)
	release := n.group.hold()
	appendAudio(t, l, 3200)
	eventually(t, "it waits", func() bool { return n.group.waits() == 1 })
	var closing sync.WaitGroup
	closing.Go(func() {
		if err := l.Close(); err != nil && !errors.Is(err, store.ErrAway) {
			t.Errorf("close: %v", err)
		}
	})
	eventually(t, "the caller has asked again", func() bool { return n.group.waits() == 2 })
	release()
	closing.Wait()
	n.hasAudio("job", 3200)
}
