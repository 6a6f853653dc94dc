package remote

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"steno/session/asr"
)

// Of utterances that wait for a server, those of one party do not delay one of another by more than
// one, and recordings of any wait for live speech.
func TestPartiesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Limits{Concurrency: 1})
		defer s.Close()
		var mu sync.Mutex
		var order []string
		var asking sync.WaitGroup
		ask := func(p asr.Params) {
			asking.Go(func() {
				u := &Utterance{Context: t.Context(), Params: p, Ended: func() bool { return true }}
				err := s.Do(context.Background(), u, false, func(bool) error {
					mu.Lock()
					order = append(order, p.Party)
					mu.Unlock()
					time.Sleep(time.Second)
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		for range 3 {
			ask(asr.Params{Party: "heavy"})
		}
		ask(asr.Params{Party: "recorded", Priority: asr.Replay})
		ask(asr.Params{Party: "light"})
		asking.Wait()
		if want := []string{"heavy", "light", "heavy", "heavy", "recorded"}; !slices.Equal(order, want) {
			t.Errorf("the server was asked for %q, want %q", order, want)
		}
	})
}
