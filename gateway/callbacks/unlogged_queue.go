package callbacks

import (
	"crypto/rand"
	"fmt"
	"slices"
	"sync"

	"steno/gateway/metrics"
	"steno/messages"
)

const (
	maxUnlogged      = 256     // events in an unloggedQueue
	maxUnloggedBytes = 1 << 20 // of their bodies
)

// unloggedEvent is an event that is in no log.
type unloggedEvent struct {
	after int64  // number of the logged event before it
	name  string // unique: the event has no number
	event messages.Event
}

// unloggedQueue holds the unlogged events of one session until they are enqueued. Its methods may
// be called from any goroutine.
type unloggedQueue struct {
	drop func(reason string) // counts a dropped event

	mu     sync.Mutex
	after  int64 // number of the last logged event that was sent
	events []unloggedEvent
	bytes  int
	ended  bool // nothing more is taken
}

// add notes the number of a logged event, and keeps any other. A partial replaces the one before it
// of its utterance.
func (q *unloggedQueue) add(e messages.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e.Seq > 0 {
		q.after = e.Seq
		return
	}
	if q.ended {
		q.drop(metrics.DropCallbackEnd)
		return
	}
	u := unloggedEvent{after: q.after, name: fmt.Sprintf("live.%s/%s", e.Kind, rand.Text()), event: e}
	i := q.replaceable(u)
	switch {
	case i >= 0:
		q.drop(metrics.DropPartialReplaced)
		q.bytes += len(u.event.Body) - len(q.events[i].event.Body)
		q.events[i] = u
	case len(q.events) >= maxUnlogged || q.bytes+len(u.event.Body) > maxUnloggedBytes:
		q.drop(metrics.DropCallbackFull)
	default:
		q.events = append(q.events, u)
		q.bytes += len(u.event.Body)
	}
}

// end has later unlogged events dropped: end_session is the last callback. Those that are there
// stay.
func (q *unloggedQueue) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ended = true
}

// replaceable returns the index of an older partial of the same utterance, with no logged event
// between; -1 for none.
func (q *unloggedQueue) replaceable(u unloggedEvent) int {
	if u.event.Kind != messages.KindPartial {
		return -1
	}
	return slices.IndexFunc(q.events, func(x unloggedEvent) bool {
		return x.event.Key == u.event.Key && x.after == u.after
	})
}

// take removes and returns the events before the first logged one that follows a number.
func (q *unloggedQueue) take(upTo int64) []unloggedEvent {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := 0
	for n < len(q.events) && q.events[n].after <= upTo {
		q.bytes -= len(q.events[n].event.Body)
		n++
	}
	taken := slices.Clone(q.events[:n])
	q.events = slices.Delete(q.events, 0, n)
	return taken
}

// restore puts events back in front, which could not be enqueued.
func (q *unloggedQueue) restore(list []unloggedEvent) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.events = append(list, q.events...)
	for _, u := range list {
		q.bytes += len(u.event.Body)
	}
}
