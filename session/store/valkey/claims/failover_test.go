package claims

import (
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"steno/session"
	"steno/session/store"
	"steno/session/store/valkeytest"
)

// failover is a server, and a replica that has stopped following it.
type failover struct {
	t               *testing.T
	primary, second *valkeytest.Server
	proxies         []*valkeytest.Proxy
}

func newFailover(t *testing.T) *failover {
	f := &failover{t: t, second: valkeytest.Start(t, "--repl-diskless-sync-delay", "0")}
	f.follow()
	return f
}

// follow starts a replica of the server that was promoted last.
func (f *failover) follow() {
	f.t.Helper()
	f.primary = f.second
	host, port, _ := strings.Cut(f.primary.Addr(), ":")
	f.second = valkeytest.Start(f.t, "--replicaof", host+" "+port, "--repl-diskless-sync-delay", "0")
}

// node opens the sessions of a node that connects through a proxy.
func (f *failover) node(name, blobs string) node {
	p := valkeytest.NewProxy(f.t, f.primary.Addr())
	f.proxies = append(f.proxies, p)
	return openNode(f.t, p.Addr(), name, blobs)
}

// detach has the replica lack everything from now on. It has all that was written before.
func (f *failover) detach() {
	f.t.Helper()
	marker := rand.Text() // one that no earlier server has passed on
	f.primary.Must("SET", "marker", marker)
	eventually(f.t, "the replica follows", func() bool {
		out, err := f.second.Command("GET", "marker")
		return err == nil && strings.Contains(out, marker)
	})
	f.second.Must("REPLICAOF", "NO", "ONE")
}

// promote has all nodes talk to the replica.
func (f *failover) promote() {
	f.primary.Kill()
	for _, p := range f.proxies {
		p.Switch(f.second.Addr())
	}
}

// TestTokenOfForgotten asks a server that has forgotten a session for its token, before its holder
// has come and after.
func TestTokenOfForgotten(t *testing.T) {
	f := newFailover(t)
	bucket := t.TempDir()
	holder, other := f.node("holder", bucket), f.node("other", bucket)
	holder.create("known")
	settled(t, holder.claim("known", store.IfFree))
	f.detach()
	forgotten := liveRecord("forgotten")
	forgotten.TokenHash = digest("token")
	must(t, holder.Create(t.Context(), forgotten))
	l := holder.claim("forgotten", store.IfFree)
	appendAudio(t, l, 3200)
	settled(t, l)
	f.proxies[0].Cut()
	f.primary.Kill()
	f.proxies[1].Switch(f.second.Addr())
	eventually(t, "the other node is answered", func() bool { return other.Ping(t.Context()) == nil })
	if _, err := other.ByToken(t.Context(), digest("token")); !errors.Is(err, store.ErrAway) ||
		errors.Is(err, store.ErrNotFound) {
		t.Errorf("before the holder has come: %v", err)
	}
	f.proxies[0].Switch(f.second.Addr())
	f.proxies[0].Restore()
	eventually(t, "the token is known", func() bool {
		r, err := other.ByToken(t.Context(), digest("token"))
		return err == nil && r.ID == "forgotten"
	})
	eventually(t, "no other token is", func() bool {
		_, err := other.ByToken(t.Context(), digest("none"))
		return errors.Is(err, store.ErrNotFound)
	})
}

// TestFailover promotes a replica that lacks two seconds, while the owners of sessions live.
func TestFailover(t *testing.T) {
	const speaking = 8
	f := newFailover(t)
	bucket := t.TempDir()
	a, b := f.node("a", bucket), f.node("b", bucket)
	var handles []*Live
	for i := range speaking {
		id := fmt.Sprint("job", i)
		a.create(id)
		l := a.claim(id, store.IfFree)
		l.pace.SetLimit(rate.Inf)
		handles = append(handles, l)
	}
	step := func(name string) {
		for i, l := range handles {
			for range 10 * (i + 1) { // some of them fill segments
				must(t, l.AppendAudio(t.Context(), audioAt(l.AudioSize(), 3200)))
			}
			must(t, l.Sync(l.AudioSize()))
			logEvent(t, l, name)
		}
		for _, l := range handles {
			settled(t, l)
		}
	}
	for i := range 3 {
		step(fmt.Sprint("early", i))
	}
	f.detach()
	a.create("new") // the replica does not have its record either
	handles = append(handles, a.claim("new", store.IfFree))
	taken := handles[0]
	handles[0] = b.claim("job0", store.TakeOver)
	handles[0].pace.SetLimit(rate.Inf)
	ended(t, taken, store.ErrTaken)
	for i := range 10 {
		step(fmt.Sprint("unknown", i))
	}
	must(t, handles[1].MarkSilence(t.Context(), 3200))
	must(t, handles[1].Confirm(t.Context(), 6400, 2))
	must(t, handles[1].SetStopped(t.Context()))
	settled(t, handles[1])
	before := make([]session.Progress, len(handles))
	for i, l := range handles {
		before[i] = l.Durable()
	}
	f.promote()
	began := time.Now()
	step("late")
	t.Logf("all durable again after %s", time.Since(began))
	for i, l := range handles {
		if p := l.Durable(); p.Seq != before[i].Seq+1 || p.Boundary <= before[i].Boundary {
			t.Errorf("session %d: durable %+v after %+v", i, p, before[i])
		}
		id, want := fmt.Sprint("job", i), "early0 early1 early2"
		if i == speaking {
			id, want = "new", ""
		}
		a.hasAudio(id, l.AudioSize())
		for n := range 10 {
			want += fmt.Sprint(" unknown", n)
		}
		if got := a.names(id); got != strings.TrimSpace(want+" late") {
			t.Errorf("session %d: events %s", i, got)
		}
	}
	next := a.claim("job0", store.TakeOver)
	ended(t, handles[0], store.ErrTaken)
	if next.generation <= handles[0].generation {
		t.Errorf("generation %d was given before %d", next.generation, handles[0].generation)
	}
	must(t, handles[1].Close())
	again := b.claim("job1", store.IfFree)
	marks, _ := again.Marks(t.Context())
	silences, _ := again.Silences(t.Context())
	stopped, _ := again.Stopped(t.Context())
	checkpoints, _ := again.Checkpoints(t.Context())
	if marks.Boundary != 6400 || marks.Seq != 2 || len(silences) != 1 || !stopped || string(checkpoints[0]) !=
		"after late" {
		t.Errorf("marks %+v, silences %v, stopped %t, checkpoints %s", marks, silences, stopped, checkpoints[0])
	}
	if e, err := a.Client.Do(t.Context(),
		a.Client.B().Hget().Key(a.Prefix+"server").Field("epoch").Build()).ToString(); e != "" {
		t.Errorf("epoch %q, %v: nothing was lost", e, err)
	}
}

// TestFormerHolder has a node that does not know of the take-over write to a replica that does not
// know of it either.
func TestFormerHolder(t *testing.T) {
	f := newFailover(t)
	a, b := f.node("a", t.TempDir()), f.node("b", t.TempDir())
	a.create("job")
	first := a.claim("job", store.IfFree)
	appendAudio(t, first, 3200)
	logEvent(t, first, "early")
	settled(t, first)
	f.detach()
	f.proxies[0].Cut() // before the node learns of the take-over
	second := b.claim("job", store.TakeOver)
	appendAudio(t, second, 3200)
	logEvent(t, second, "second")
	settled(t, second)
	f.primary.Kill()
	f.proxies[0].Switch(f.second.Addr())
	f.proxies[0].Restore()
	logEvent(t, first, "first")
	logEvent(t, first, "first again")
	logEvent(t, first, "and again")
	settled(t, first) // nothing tells the server better
	f.proxies[1].Switch(f.second.Addr())
	logEvent(t, second, "late")
	settled(t, second)
	ended(t, first, store.ErrTaken)
	if got := b.names("job"); got != "early second late" {
		t.Errorf("events %s", got)
	}
	b.hasAudio("job", 6400)
}

// TestAdoptAfterRestart wants no session to be adopted while its holder has had no chance to renew
// its lease.
func TestAdoptAfterRestart(t *testing.T) {
	running := valkeytest.Start(t, "--appendonly", "yes", "--appendfsync", "always")
	proxy := valkeytest.NewProxy(t, running.Addr())
	a, b := openNode(t, running.Addr(), "a", t.TempDir()), openNode(t, proxy.Addr(), "b", t.TempDir())
	a.create("held")
	a.create("dead")
	held, dead := a.claim("held", store.IfFree), b.claim("dead", store.IfFree)
	settled(t, held)
	due := func() string {
		t.Helper()
		list, err := a.Adopt(t.Context(), 10)
		must(t, err)
		var ids []string
		for _, r := range list {
			ids = append(ids, r.ID)
		}
		return strings.Join(ids, " ")
	}
	if got := due(); got != "" { // and the server is known
		t.Fatalf("due %s", got)
	}
	proxy.Cut()
	running.Kill()
	time.Sleep(3 * testLease)
	running.Again()
	c := openNode(t, running.Addr(), "c", t.TempDir())
	list, err := c.Adopt(t.Context(), 10)
	if len(list) != 0 || err != nil {
		t.Errorf("due at once: %d, %v", len(list), err)
	}
	_, err = c.Claim(t.Context(), "dead", store.IfFree)
	wants(t, err, store.ErrClaimed)
	eventually(t, "the dead node's session is due", func() bool { return due() == "dead" })
	if held.isLost() {
		t.Error("the other session is lost")
	}
	_ = dead
}

// TestDueAfterRestart wants sessions without a holder to have a resume window after a start of the
// server, since their clients could not come while it was away; one that was stopped waits for
// nobody.
func TestDueAfterRestart(t *testing.T) {
	running := valkeytest.Start(t, "--appendonly", "yes", "--appendfsync", "always")
	s, advance := openTimed(t, running.Addr(), t.TempDir())
	for _, id := range []string{"unclaimed", "released", "stopped"} {
		must(t, s.Create(t.Context(), liveRecord(id)))
	}
	for _, id := range []string{"released", "stopped"} {
		l, err := s.Claim(t.Context(), id, store.IfFree)
		must(t, err)
		if id == "stopped" {
			must(t, l.SetStopped(t.Context()))
		}
		must(t, l.Close())
	}
	due := func() string {
		t.Helper()
		list, err := s.Adopt(t.Context(), 10)
		for errors.Is(err, store.ErrAway) {
			list, err = s.Adopt(t.Context(), 10)
		}
		must(t, err)
		var ids []string
		for _, r := range list {
			ids = append(ids, r.ID)
		}
		slices.Sort(ids)
		return strings.Join(ids, " ")
	}
	if got := due(); got != "" {
		t.Fatalf("due %q before their time", got)
	}
	running.Kill()
	advance(time.Hour)
	running.Again()
	if got := due(); got != "stopped" {
		t.Errorf("due %q right after the start", got)
	}
	advance(store.ResumeWindow - time.Millisecond)
	if got := due(); got != "stopped" {
		t.Errorf("due %q within the window", got)
	}
	advance(time.Second)
	if got := due(); got != "released stopped unclaimed" {
		t.Errorf("due %q after the window", got)
	}
}

// TestEpoch wants a new epoch where a session is taken whose holder died with what the replica
// lacks, and else none.
func TestEpoch(t *testing.T) {
	f := newFailover(t)
	a, b := f.node("a", t.TempDir()), f.node("b", t.TempDir())
	a.create("job")
	epoch := func() int64 {
		t.Helper()
		n, err := b.Epoch(t.Context())
		must(t, err)
		return n
	}
	first := a.claim("job", store.IfFree)
	logEvent(t, first, "early")
	settled(t, first)
	_, err := b.Adopt(t.Context(), 1) // the server is known
	must(t, err)
	f.detach()
	logEvent(t, first, "lost")
	settled(t, first)
	before := epoch()
	f.proxies[0].Cut() // the node dies with the server
	f.primary.Kill()
	f.proxies[1].Switch(f.second.Addr())
	second := b.claim("job", store.TakeOver)
	if after := epoch(); after == before {
		t.Errorf("epoch is %d after the loss", after)
	}
	logEvent(t, second, "late")
	settled(t, second)
	if got := b.names("job"); got != "early late" {
		t.Errorf("events %s", got)
	}
	before = epoch()
	must(t, second.Close())
	must(t, b.claim("job", store.IfFree).Close())
	if after := epoch(); after != before {
		t.Errorf("epoch is %d after %d though nothing was lost", after, before)
	}
}

// TestForgottenEvents has a server forget an event alone, and then one that its owner has no more.
func TestForgottenEvents(t *testing.T) {
	running := valkeytest.Start(t)
	n := openNode(t, running.Addr(), "a", t.TempDir())
	n.create("job")
	l := n.claim("job", store.IfFree)
	logEvent(t, l, "one")
	logEvent(t, l, "two")
	settled(t, l)
	forget := func() {
		running.Must("DEL", "{steno}:session:job:events")
		running.Must("XADD", "{steno}:session:job:events", "1-0", "kind", "1", "key", "k", "body", "b")
		running.Must("HSET", "{steno}:session:job", "seq", "1")
	}
	forget()
	appendAudio(t, l, 3200) // no event: noticed all the same
	settled(t, l)
	eventually(t, "the event is there again", func() bool {
		events, err := n.Events(t.Context(), "acme", "job", 1, 10)
		return err == nil && len(events) == 1 && events[0].Subject == "two"
	})
	before, err := n.Epoch(t.Context())
	must(t, err)
	l.mu.Lock()
	l.accepted.kept = nil // as after a minute
	l.mu.Unlock()
	forget()
	if seq := logEvent(t, l, "three"); seq != 3 {
		t.Errorf("number %d", seq)
	}
	settled(t, l)
	events, err := n.Events(t.Context(), "acme", "job", 1, 10)
	if err != nil || len(events) != 1 || events[0].Seq != 3 {
		t.Errorf("events %v, %v", events, err)
	}
	if after, err := n.Epoch(t.Context()); after == before || err != nil {
		t.Errorf("epoch %d after a loss, %v", after, err)
	}
}

// TestEventsWhileForgotten lists events that a promoted replica lacks, before the holder has
// noticed that, and before it has written them again: they were reported durable, and a client that
// comes to the session meanwhile is sent them from the list.
func TestEventsWhileForgotten(t *testing.T) {
	f := newFailover(t)
	a := f.node("a", t.TempDir())
	a.create("job")
	l := a.claim("job", store.IfFree)
	l.pace.SetLimit(rate.Inf)
	for i := range 6 {
		if i == 3 {
			f.detach()
		}
		logEvent(t, l, fmt.Sprint("e", i))
		settled(t, l)
	}
	l.pace.SetBurst(0)
	l.pace.SetLimit(rate.Every(time.Hour)) // no more calls
	f.promote()
	listed := func(when string) {
		t.Helper()
		for after := range l.Durable().Seq {
			list, err := l.Events(t.Context(), after, 100)
			for errors.Is(err, store.ErrAway) {
				list, err = l.Events(t.Context(), after, 100)
			}
			must(t, err)
			if int64(len(list)) != 6-after || list[0].Seq != after+1 {
				t.Errorf("%s, after %d: %d events", when, after, len(list))
			}
		}
	}
	l.mu.Lock()
	l.accepted.kept = l.accepted.kept[2:] // as after a while
	l.mu.Unlock()
	listed("before it is noticed")
	l.mu.Lock()
	l.accepted.rollBack(0, 3)
	l.mu.Unlock()
	listed("when it is noticed")
}
