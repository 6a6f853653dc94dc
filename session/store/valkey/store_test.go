package valkey

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"steno/session/store"
	"steno/session/store/storetest"
	"steno/session/store/valkeytest"
)

// rest is what is missing of the store: AccountLog and Feed.
type rest struct{ missing }
type missing struct{ store.Store }

// partial is the store with methods that panic for what is missing.
type partial struct {
	rest
	*Store
}

func (p *partial) Close() error                            { return p.Store.Close() }
func (p *partial) Ping(ctx context.Context) error          { return p.Store.Ping(ctx) }
func (p *partial) Free(ctx context.Context) (int64, error) { return p.Store.Free(ctx) }

func TestStore(t *testing.T) {
	shared := valkeytest.Start(t)
	var prefixes atomic.Int64
	storetest.Run(t, func(t *testing.T, now func() time.Time) store.Store {
		if name := t.Name(); strings.Contains(name, "feed") || strings.Contains(name, "log_of_an_account") {
			t.Skip("there is none yet")
		}
		s, err := Open(t.Context(), Options{
			Addr: fmt.Sprintf("valkey://%s?prefix=p%d", shared.Addr(), prefixes.Add(1)), Node: "node", Now: now,
			Blobs: t.TempDir(), Spool: t.TempDir(), Failed: func(err error) { t.Error(err) },
		})
		must(t, err)
		return &partial{Store: s}
	})
}
