package endtoend_test

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// cutsBeforeStop is how many connections of a conversation are lost while it speaks, cutsAfterStop
// how many later.
const (
	cutsBeforeStop = 24
	cutsAfterStop  = 6
)

// testLostConnections loses connections at random moments: within frames of either direction,
// within the opening handshake, directly after the stop, and while the rest is delivered.
func testLostConnections(t *testing.T, sdk string, g *gateway, e engineCase, seed uint64, want []transcript) {
	c := e.clip(t)
	p := newProxy(t, g.addr, cutPlan(seed))
	said := converse(t, sdk, p.url(), c, nil)
	compareFinals(t, said.checkKept(t, c), want)

	var before, after, inFrame int
	for _, done := range p.done() {
		if done.stopped {
			after++
		} else {
			before++
		}
		if done.inFrame {
			inFrame++
		}
	}
	if before < 6 || after < 1 || inFrame < 1 {
		t.Errorf("%d connections lost before the stop, %d after, %d within a frame of the client: too few to show anything", before, after, inFrame)
	}
	t.Logf("%d connections lost before the stop, %d after, %d within a frame of the client", before, after, inFrame)
}

// cutPlan decides at random how connections end.
func cutPlan(seed uint64) func(n int, stopped bool) cut {
	r := rand.New(rand.NewPCG(seed, 3))
	late := 0
	return func(n int, stopped bool) cut {
		c := cut{up: -1, down: -1, behindStop: !stopped, reset: r.IntN(2) == 0}
		switch {
		case stopped && late < cutsAfterStop-1:
			late++
			c.down = r.Int64N(5000)
		case stopped:
		case n < cutsBeforeStop && n%2 == 0:
			c.up = 200 + r.Int64N(clipRate*3/2) // up to 0.75 s of audio
		case n < cutsBeforeStop:
			c.down = r.Int64N(4000)
		}
		return c
	}
}

// testKilledGateway kills the gateway in the middle of an utterance, and once more right after the
// stop, when it is somewhere between taking the stop and having closed, and starts it again on the
// same data.
func testKilledGateway(t *testing.T, sdk string, g *gateway, e engineCase, want []transcript) {
	c := e.clip(t)
	kills := newTrigger(2, "ending")
	said := converse(t, sdk, g.url(), c, func(ev event) {
		if !kills.now(t, ev) {
			return
		}
		restart(t, g)
	})
	compareFinals(t, said.checkKept(t, c), want)
	if kills.done == 0 || said.connections < 2 {
		t.Errorf("%d kills, %d connections: too few to show anything", kills.done, said.connections)
	}
}

// testKilledEngine kills the engine process in the middle of an utterance, and of a later one or
// after the stop.
func testKilledEngine(t *testing.T, sdk string, g *gateway, e engineCase, want []transcript) {
	c := e.clip(t)
	kills := newTrigger(1, "")
	again := newTrigger(3, "ending")
	said := converse(t, sdk, g.url(), c, func(ev event) {
		if first, second := kills.now(t, ev), again.now(t, ev); !first && !second {
			return
		}
		if err := g.killEngine(); err != nil {
			t.Error(err)
		}
	})
	compareFinals(t, said.checkKept(t, c), want)
	if kills.done == 0 || again.done == 0 {
		t.Errorf("%d and %d kills: too few to show anything", kills.done, again.done)
	}
	if said.connections != 1 {
		t.Errorf("%d connections: the client noticed", said.connections)
	}
}

// trigger finds the moments to kill something.
type trigger struct {
	// with the first transcript of the n-th utterance (from 1): a final where a busy machine sends
	// no partials
	utterance int
	event     string // and with the first such event; empty: only the utterance
	done      int

	seen   map[string]bool // utterances
	passed bool            // the event was there
}

func newTrigger(utterance int, event string) *trigger {
	return &trigger{utterance: utterance, event: event, seen: map[string]bool{}}
}

// now reports whether this event is a moment.
func (k *trigger) now(t *testing.T, e event) bool {
	hit := !k.passed && k.event != "" && e.Event == k.event
	k.passed = k.passed || hit
	if e.Event == "message" {
		for _, x := range transcriptsOf(t, [][]byte{e.Message}) {
			if k.seen[x.ID] {
				continue
			}
			k.seen[x.ID] = true
			hit = len(k.seen) == k.utterance
		}
	}
	if hit {
		k.done++
	}
	return hit
}

// compareFinals wants the same utterances, word for word, times and confidences included.
func compareFinals(t *testing.T, got, want []transcript) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d finals, %d when undisturbed", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if got[i].ID != want[i].ID || !reflect.DeepEqual(got[i].Said, want[i].Said) {
			t.Errorf("final %d is\n%s %v\nundisturbed\n%s %v", i, got[i].ID, got[i].Said, want[i].ID, want[i].Said)
		}
	}
}
