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

func TestStore(t *testing.T) {
	shared := valkeytest.Start(t)
	var prefixes atomic.Int64
	storetest.Run(t, func(t *testing.T, now func() time.Time) store.Store {
		s, err := Open(t.Context(), Options{
			Addr: fmt.Sprintf("valkey://%s?prefix=p%d", shared.Addr(), prefixes.Add(1)), Node: "node", Now: now,
			Blobs: t.TempDir(), Spool: t.TempDir(), Failed: func(err error) { t.Error(err) },
		})
		must(t, err)
		return s
	})
}
