package claims

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkey/tier"
	"steno/session/store/valkeytest"
)

// liveRecord is a record of account "acme".
func liveRecord(id string) store.Record {
	return store.Record{
		ID: id, Account: "acme", Kind: messages.JobLive, Status: messages.StatusProcessing, CreatedAt: time.Now(),
		Channels:            1,
		PostSessionMetadata: []byte(`{}`), Params: []byte(`{"bit_depth":16,"sample_rate":16000,"channels":1}`),
	}
}

// node is the store as one node has it.
type node struct {
	*rig
	T *testing.T
}

// testLease is short, so that tests see it run out.
const testLease = 900 * time.Millisecond

// openNode opens the store of a node; blobs is a folder.
func openNode(t *testing.T, addr, name, blobs string) node {
	t.Helper()
	s, err := openRig(t.Context(), rigOptions{
		Addr: addr, Node: name, Lease: testLease, ResumeWindow: testLease, Blobs: blobs,
	})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return node{s, t}
}

func (n node) create(id string) {
	n.T.Helper()
	must(n.T, n.Create(n.T.Context(), liveRecord(id)))
}

func (n node) claim(id string, intent store.Intent) *Live {
	n.T.Helper()
	for {
		l, err := n.Claim(n.T.Context(), id, intent)
		if errors.Is(err, store.ErrAway) {
			continue
		}
		must(n.T, err)
		return l.(*Live)
	}
}

// Event is a final of that name.
func event(name string) messages.Event {
	return messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: name},
		Body: []byte(`{"name":"` + name + `"}`)}
}

// log appends an event with a checkpoint of lane 0.
func logEvent(t *testing.T, l *Live, name string) int64 {
	t.Helper()
	seq, fresh, err := l.AppendEvent(t.Context(), event(name), 0, []byte("after "+name))
	must(t, err)
	if !fresh {
		t.Fatalf("event %s is known", name)
	}
	return seq
}

// audioAt is the bytes of the tests' audio from a position on.
func audioAt(at int64, n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(uint64(at+int64(i)) * 0x9E3779B97F4A7C15 >> 56)
	}
	return p
}

// appendAudio appends audio and asks for it to be durable.
func appendAudio(t *testing.T, l *Live, n int) {
	t.Helper()
	must(t, l.AppendAudio(t.Context(), audioAt(l.AudioSize(), n)))
	must(t, l.Sync(l.AudioSize()))
}

// settled waits until everything accepted is durable.
func settled(t *testing.T, l *Live) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := l.AwaitDurable(ctx); err != nil {
		t.Fatalf("not durable: %v; %+v", err, l.Durable())
	}
}

// ended waits until a claim has ended.
func ended(t *testing.T, l *Live, cause error) {
	t.Helper()
	select {
	case <-l.Lost():
	case <-time.After(20 * time.Second):
		t.Fatal("the claim has not ended")
	}
	wants(t, l.Cause(), cause)
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 2000 {
		if is() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("never: " + what)
}

// names are those of the events of a session, from the server.
func (n node) names(id string) string {
	n.T.Helper()
	events, err := n.Events(n.T.Context(), "acme", id, 0, 100000)
	must(n.T, err)
	var names []string
	for i, e := range events {
		if e.Seq != int64(i+1) {
			n.T.Fatalf("event %d has number %d", i+1, e.Seq)
		}
		names = append(names, e.Subject)
	}
	return strings.Join(names, " ")
}

// HasAudio fails unless the journal of a session is the tests' audio of that length.
func (n node) hasAudio(id string, size int64) {
	n.T.Helper()
	a, err := n.OpenAudio(n.T.Context(), "acme", id)
	must(n.T, err)
	defer a.Close()
	if a.Size() != size {
		n.T.Fatalf("journal has %d bytes, want %d", a.Size(), size)
	}
	p := make([]byte, 64<<10)
	for at := int64(0); at < size; {
		got, err := a.Read(p)
		must(n.T, err)
		if string(p[:got]) != string(audioAt(at, got)) {
			n.T.Fatalf("journal differs after %d", at)
		}
		at += int64(got)
	}
}

func TestTakeOver(t *testing.T) {
	addr := valkeytest.Start(t).Addr()
	a, b := openNode(t, addr, "a", t.TempDir()), openNode(t, addr, "b", t.TempDir())
	a.create("job")
	first := a.claim("job", store.IfFree)
	appendAudio(t, first, 3200)
	logEvent(t, first, "one")
	settled(t, first)
	_, err := b.Claim(t.Context(), "job", store.IfFree)
	wants(t, err, store.ErrClaimed)
	second := b.claim("job", store.TakeOver)
	if second.generation <= first.generation {
		t.Errorf("generation %d follows %d", second.generation, first.generation)
	}
	ended(t, first, store.ErrTaken) // though it writes nothing
	wants(t, first.AppendAudio(t.Context(), []byte("x")), store.ErrTaken)
	appendAudio(t, second, 3200)
	logEvent(t, second, "two")
	settled(t, second)
	must(t, first.Close())
	must(t, second.Close())
	third := a.claim("job", store.IfFree)
	if got := a.names("job"); got != "one two" {
		t.Errorf("events %s", got)
	}
	a.hasAudio("job", 6400)
	checkpoints, err := third.Checkpoints(t.Context())
	if string(checkpoints[0]) != "after two" || err != nil {
		t.Errorf("checkpoints %v, %v", checkpoints, err)
	}
}

// TestPaused has a node go away with what it had accepted, and come back after another one has the
// session.
func TestPaused(t *testing.T) {
	addr := valkeytest.Start(t).Addr()
	proxy := valkeytest.NewProxy(t, addr)
	bucket := t.TempDir()
	a, b := openNode(t, proxy.Addr(), "a", bucket), openNode(t, addr, "b", bucket)
	a.create("job")
	first := a.claim("job", store.IfFree)
	appendAudio(t, first, 3200)
	logEvent(t, first, "one")
	settled(t, first)
	proxy.Cut()
	for range 300 { // more than a segment
		appendAudio(t, first, 3200)
	}
	logEvent(t, first, "lost")
	_, err := b.Claim(t.Context(), "job", store.IfFree)
	wants(t, err, store.ErrClaimed)
	var second *Live
	eventually(t, "the lease is over", func() bool {
		l, err := b.Claim(t.Context(), "job", store.IfFree)
		if err != nil {
			wants(t, err, store.ErrClaimed)
			return false
		}
		second = l.(*Live)
		return true
	})
	appendAudio(t, second, 3200)
	logEvent(t, second, "two")
	settled(t, second)
	proxy.Restore()
	ended(t, first, store.ErrLost)
	must(t, first.Close())
	appendAudio(t, second, 3200)
	logEvent(t, second, "three")
	settled(t, second)
	if got := b.names("job"); got != "one two three" {
		t.Errorf("events %s", got)
	}
	b.hasAudio("job", 9600)
	if len(second.accepted.segments) != 0 {
		t.Errorf("manifest %v", second.accepted.segments)
	}
}

// TestUploadOfPaused has the upload of a segment end after the claim has.
func TestUploadOfPaused(t *testing.T) {
	addr := valkeytest.Start(t).Addr()
	bucket := t.TempDir()
	a, b := openNode(t, addr, "a", bucket), openNode(t, addr, "b", bucket)
	slow := &slowBlobs{Blobs: a.Tier.Blobs, gate: make(chan struct{}), begun: make(chan string, 1)}
	a.Tier.Blobs = slow
	a.create("job")
	first := a.claim("job", store.IfFree)
	first.pace.SetLimit(rate.Inf)
	must(t, first.AppendAudio(t.Context(), audioAt(0, tier.SegmentSize+3200)))
	settled(t, first)
	object := <-slow.begun
	second := b.claim("job", store.TakeOver)
	second.pace.SetLimit(rate.Inf)
	appendAudio(t, second, 3200)
	settled(t, second)
	close(slow.gate)
	ended(t, first, store.ErrTaken)
	must(t, first.Close())
	eventually(t, "the segment of the second", func() bool {
		appendAudio(t, second, 3200)
		second.mu.Lock()
		defer second.mu.Unlock()
		return len(second.accepted.segments) == 1
	})
	if s := second.accepted.segments[0]; s.Object == object {
		t.Errorf("manifest has %s", s)
	}
	settled(t, second)
	b.hasAudio("job", second.AudioSize())
}

// slowBlobs writes nothing before its gate is open.
type slowBlobs struct {
	tier.Blobs
	gate  chan struct{}
	begun chan string
}

var errTest = errors.New("blob storage is away")

// flaky fails while it is set.
type flakyBlobs struct {
	tier.Blobs
	away atomic.Bool
}

func (b *flakyBlobs) Put(ctx context.Context, name string, body *io.SectionReader) error {
	if b.away.Load() {
		return errTest
	}
	return b.Blobs.Put(ctx, name, body)
}

func (b *slowBlobs) Put(ctx context.Context, name string, body *io.SectionReader) error {
	b.begun <- name
	<-b.gate
	return b.Blobs.Put(context.WithoutCancel(ctx), name, body)
}

// TestSessionOutage accepts while the server is away, in each of the ways in which it can be.
func TestSessionOutage(t *testing.T) {
	for name, c := range map[string]struct {
		away func(*valkeytest.Server, *valkeytest.Proxy)
		back func(*valkeytest.Server, *valkeytest.Proxy)
	}{
		"cut": {func(_ *valkeytest.Server, p *valkeytest.Proxy) { p.Cut() }, func(_ *valkeytest.Server,
			p *valkeytest.Proxy) {
			p.Restore()
		}},
		"without answers": {func(_ *valkeytest.Server, p *valkeytest.Proxy) { p.Deafen() }, func(_ *valkeytest.Server,
			p *valkeytest.Proxy) {
			p.Restore()
		}},
		"killed": {func(s *valkeytest.Server, _ *valkeytest.Proxy) { s.Kill() }, func(s *valkeytest.Server,
			_ *valkeytest.Proxy) {
			s.Again()
		}},
		"paused": {func(s *valkeytest.Server, _ *valkeytest.Proxy) { s.Pause() }, func(s *valkeytest.Server,
			_ *valkeytest.Proxy) {
			s.Resume()
		}},
		"out of memory": {
			func(s *valkeytest.Server, _ *valkeytest.Proxy) { s.Must("CONFIG", "SET", "maxmemory", "1") },
			func(s *valkeytest.Server, _ *valkeytest.Proxy) { s.Must("CONFIG", "SET", "maxmemory", "0") },
		},
		"read only": {
			func(s *valkeytest.Server, _ *valkeytest.Proxy) { s.Must("CONFIG", "SET", "min-replicas-to-write", "1") },
			func(s *valkeytest.Server, _ *valkeytest.Proxy) { s.Must("CONFIG", "SET", "min-replicas-to-write", "0") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			running := valkeytest.Start(t, "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy",
				"noeviction")
			proxy := valkeytest.NewProxy(t, running.Addr())
			n := openNode(t, proxy.Addr(), "a", t.TempDir())
			n.create("job")
			l := n.claim("job", store.IfFree)
			var told atomic.Int64
			l.Notify(func() { told.Add(1) })
			appendAudio(t, l, 3200)
			logEvent(t, l, "before")
			settled(t, l)
			before := l.Durable()
			c.away(running, proxy)
			for i := range 40 {
				appendAudio(t, l, 3200)
				logEvent(t, l, fmt.Sprint("e", i))
				time.Sleep(5 * time.Millisecond)
			}
			must(t, l.MarkSilence(t.Context(), 6400))
			time.Sleep(300 * time.Millisecond)
			if p := l.Durable(); p != before {
				t.Errorf("durable without a server: %+v after %+v", p, before)
			}
			calls := told.Load()
			c.back(running, proxy)
			settled(t, l)
			if p := l.Durable(); p.Seq != 41 || p.Boundary != l.AudioSize() {
				t.Errorf("durable %+v", p)
			}
			eventually(t, "the holder is told", func() bool { return told.Load() > calls })
			if got := n.names("job"); !strings.HasPrefix(got, "before e0 e1 ") || strings.Count(got, " ") != 40 {
				t.Errorf("events %s", got)
			}
			n.hasAudio("job", 41*3200)
			must(t, l.Close())
			l = n.claim("job", store.IfFree)
			if s, err := l.Silences(t.Context()); len(s) != 1 || err != nil {
				t.Errorf("silences %v, %v", s, err)
			}
			if m, err := l.Marks(t.Context()); len(m.Sent) != 41 || err != nil {
				t.Errorf("%d boundaries, %v", len(m.Sent), err)
			}
		})
	}
}

// TestSessionWithoutMemory wants a server without memory to renew leases and to take what frees
// some.
func TestSessionWithoutMemory(t *testing.T) {
	running := valkeytest.Start(t, "--maxmemory-policy", "noeviction")
	blobs := t.TempDir()
	a, b := openNode(t, running.Addr(), "a", blobs), openNode(t, running.Addr(), "b", blobs)
	slow := &slowBlobs{Blobs: a.Tier.Blobs, gate: make(chan struct{}), begun: make(chan string, 1)}
	a.Tier.Blobs = slow
	a.create("job")
	a.create("done")
	l, done := a.claim("job", store.IfFree), a.claim("done", store.IfFree)
	must(t, l.AppendAudio(t.Context(), audioAt(0, tier.SegmentSize)))
	settled(t, l)
	<-slow.begun
	running.Must("CONFIG", "SET", "maxmemory", "1")
	must(t, done.Finish(t.Context(), store.Outcome{}))
	must(t, done.Close())
	must(t, l.AppendAudio(t.Context(), audioAt(tier.SegmentSize, 3200)))
	close(slow.gate)
	eventually(t, "the segment is in the manifest", func() bool {
		return strings.HasPrefix(running.Must("LLEN", "{steno}:session:job:segments"), ":1")
	})
	time.Sleep(3 * testLease)
	running.Must("CONFIG", "SET", "maxmemory", "0")
	_, err := b.Claim(t.Context(), "job", store.IfFree)
	wants(t, err, store.ErrClaimed)
	settled(t, l)
	b.hasAudio("job", tier.SegmentSize+3200)
}
