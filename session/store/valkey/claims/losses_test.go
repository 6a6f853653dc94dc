package claims

import (
	"fmt"
	"testing"

	"golang.org/x/time/rate"

	"steno/session"
	"steno/session/store"
	"steno/session/store/valkeytest"
)

// hasLosses fails unless a handle and the record of its session have the losses given.
func (n node) hasLosses(l *Live, want ...session.Loss) {
	n.T.Helper()
	r, err := n.Get(n.T.Context(), "acme", l.id)
	must(n.T, err)
	if got := l.Losses(); fmt.Sprint(got) != fmt.Sprint(want) || fmt.Sprint(r.Losses) != fmt.Sprint(want) {
		n.T.Errorf("%s: losses %v of the handle, %v of the record; want %v", l.id, got, r.Losses, want)
	}
}

// checked waits until a server knows that the holder of a session has come to it.
func checked(t *testing.T, server *valkeytest.Server, id string) {
	t.Helper()
	eventually(t, "the holder has come to the server", func() bool {
		return server.Must("HGET", "{steno}:session:"+id, "changes") == "$1\r\n1\r\n"
	})
}

// TestLoss promotes a replica that lacks two seconds, and has the holder die with the server: the
// next one learns of it, and all that follow, once. The losses of sessions whose holders live are
// none.
func TestLoss(t *testing.T) {
	f := newFailover(t)
	bucket := t.TempDir()
	dead, alive, next := f.node("dead", bucket), f.node("alive", bucket), f.node("next", bucket)
	handles := map[string]*Live{}
	for _, id := range []string{"lost", "unseen", "kept", "idle", "left", "after"} {
		alive.create(id)
	}
	speak := func(from node, ids ...string) {
		for _, id := range ids {
			if handles[id] == nil {
				handles[id] = from.claim(id, store.IfFree)
				handles[id].pace.SetLimit(rate.Inf)
			}
			appendAudio(t, handles[id], 20*3200)
			settled(t, handles[id])
		}
	}
	speak(dead, "lost")
	speak(alive, "kept", "idle", "left")
	must(t, handles["left"].Close())
	f.primary.Must("HSET", "{steno}:session:left", "left", "1000") // long ago
	f.primary.Must("HSET", "{steno}:record:after", "created", "1000")
	must(t, alive.Sessions.renewThese([]*Live{handles["kept"]})) // the server is known to be there
	f.detach()
	speak(dead, "lost", "unseen") // of the second, the replica does not even have the claim
	speak(alive, "kept")
	f.proxies[0].Cut()
	f.promote()

	l := next.claim("lost", store.TakeOver)
	loss := session.Loss{Number: 1, From: 20 * 3200}
	next.hasLosses(l, loss)
	next.hasAudio("lost", 20*3200)
	appendAudio(t, l, 3200)
	settled(t, l)
	must(t, l.Close())
	next.hasLosses(alive.claim("lost", store.TakeOver), loss)
	next.hasLosses(next.claim("unseen", store.TakeOver), session.Loss{Number: 1})
	next.hasLosses(next.claim("left", store.IfFree))
	next.hasLosses(next.claim("after", store.IfFree))

	speak(alive, "kept")
	checked(t, f.second, "kept")
	next.hasLosses(next.claim("kept", store.TakeOver))
	next.hasAudio("kept", 60*3200)
	checked(t, f.second, "idle")
	next.hasLosses(next.claim("idle", store.TakeOver))
}

// TestLossAgain has a second server lose something of the same session.
func TestLossAgain(t *testing.T) {
	f := newFailover(t)
	f.node("first", t.TempDir()).create("job")
	for i := range 2 {
		n := f.node(fmt.Sprint("node", i), t.TempDir())
		l := n.claim("job", store.TakeOver)
		appendAudio(t, l, 3200)
		settled(t, l)
		f.detach()
		appendAudio(t, l, 3200)
		settled(t, l)
		for _, p := range f.proxies {
			p.Cut()
		}
		f.promote()
		f.follow()
	}
	last := openNode(t, f.primary.Addr(), "last", t.TempDir())
	last.hasLosses(last.claim("job", store.TakeOver), session.Loss{Number: 1, From: 3200},
		session.Loss{Number: 2, From: 6400})
	last.create("fresh")
	last.hasLosses(last.claim("fresh", store.IfFree))
}

// TestNoLossOfNewSessions begins sessions after a server was started again, however often: there is
// nothing of them that it may lack.
func TestNoLossOfNewSessions(t *testing.T) {
	server := valkeytest.Start(t, "--appendonly", "yes", "--appendfsync", "always")
	n := openNode(t, server.Addr(), "node", t.TempDir())
	n.create("old")
	old := n.claim("old", store.IfFree)
	for i := range 3 {
		server.Kill()
		server.Again()
		id := fmt.Sprint("fresh", i)
		n.create(id)
		l := n.claim(id, store.IfFree)
		n.hasLosses(l)
		appendAudio(t, l, 3200)
		settled(t, l)
		must(t, l.Close())
		n.hasLosses(n.claim(id, store.IfFree))
	}
	appendAudio(t, old, 3200)
	settled(t, old)
	eventually(t, "the holder has come to the server", func() bool {
		return server.Must("HGET", "{steno}:session:old", "changes") == "$1\r\n3\r\n"
	})
	n.hasLosses(n.claim("old", store.TakeOver))
}

// TestNoLoss wants no loss where a server was started again with its append-only file, whether its
// end was asked for or not, but for a session whose holder died with it; nor where nothing
// happened.
func TestNoLoss(t *testing.T) {
	for _, kill := range []bool{true, false} {
		t.Run(fmt.Sprint("killed ", kill), func(t *testing.T) {
			t.Parallel()
			server := valkeytest.Start(t, "--appendonly", "yes", "--appendfsync", "always")
			proxy := valkeytest.NewProxy(t, server.Addr())
			bucket := t.TempDir()
			dead, alive := openNode(t, proxy.Addr(), "dead", bucket), openNode(t, server.Addr(), "alive", bucket)
			for _, id := range []string{"held", "left", "moved", "both", "before"} {
				dead.create(id)
			}
			before := dead.claim("before", store.IfFree)
			appendAudio(t, before, 3200)
			settled(t, before)
			held, moved := alive.claim("held", store.IfFree), dead.claim("moved", store.IfFree)
			left := alive.claim("left", store.IfFree)
			for _, l := range []*Live{held, moved, left} {
				appendAudio(t, l, 3200)
				settled(t, l)
			}
			moved = alive.claim("moved", store.TakeOver)
			alive.hasLosses(moved)
			must(t, moved.Close())
			moved = dead.claim("moved", store.IfFree)
			alive.hasLosses(moved)
			must(t, moved.Close())
			must(t, left.Close())
			both := dead.claim("both", store.IfFree)
			appendAudio(t, both, 3200)
			settled(t, both)
			appendAudio(t, held, 3200)
			settled(t, held)
			proxy.Cut()
			server.Must("HSET", "{steno}:session:before", "until", "1000") // its holder is dead for long
			if kill {
				server.Kill()
			} else {
				server.Term()
			}
			server.Again()
			alive.hasLosses(alive.claim("both", store.TakeOver), session.Loss{Number: 1, From: 3200})
			for _, id := range []string{"left", "moved", "before"} {
				alive.hasLosses(alive.claim(id, store.TakeOver))
			}
			appendAudio(t, held, 3200)
			settled(t, held)
			checked(t, server, "held")
			alive.hasLosses(alive.claim("held", store.TakeOver))
			alive.hasAudio("held", 3*3200)
		})
	}
}

// TestLossOfSnapshot has a server without an append-only file be started again: its last snapshot
// is what it has.
func TestLossOfSnapshot(t *testing.T) {
	server := valkeytest.Start(t)
	proxy := valkeytest.NewProxy(t, server.Addr())
	dead, alive := openNode(t, proxy.Addr(), "dead", t.TempDir()), openNode(t, server.Addr(), "alive", t.TempDir())
	dead.create("job")
	dead.create("held")
	l, held := dead.claim("job", store.IfFree), alive.claim("held", store.IfFree)
	appendAudio(t, l, 3200)
	settled(t, l)
	server.Must("SAVE")
	appendAudio(t, l, 3200)
	settled(t, l)
	appendAudio(t, held, 3200)
	settled(t, held)
	proxy.Cut()
	server.Kill()
	server.Again()
	alive.hasLosses(alive.claim("job", store.TakeOver), session.Loss{Number: 1, From: 3200})
	appendAudio(t, held, 3200)
	settled(t, held)
	checked(t, server, "held")
	alive.hasLosses(alive.claim("held", store.TakeOver))
	alive.hasAudio("held", 6400)
}
