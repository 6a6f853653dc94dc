package admission

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"steno/gateway/web"
)

// space is a store with a number of free bytes, which counts the questions.
type space struct {
	free  int64
	err   error
	asked int
}

func (s *space) Free(context.Context) (int64, error) {
	s.asked++
	return s.free, s.err
}

func TestDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &space{free: 10}
		d := NewDisk(s, 10)
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
