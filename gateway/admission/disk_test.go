package admission

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"steno/gateway/web"
	"steno/session/store"
)

// space is a store with a number of free bytes, which counts the questions.
type space struct {
	free  int64
	held  map[string]int64
	err   error
	asked int
}

func (s *space) Held(context.Context) (map[string]int64, error) { return maps.Clone(s.held), s.err }

func (s *space) Free(context.Context) (int64, error) {
	s.asked++
	return s.free, s.err
}

func TestDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &space{free: 10}
		d := NewDisk(s, noQuotas{}, 10, 80)
		for range 5 {
			if err := d.Check(); err != nil {
				t.Error(err)
			}
		}
		if s.asked != 1 {
			t.Errorf("the store was asked %d times at once", s.asked)
		}
		s.free = 9
		time.Sleep(diskMaxAge)
		if p := web.AsProblem(d.Check()); p.Status != 507 || d.Gauge() != 9 {
			t.Errorf("nearly full: %v, %v bytes", p, d.Gauge())
		}
		s.err = errors.New("no answer")
		time.Sleep(diskMaxAge)
		if p := web.AsProblem(d.Check()); p.Status != 500 || !errors.Is(p, s.err) || d.Gauge() != -1 {
			t.Errorf("not known: %v, %v bytes", p, d.Gauge())
		}
	})
}

// written is a writer of an upload that keeps it in memory.
type written struct {
	bytes.Buffer
	of *space
}

func (w *written) Path() string   { return "" }
func (w *written) Discard() error { return nil }
func (w *written) Commit(_ context.Context, u store.Upload) (store.Upload, error) {
	u.Size = int64(w.Len())
	w.of.held[string(u.Key)] += u.Size
	w.of.free -= u.Size
	return u, nil
}

// One key gets its share, be it in many uploads that are committed, or in some that arrive; others
// get theirs of what it has left. What is deleted can be used again. The reserve is left alone.
func TestDiskShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const reserve, room = 1 << 20, 100 << 20
		s := &space{free: reserve + room, held: map[string]int64{}}
		d := NewDisk(s, noQuotas{}, reserve, 80)
		a, b := web.KeyHash{1}, web.KeyHash{2}
		fill := func(key web.KeyHash, commit bool) (got int64) {
			for {
				g := d.Guard(t.Context(), &written{of: s}, "acme", key)
				for range 4 {
					n, err := g.Write(make([]byte, 1<<20))
					if got += int64(n); err != nil {
						if p := web.AsProblem(err); p.Status != 507 {
							t.Errorf("refused with %v", p)
						}
						return got
					}
				}
				if !commit {
					continue
				}
				if u, err := g.Commit(t.Context(), store.Upload{}); err != nil || string(u.Key) != string(key[:]) {
					t.Errorf("%+v, %v", u, err)
				}
			}
		}
		if got := fill(a, true); got < room*3/4 || got > room*4/5 {
			t.Errorf("one key has %d of %d", got, room)
		}
		if err := d.CheckKey(a); web.AsProblem(err).Status != 507 {
			t.Errorf("more of that key: %v", err)
		}
		if err := d.CheckKey(b); err != nil {
			t.Errorf("another key: %v", err)
		}
		if got := fill(b, false); got < room/8 || s.free-got < reserve {
			t.Errorf("another key has %d, of which none are committed", got)
		}
		s.free, s.held = s.free+s.held[string(a[:])]/2, map[string]int64{string(a[:]): s.held[string(a[:])] / 2}
		time.Sleep(heldMaxAge)
		if err := d.CheckKey(a); err != nil {
			t.Errorf("after deletions: %v", err)
		}
		if left, err := d.Free(); err != nil || left < reserve {
			t.Errorf("%d bytes are free, %v", left, err)
		}
	})
}

// noQuotas bounds no account.
type noQuotas struct{}

func (noQuotas) CheckStorage(context.Context, string, int64) error { return nil }
func (noQuotas) Stored(string)                                     {}
