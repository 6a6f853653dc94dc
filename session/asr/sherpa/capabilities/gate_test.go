package capabilities

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"steno/session/asr"
)

func TestGateLetsOneWorkAndAFewWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, hold := newGate(), make(chan struct{})
		var working, most, done int
		work := func() {
			working++
			most = max(most, working)
			<-hold
			working--
			done++
		}
		results := make(chan error, maxWaiting+1)
		for range maxWaiting + 1 {
			go func() { results <- g.do(context.Background(), work) }()
		}
		synctest.Wait()
		if err := g.do(context.Background(), work); !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("one more than may wait: %v", err)
		}
		for range maxWaiting + 1 {
			hold <- struct{}{}
			if err := <-results; err != nil {
				t.Error(err)
			}
		}
		if most != 1 || done != maxWaiting+1 {
			t.Errorf("%d worked at a time, and %d in all", most, done)
		}
	})
}

func TestGateHeedsContexts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, hold := newGate(), make(chan struct{})
		first := make(chan error)
		running, stop := context.WithCancel(context.Background())
		go func() { first <- g.do(running, func() { <-hold }) }()
		synctest.Wait()

		waiting, cancel := context.WithCancel(context.Background())
		second := make(chan error)
		go func() { second <- g.do(waiting, func() { t.Error("worked for a context that had ended") }) }()
		synctest.Wait()
		cancel()
		if err := <-second; !errors.Is(err, context.Canceled) {
			t.Errorf("one that waited: %v", err)
		}
		stop()
		close(hold)
		if err := <-first; !errors.Is(err, context.Canceled) {
			t.Errorf("one that worked: %v", err)
		}
		if err := g.do(waiting, func() { t.Error("worked for a context that had ended") }); !errors.Is(err,
			context.Canceled) {
			t.Errorf("one that came late: %v", err)
		}
	})
}

func TestGateClosesWhenWorkIsDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, hold := newGate(), make(chan struct{})
		worked, waited, closed := make(chan error, 1), make(chan error, 1), make(chan bool, 2)
		go func() { worked <- g.do(context.Background(), func() { <-hold }) }()
		synctest.Wait()
		go func() { waited <- g.do(context.Background(), func() { t.Error("worked after closing") }) }()
		synctest.Wait()
		for range 2 {
			go func() { closed <- g.close() }()
		}
		synctest.Wait()
		if len(closed) > 0 {
			t.Error("closed while there was work")
		}
		if err := <-waited; !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("one that waited: %v", err)
		}
		close(hold)
		if err := <-worked; err != nil {
			t.Errorf("one that worked: %v", err)
		}
		if a, b := <-closed, <-closed; a == b {
			t.Errorf("of two that closed, both or none were first: %v", a)
		}
		if err := g.do(context.Background(), func() {}); !errors.Is(err, asr.ErrUnavailable) {
			t.Errorf("after closing: %v", err)
		}
	})
}
