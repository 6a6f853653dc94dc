package ratelimit

import (
	"testing"
	"testing/synctest"
	"time"
)

// However many addresses come, the table stays small, and those that have used up theirs the
// longest stay.
func TestBucketsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New[int](1, 2, 100)
		for i := range 1000 {
			b.Take(i)
			if len(b.of) > 100 {
				t.Fatalf("%d buckets", len(b.of))
			}
		}
		for i := range 10 {
			time.Sleep(time.Hour) // all are full again
			b.Take(-1)
			if b.Take(-1); b.Take(-1) == 0 {
				t.Errorf("round %d: a third token", i)
			}
			b.Take(1000 + i)
		}
		if b.Has(-1) || !b.Has(5000) {
			t.Errorf("empty: %v, unknown: %v", b.Has(-1), b.Has(5000))
		}
		unlimited := New[int](0, 1, 1)
		if unlimited.Take(1)+unlimited.Take(1) != 0 {
			t.Error("a bucket without limit is empty")
		}
	})
}
