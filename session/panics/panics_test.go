package panics_test

import (
	"errors"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"steno/session/panics"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errPlain = errors.New("plain")

func index(list []int) int { return list[len(list)] }

func TestCatch(t *testing.T) {
	if err := panics.Catch(func() error { return errPlain }); err != errPlain || panics.In(err) != nil {
		t.Errorf("error is %v", err)
	}
	err := panics.Catch(func() error { index(nil); return nil })
	if e := panics.In(err); e == nil || !strings.Contains(err.Error(), "index out of range") ||
		!strings.Contains(string(e.Stack), "panics_test.index") {
		t.Errorf("error is %v", err)
	}
	err = panics.Try(func() { panic("what somebody said") })
	if panics.In(err) == nil || strings.Contains(err.Error(), "said") || !strings.Contains(err.Error(), "string") {
		t.Errorf("error is %v", err)
	}
	if err := panics.Try(func() {}); err != nil {
		t.Errorf("error is %v", err)
	}
}

// A group waits for all, and its panic keeps the stack of the goroutine it came from.
func TestGroup(t *testing.T) {
	var g panics.Group
	done := make(chan int, 3)
	for i := range 3 {
		g.Go(func() {
			defer func() { done <- i }()
			if i == 1 {
				index([]int{1})
			}
		})
	}
	err := panics.Try(g.Wait)
	if e := panics.In(err); e == nil || !strings.Contains(string(e.Stack), "panics_test.index") || len(done) != 3 {
		t.Errorf("error is %v, %d have ended", err, len(done))
	}
	var fine panics.Group
	fine.Go(func() {})
	fine.Wait()
}
