package claims

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkeytest"
)

// chaos is one session that nodes take from each other while their connections fail, and what was
// reported durable.
type chaos struct {
	t       *testing.T
	rand    *rand.Rand
	nodes   []node
	proxies []*valkeytest.Proxy

	audio  []byte   // reported durable
	events []string // likewise
	n      int      // events made so far
}

// holder is a handle and all that it has seen or accepted.
type holder struct {
	*Live
	audio  []byte
	events []string
}

// TestChaos checks that everything that was reported durable to a holder is there for every later
// holder, in its place.
func TestChaos(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			server := valkeytest.Start(t, "--appendonly", "yes", "--appendfsync", "always")
			blobs := t.TempDir()
			c := &chaos{t: t, rand: rand.New(rand.NewPCG(seed, 1))}
			for i := range 3 {
				p := valkeytest.NewProxy(t, server.Addr())
				c.proxies = append(c.proxies, p)
				c.nodes = append(c.nodes, openNode(t, p.Addr(), fmt.Sprint("node", i), blobs))
			}
			c.nodes[0].create("job")
			var held *holder
			for range 8 {
				held = c.take(held)
				c.use(held, server)
				for _, p := range c.proxies {
					p.Restore()
				}
			}
			settled(t, held.Live)
			c.note(held)
			c.take(held)
		})
	}
}

// take has another node take the session, and compares what it finds with what was reported.
func (c *chaos) take(former *holder) *holder {
	c.t.Helper()
	n := c.nodes[c.rand.IntN(len(c.nodes))]
	intent := store.TakeOver
	if former != nil && c.rand.IntN(3) == 0 {
		intent = store.IfFree
		if err := former.Close(); err != nil && !errors.Is(err, store.ErrAway) &&
			!errors.Is(err, context.DeadlineExceeded) {
			c.t.Errorf("close: %v", err)
		}
		c.note(former)
	}
	var l store.Live
	eventually(c.t, "the session is taken", func() (ok bool) {
		var err error
		l, err = n.Claim(c.t.Context(), "job", intent)
		return err == nil
	})
	h := &holder{Live: l.(*Live)}
	h.pace.SetLimit(rate.Inf)
	if former != nil && intent == store.TakeOver {
		ended(c.t, former.Live, store.ErrTaken)
		c.note(former)
		must(c.t, former.Close())
	}
	h.audio = make([]byte, h.AudioSize())
	if len(h.audio) > 0 {
		_, err := h.ReadAudioAt(c.t.Context(), h.audio, 0)
		must(c.t, err)
	}
	events, err := h.Events(c.t.Context(), 0, 1<<20)
	must(c.t, err)
	for i, e := range events {
		if e.Seq != int64(i+1) {
			c.t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
		h.events = append(h.events, e.Subject)
	}
	if !bytes.HasPrefix(h.audio, c.audio) {
		c.t.Fatalf("%d bytes of audio were durable; the %d bytes now differ", len(c.audio), len(h.audio))
	}
	if len(h.events) < len(c.events) || fmt.Sprint(h.events[:len(c.events)]) != fmt.Sprint(c.events) {
		c.t.Fatalf("events %v were durable, now there are %v", c.events, h.events)
	}
	checkpoints, err := h.Checkpoints(c.t.Context())
	must(c.t, err)
	if len(h.events) > 0 && string(checkpoints[0]) != h.events[len(h.events)-1] {
		c.t.Fatalf("checkpoint %s, the last event is %s", checkpoints[0], h.events[len(h.events)-1])
	}
	return h
}

// note records what was reported durable to a holder.
func (c *chaos) note(h *holder) {
	p := h.Durable()
	if p.Boundary > int64(len(c.audio)) {
		c.audio = h.audio[:p.Boundary]
	}
	if p.Seq > int64(len(c.events)) {
		c.events = h.events[:p.Seq]
	}
}

// use writes for a while, with failures of the holder's connection or of the server in between.
func (c *chaos) use(h *holder, server *valkeytest.Server) {
	c.t.Helper()
	proxy := c.proxies[0]
	for i, n := range c.nodes {
		if n.Sessions.room == h.room {
			proxy = c.proxies[i]
		}
	}
	for range 30 {
		c.write(h, 1)
		c.fail(proxy, server)
	}
}

// write appends audio, and some events.
func (c *chaos) write(h *holder, times int) {
	c.t.Helper()
	for range times {
		p := make([]byte, 1+c.rand.IntN(40_000))
		_, _ = rand.NewChaCha8([32]byte{byte(c.rand.Uint32()), byte(c.rand.Uint32())}).Read(p)
		h.audio = append(h.audio, p...)
		must(c.t, h.AppendAudio(c.t.Context(), p))
		must(c.t, h.Sync(h.AudioSize()))
		if c.rand.IntN(2) == 0 {
			c.n++
			name := fmt.Sprint("e", c.n)
			h.events = append(h.events, name)
			e := messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: name}, Body: []byte("{}")}
			seq, fresh, err := h.AppendEvent(c.t.Context(), e, 0, []byte(name))
			must(c.t, err)
			if !fresh || seq != int64(len(h.events)) {
				c.t.Fatalf("event %d has number %d", len(h.events), seq)
			}
		}
	}
}

// fail does something to a connection or the server, or mends it.
func (c *chaos) fail(proxy *valkeytest.Proxy, server *valkeytest.Server) {
	switch c.rand.IntN(12) {
	case 0:
		proxy.Cut()
	case 1:
		proxy.Deafen()
	case 2:
		proxy.Delay(time.Duration(c.rand.IntN(30)) * time.Millisecond)
	case 3:
		server.Kill()
		server.Again()
	case 4, 5, 6:
		proxy.Restore()
	case 7:
		time.Sleep(time.Duration(c.rand.IntN(100)) * time.Millisecond)
	}
}

// TestFailoverChaos promotes replicas that lag, one after another, while nodes take the session
// from each other.
func TestFailoverChaos(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			f := newFailover(t)
			blobs := t.TempDir()
			c := &chaos{t: t, rand: rand.New(rand.NewPCG(seed, 2)), nodes: []node{f.node("a", blobs),
				f.node("b", blobs)}, proxies: f.proxies}
			c.nodes[0].create("job")
			held := c.take(nil)
			for range 4 {
				c.write(held, 1+c.rand.IntN(20))
				f.detach()
				c.write(held, 1+c.rand.IntN(40))
				if c.rand.IntN(2) == 0 {
					held = c.take(held)
					c.write(held, 1+c.rand.IntN(10))
				}
				settled(t, held.Live)
				c.note(held)
				f.promote()
				c.write(held, 1+c.rand.IntN(10))
				settled(t, held.Live)
				c.note(held)
				if c.rand.IntN(2) == 0 {
					held = c.take(held)
				}
				f.follow()
			}
			c.take(held)
		})
	}
}

// TestEventsOfALostCommit wants a holder's events in place of those of a commit that the server had
// lost when the session was claimed, and has again.
func TestEventsOfALostCommit(t *testing.T) {
	server := valkeytest.Start(t)
	n := openNode(t, server.Addr(), "node", t.TempDir())
	// the rest of the commit may end before it counts them
	for id, seq := range map[string]string{"counted": "2", "uncounted": "0"} {
		n.create(id)
		l := n.claim(id, store.TakeOver)
		key := "{steno}:session:" + id
		server.Must("XADD", key+":events", "1-0", "kind", "11", "key", "final/other", "body", "{}")
		server.Must("XADD", key+":events", "2-0", "kind", "11", "key", "final/more", "body", "{}")
		server.Must("HSET", key, "seq", seq)
		for _, name := range []string{"first", "second", "third"} {
			_, _, err := l.AppendEvent(t.Context(), event(name), 0, nil)
			must(t, err)
		}
		settled(t, l)
		if got, want := n.names(id), "first second third"; got != want {
			t.Errorf("%s: the server has %s, want %s", id, got, want)
		}
	}
}
