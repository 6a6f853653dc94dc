package valkey

import (
	"context"
	"errors"
	"testing"
	"time"

	"steno/messages"
	"steno/session/store"
	"steno/session/store/valkey/claims"
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
	*Store
	t *testing.T
}

// testLease is short, so that tests see it run out.
const testLease = 900 * time.Millisecond

// openNode opens the store of a node; blobs is a folder.
func openNode(t *testing.T, addr, name, blobs string) node {
	t.Helper()
	s, err := Open(t.Context(), Options{
		Addr: addr, Node: name, Lease: testLease, ResumeWindow: testLease, Blobs: blobs, Spool: t.TempDir(),
	})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return node{s, t}
}

func (n node) create(id string) {
	n.t.Helper()
	must(n.t, n.Create(n.t.Context(), liveRecord(id)))
}

func (n node) claim(id string, intent store.Intent) store.Live {
	n.t.Helper()
	for {
		l, err := n.Claim(n.t.Context(), id, intent)
		if errors.Is(err, store.ErrAway) {
			continue
		}
		must(n.t, err)
		return l
	}
}

// event is a final of that name.
func event(name string) messages.Event {
	return messages.Event{Key: messages.Key{Kind: messages.KindFinal, Subject: name},
		Body: []byte(`{"name":"` + name + `"}`)}
}

// log appends an event with a checkpoint of lane 0.
func logEvent(t *testing.T, l store.Live, name string) int64 {
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
func appendAudio(t *testing.T, l store.Live, n int) {
	t.Helper()
	must(t, l.AppendAudio(t.Context(), audioAt(l.AudioSize(), n)))
	must(t, l.Sync(l.AudioSize()))
}

// settled waits until everything accepted is durable.
func settled(t *testing.T, l store.Live) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := l.(*claims.Live).AwaitDurable(ctx); err != nil {
		t.Fatalf("not durable: %v; %+v", err, l.Durable())
	}
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

// hasAudio fails unless the journal of a session is the tests' audio of that length.
func (n node) hasAudio(id string, size int64) {
	n.t.Helper()
	a, err := n.OpenAudio(n.t.Context(), "acme", id)
	must(n.t, err)
	defer a.Close()
	if a.Size() != size {
		n.t.Fatalf("journal has %d bytes, want %d", a.Size(), size)
	}
	p := make([]byte, 64<<10)
	for at := int64(0); at < size; {
		got, err := a.Read(p)
		must(n.t, err)
		if string(p[:got]) != string(audioAt(at, got)) {
			n.t.Fatalf("journal differs after %d", at)
		}
		at += int64(got)
	}
}
