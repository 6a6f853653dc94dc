package client

import (
	"fmt"
	"strings"
	"testing"

	"steno/gateway/dialect"
	"steno/gateway/limits"
	"steno/gateway/metrics"
	"steno/messages"
)

func testOutbox(count, size int) (o *outbox, spills *int) {
	l := limits.Limits{OutboxEvents: count, OutboxBytes: size}.WithDefaults()
	o = newOutbox(messages.FilterOf(messages.Kinds()...), l, metrics.New(), newBudget(l.SocketBytes), "")
	spills = new(int)
	o.overflow = func() { *spills++ }
	return o, spills
}

func partial(key, body string) messages.Event {
	return messages.Event{Key: messages.Key{Kind: messages.KindPartial, Subject: key}, Body: []byte(body)}
}

func logged(seq int64) messages.Event {
	return messages.Event{Seq: seq, Key: messages.Key{Kind: messages.KindFinal, Subject: fmt.Sprint(seq)},
		Body: []byte(fmt.Sprint("final ", seq))}
}

func bodies(o *outbox) string {
	batch, _, _ := o.take(nil)
	var list []string
	for _, e := range batch {
		list = append(list, string(e.Body))
	}
	return strings.Join(list, ", ")
}

// drops returns the count of one reason.
func drops(o *outbox, reason string) (n float64) {
	families, err := o.metrics.Registry.Gather()
	if err != nil {
		return -1
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == "steno_dropped_total" && m.GetLabel()[0].GetValue() == reason {
				n += m.GetCounter().GetValue()
			}
		}
	}
	return n
}

func TestNewestPartialWaits(t *testing.T) {
	o, _ := testOutbox(10, 0)
	for _, e := range []messages.Event{partial("a", "a1"), partial("b", "b1"), logged(1), partial("a", "a2"),
		partial("b", "b2"), partial("a", "a3")} {
		o.Send(e)
	}
	if got := bodies(o); got != "a3, b2, final 1" {
		t.Errorf("waiting: %s", got)
	}
	if got := drops(o, metrics.DropPartialReplaced); got != 3 {
		t.Errorf("%v partials counted as replaced", got)
	}
	o.Send(partial("a", "a4"))
	if got := bodies(o); got != "a4" {
		t.Errorf("waiting: %s", got)
	}
}

func TestFullOutbox(t *testing.T) {
	for name, o := range map[string]func() (*outbox, *int){
		"by count": func() (*outbox, *int) { return testOutbox(2, 0) },
		"by size":  func() (*outbox, *int) { return testOutbox(0, len("final 1")+len("final 2")) },
	} {
		o, spills := o()
		o.Send(logged(1))
		o.Send(logged(2))
		o.Send(partial("a", "a1"))
		if *spills != 0 || drops(o, metrics.DropPartialFull) != 1 {
			t.Errorf("%s: a partial without room: %d spills, %v drops", name, *spills,
				drops(o, metrics.DropPartialFull))
		}
		o.Send(logged(3))
		o.Send(logged(4))
		if *spills != 1 || drops(o, metrics.DropOverflow) != 1 || drops(o, metrics.DropLate) != 1 {
			t.Errorf("%s: %d spills, %v and %v drops", name, *spills, drops(o, metrics.DropOverflow),
				drops(o, metrics.DropLate))
		}
		if got := bodies(o); got != "final 1, final 2" {
			t.Errorf("%s: waiting: %s", name, got)
		}
	}
}

func TestWhatWasMissedHasRoom(t *testing.T) {
	o, spills := testOutbox(2, 0)
	o.catchUp(true)
	var want []string
	for seq := range int64(100) {
		o.Send(logged(seq))
		want = append(want, fmt.Sprint("final ", seq))
	}
	o.catchUp(false)
	o.Send(logged(100))
	o.Send(logged(101))
	want = append(want, "final 100", "final 101")
	if got := bodies(o); got != strings.Join(want, ", ") || *spills != 0 {
		t.Errorf("%d spills, waiting: %s", *spills, got)
	}
}

// All outboxes together hold no more than they may, beyond a little of their own. That includes
// missed events and the writer's batch.
func TestOutboxesShareRoom(t *testing.T) {
	one, _ := testOutbox(100, 0)
	other, spills := testOutbox(100, 0)
	room := newBudget(2 * quotaStep)
	room.each = room.free
	one.quota.budget, other.quota.budget = room, room
	big := func(seq int64) messages.Event {
		return messages.Event{Seq: seq, Key: messages.Key{Kind: messages.KindFinal}, Body: make([]byte, ownBytes)}
	}
	one.catchUp(true)
	one.Send(big(1))
	one.Send(big(2))
	one.catchUp(false)
	one.Send(big(3))
	one.take(nil) // is being written
	other.Send(big(4))
	other.Send(partial("a", "a1"))
	if *spills != 0 || drops(other, metrics.DropPartialFull) != 1 {
		t.Errorf("its own room: %d spills, %v partials dropped", *spills, drops(other, metrics.DropPartialFull))
	}
	one.take(nil) // is written
	other.Send(big(5))
	other.Send(big(6))
	if *spills != 0 {
		t.Error("room that was given back is not there")
	}
	other.Send(big(7))
	if *spills != 1 || drops(other, metrics.DropOverload) != 1 {
		t.Errorf("%d spills, %v counted", *spills, drops(other, metrics.DropOverload))
	}
	one.drop()
	other.drop()
	other.Send(big(8))
	if room.free != 2*quotaStep || len(room.held) != 0 {
		t.Error("not all was given back")
	}
}

func TestFirstCloseCounts(t *testing.T) {
	o, _ := testOutbox(2, 0)
	o.Send(logged(1))
	o.end(dialect.Ending{Why: dialect.Replaced})
	o.end(dialect.Ending{Why: dialect.Finished})
	o.Send(logged(2))
	batch, c, _ := o.take(nil)
	if len(batch) != 1 || c == nil || c.Why != dialect.Replaced {
		t.Errorf("%d events, close %v", len(batch), c)
	}
}

// An outbox is scheduled once, and is at rest when no event was added since.
func TestOutboxIsScheduledOnce(t *testing.T) {
	o, _ := testOutbox(10, 0)
	scheduled := 0
	o.schedule = func() { scheduled++ }
	o.Send(logged(1)) // before the first time nothing is written
	if scheduled != 0 || o.rest() || !o.rest() {
		t.Fatalf("scheduled %d times, or not seen again", scheduled)
	}
	o.Send(logged(2))
	o.Send(logged(3))
	o.End()
	if scheduled != 1 {
		t.Errorf("scheduled %d times", scheduled)
	}
	if o.rest() || !o.rest() {
		t.Error("what came meanwhile is not seen, or seen again and again")
	}
	o.wake()
	if scheduled != 2 {
		t.Errorf("scheduled %d times after a rest", scheduled)
	}
}

// However many sockets of one key have slow clients, those of another have room.
func TestKeysShareRoom(t *testing.T) {
	room, spilled := newBudget(8*quotaStep), 0
	send := func(key string, sockets int) {
		for range sockets {
			o, spills := testOutbox(100, 0)
			o.quota.budget, o.quota.holder = room, key
			for seq := range int64(3) {
				o.Send(messages.Event{Seq: seq + 1, Key: messages.Key{Kind: messages.KindFinal},
					Body: make([]byte, ownBytes)})
			}
			spilled += *spills
		}
	}
	send("greedy", 10)
	if spilled == 0 {
		t.Error("one key has all that it wants")
	}
	spilled = 0
	send("other", 2)
	if spilled != 0 {
		t.Errorf("%d sockets of another key have no room", spilled)
	}
}
