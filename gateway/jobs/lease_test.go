package jobs

import (
	"context"
	"errors"
	"testing"

	"steno/session/store"
)

// A cancellation ends all work of the process on the job, and no other work.
func TestLeases(t *testing.T) {
	var all leases
	work := func(job string, number int64) (ctx context.Context, remove func()) {
		ctx, lose := context.WithCancelCause(t.Context())
		return ctx, all.add(store.Lease{Record: store.Record{ID: job}, Number: number}, lose)
	}
	first, removeFirst := work("a", 1)
	second, removeSecond := work("a", 2)
	other, removeOther := work("b", 3)
	if n := all.count(); n != 3 {
		t.Errorf("%d leases", n)
	}
	all.cancel("a")
	for _, ctx := range []context.Context{first, second} {
		if !errors.Is(context.Cause(ctx), store.ErrLost) {
			t.Errorf("cause %v", context.Cause(ctx))
		}
	}
	if other.Err() != nil {
		t.Error("the other job's work has ended")
	}
	removeFirst()
	removeSecond()
	removeOther()
	if all.cancel("b"); other.Err() != nil || all.count() != 0 {
		t.Error("a lease was not removed")
	}
}
