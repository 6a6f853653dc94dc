package session

import (
	"slices"
	"sync"

	"steno/messages"
)

// maxWaiting bounds the events that wait and are not logged: the acks, and apart from them all
// others but partials.
const maxWaiting = 256

// waitingEvent is an event that is delivered once the audio and events that it refers to are
// durable.
type waitingEvent struct {
	messages.Event
	needs Progress
	order int64 // number of the event in the order of emission
	only  Sink  // the one sink to deliver to; nil: all that want the kind
	ack   *ack  // nil for other events than acks of audio
}

// waitingEvents is the queue of events that are not delivered yet because they, or an event before
// them, are not durable. The ledger bounds the logged ones by holding back the audio. Only the
// newest partial of an utterance is queued. emitter.mu guards it.
type waitingEvents struct {
	list    []waitingEvent
	dropped func(messages.Kind) // counts dropped events; may be nil
}

// add appends an event. If too many acks wait it returns false, and the ack must be merged with the
// last one. If too many other unlogged events wait, it drops the event.
func (q *waitingEvents) add(w *waitingEvent) bool {
	switch {
	case w.Seq > 0:
	case w.Kind == messages.KindPartial:
		q.replace(w.Key)
	case q.unlogged(w.Kind) < maxWaiting:
	case w.Kind == messages.KindAudioAck:
		return false
	default:
		q.drop(w.Kind)
		return true
	}
	q.list = append(q.list, *w)
	return true
}

// replace drops the partial that waits for the same utterance.
func (q *waitingEvents) replace(k messages.Key) {
	if i := slices.IndexFunc(q.list, func(w waitingEvent) bool { return w.Key == k }); i >= 0 {
		q.list = slices.Delete(q.list, i, i+1)
		q.drop(k.Kind)
	}
}

// unlogged returns the number of queued events under the same bound as those of kind k.
func (q *waitingEvents) unlogged(k messages.Kind) (n int) {
	for i := range q.list {
		w := &q.list[i]
		if w.Seq == 0 && w.Kind != messages.KindPartial && (w.Kind == messages.KindAudioAck) ==
			(k == messages.KindAudioAck) {
			n++
		}
	}
	return n
}

func (q *waitingEvents) drop(k messages.Kind) {
	if q.dropped != nil {
		q.dropped(k)
	}
}

// takeLastAck removes and returns the newest queued ack.
func (q *waitingEvents) takeLastAck() waitingEvent {
	for i := len(q.list) - 1; i >= 0; i-- {
		if w := q.list[i]; w.Kind == messages.KindAudioAck {
			q.list = slices.Delete(q.list, i, i+1)
			q.drop(w.Kind)
			return w
		}
	}
	return waitingEvent{}
}

// ready returns how many events at the head of the queue are durable.
func (q *waitingEvents) ready(durable Progress) (n int) {
	for n < len(q.list) && durable.covers(q.list[n].needs) {
		n++
	}
	return n
}

// remove removes the first n events. It frees the room that a long wait has taken.
func (q *waitingEvents) remove(n int) {
	q.list = slices.Delete(q.list, 0, n)
	if len(q.list) == 0 && cap(q.list) > maxWaiting {
		q.list = nil
	}
}

const (
	ackBytes = 288 // of the text of most acks
	ackBatch = 32  // allocated at a time
)

// ack is an ack with room for its text. Acks are the most frequent of all messages. A
// [RecyclingSink] returns them for reuse. If an ack goes to several sinks, nothing reports when the
// last one is done with it, so acks are allocated in batches that sessions share.
type ack struct {
	messages.AudioAck
	text [ackBytes]byte
}

var (
	spareAcks  sync.Pool                                          // of *ack
	ackBatches = sync.Pool{New: func() any { return new([]ack) }} // the unused rest of each batch
)

func newAck() *ack {
	if spare, ok := spareAcks.Get().(*ack); ok {
		return spare
	}
	batch := ackBatches.Get().(*[]ack)
	defer ackBatches.Put(batch)
	if len(*batch) == 0 {
		*batch = make([]ack, ackBatch)
	}
	a := &(*batch)[0]
	*batch = (*batch)[1:]
	return a
}

// RecyclingSink is a Sink that calls Recycle for what it was sent.
type RecyclingSink interface {
	Sink
	Recycles()
}

// Recycle reuses an event of which a RecyclingSink keeps nothing. It may be called once for each
// event sent, or not at all, from any goroutine.
func Recycle(e *messages.Event) {
	a, ok := e.Message.(*ack)
	if e.Message, e.Body = nil, nil; ok {
		a.AudioAck = messages.AudioAck{}
		spareAcks.Put(a)
	}
}

// mergedAck returns one ack in place of two adjacent ones.
func mergedAck(first, second *ack) *ack {
	merged := newAck()
	merged.AudioAck = second.AudioAck
	merged.ByteRange[0] = min(merged.ByteRange[0], first.ByteRange[0])
	merged.TimeRange[0] = min(merged.TimeRange[0], first.TimeRange[0])
	return merged
}
