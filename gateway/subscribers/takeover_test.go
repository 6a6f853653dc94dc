package subscribers

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"steno/messages"
	"steno/session/store"
)

// A node that has taken a session over publishes partials before it has logged anything, and so
// does not know where in the log they stand. Those of utterances that have their final are not
// passed on.
func TestNoPartialAfterItsFinal(t *testing.T) {
	s := newTestServer(t, nil)
	h := newHub(s.service, &sessionSource{id: "a1"})
	c := &client{wants: ^messages.Filter(0), room: queueBytes, metrics: s.metrics, wake: make(chan struct{}, 1)}
	if !h.join(c, 0, true) {
		t.Fatal("the client does not join")
	}
	p := page{room: queueBytes}
	p.add(newPublication(1, 1, "a1", messages.Event{Seq: 1, Key: messages.Key{Kind: messages.KindFinal,
		Subject: "00_00000003"}, Body: []byte("final")}))
	h.publish(p)
	for _, subject := range []string{"00_00000002", "00_00000003", "00_00000004", "01_00000000"} {
		partial := messages.Event{Key: messages.Key{Kind: messages.KindPartial, Subject: subject},
			Body: []byte(subject)}
		if err := h.passUnlogged(t.Context(), store.Signal{Event: partial}); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, f := range c.take(nil).publications {
		got = append(got, string(f.body))
	}
	if len(got) != 3 || got[0] != "final" || got[1] != "00_00000004" || got[2] != "01_00000000" {
		t.Errorf("the client is sent %q", got)
	}
}

// finishedStore has a session that was finished at a time of another machine's clock.
type finishedStore struct {
	Store
	at time.Time
}

func (s finishedStore) Get(context.Context, string, string) (store.Record, error) {
	return store.Record{Status: messages.StatusDone, CompletedAt: &s.at}, nil
}

// How long ago a session was finished does not depend on the clock of the machine that has finished
// it.
func TestEndDoesNotDependOnOtherClocks(t *testing.T) {
	for _, ahead := range []time.Duration{-time.Hour, 0, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			from := &sessionSource{store: finishedStore{at: time.Now().Add(ahead)}}
			for _, want := range []bool{false, false, true} {
				if over, err := from.over(t.Context()); err != nil || over != want {
					t.Errorf("clock %v ahead: %t, %v, want %t", ahead, over, err, want)
				}
				time.Sleep(finishedFor / 2)
			}
		})
	}
}
