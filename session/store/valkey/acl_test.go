package valkey

import (
	"regexp"
	"strings"
	"testing"

	"steno/session/store"
	"steno/session/store/valkeytest"
)

// TestRules has a store work for a user who may do exactly what Rules allows: nothing is denied.
func TestRules(t *testing.T) {
	server := valkeytest.Start(t, "--appendonly", "yes")
	server.Must("ACL", "SETUSER", "steno", ">secret", DefaultRules())
	t.Cleanup(func() {
		denied := server.Must("ACL", "LOG")
		if denied != "*0\r\n" {
			t.Errorf("denied are %q", regexp.MustCompile(`object\r\n\$\d+\r\n([^\r]+)`).FindAllString(denied, -1))
		}
	})
	n := openNode(t, "valkey://steno:secret@"+server.Addr(), "node", t.TempDir())
	stop, err := n.Follow(t.Context(), store.Topic{Kind: store.SessionLog, Name: "job"}, func(store.Signal) {})
	must(t, err)
	n.create("job")
	l := n.claim("job", store.IfFree)
	appendAudio(t, l, 3200)
	logEvent(t, l, "final")
	settled(t, l)
	must(t, l.Finish(t.Context(), store.Outcome{}))
	must(t, l.Close())
	must(t, n.Tier.Archive(t.Context(), "job"))
	n.hasAudio("job", 3200)
	stop()
	must(t, n.Delete(t.Context(), "acme", "job"))
	for _, name := range Commands(true) {
		if strings.ToUpper(name) != name {
			t.Errorf("%s is not written as others", name)
		}
	}
}

// TestDiskNeedsFile wants a tier refused that a server cannot keep: nothing would ever be durable.
func TestDiskNeedsFile(t *testing.T) {
	server := valkeytest.Start(t)
	o := Options{Addr: server.Addr(), Node: "node", Durability: DurableDisk, Blobs: t.TempDir(), Spool: t.TempDir()}
	if _, err := Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), "appendonly") {
		t.Errorf("opened without an append-only file: %v", err)
	}
	server.Must("CONFIG", "SET", "appendonly", "yes")
	s, err := Open(t.Context(), o)
	must(t, err)
	must(t, s.Close())
}
