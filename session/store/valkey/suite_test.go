package valkey

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"steno/session/store"
	"steno/session/store/storetest"
	"steno/session/store/valkeytest"
)

var _ store.Store = (*Store)(nil)

// prefixes counts the stores that tests have opened on a server, each with a prefix of its own.
var prefixes atomic.Int64

func TestStore(t *testing.T) {
	addr := valkeytest.Start(t).Addr()
	storetest.Run(t, func(t *testing.T, now func() time.Time) store.Store {
		s, err := Open(t.Context(), Options{
			Addr: fmt.Sprintf("valkey://%s?prefix=t%d", addr, prefixes.Add(1)), Node: "test", Now: now,
			Blobs: t.TempDir(), Spool: t.TempDir(),
		})
		must(t, err)
		return s
	})
}
