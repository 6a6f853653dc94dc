package valkey

import (
	"fmt"
	"sync/atomic"
	"testing"

	"steno/session/store"
	"steno/session/store/storetest"
	"steno/session/store/valkeytest"
)

// memory fills and frees that of a server.
type memory struct{ *valkeytest.Server }

func (m memory) Fill() { m.Must("CONFIG", "SET", "maxmemory", "1") }
func (m memory) Free() { m.Must("CONFIG", "SET", "maxmemory", "0") }

// TestFaults runs the suite's faults, each with a server of its own. With another appendfsync a
// server that is killed may lose what it has confirmed: it puts off writing to its file while a
// sync runs.
func TestFaults(t *testing.T) {
	storetest.RunFaults(t, func(t *testing.T) storetest.Deployment {
		server := valkeytest.Start(t, "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy",
			"noeviction")
		blobs, nodes := t.TempDir(), new(atomic.Int64)
		return storetest.Deployment{Server: memory{server}, Connect: func(t *testing.T) (store.Store, storetest.Link) {
			proxy := valkeytest.NewProxy(t, server.Addr())
			s, err := Open(t.Context(), Options{
				Addr: proxy.Addr(), Node: fmt.Sprint("node", nodes.Add(1)), Blobs: blobs, Spool: t.TempDir(),
			})
			must(t, err)
			return s, proxy
		}}
	})
}
