package session

import (
	"sync"

	"steno/messages"
)

const (
	ackBytes = 288 // of the text of most acks
	ackBatch = 32  // allocated at a time
)

// ack is an ack with room for its text. Acks are the most frequent of all messages. Those that come back are used again (see
// [RecyclingSink]); where several sinks are sent one nothing is known of when the last has done with it, so those of many sessions
// are allocated together.
type ack struct {
	messages.AudioAck
	text [ackBytes]byte
}

var (
	spareAcks  sync.Pool                                          // of *ack
	ackBatches = sync.Pool{New: func() any { return new([]ack) }} // what is left of them
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

// Recycle is told of an event of which a RecyclingSink keeps nothing any more. It may be called once for each event sent, or not at
// all, from any goroutine.
func Recycle(e *messages.Event) {
	a, ok := e.Message.(*ack)
	if e.Message, e.Body = nil, nil; ok {
		a.AudioAck = messages.AudioAck{}
		spareAcks.Put(a)
	}
}

// mergedAck is the ack in place of two that follow each other.
func mergedAck(first, second *ack) *ack {
	merged := newAck()
	merged.AudioAck = second.AudioAck
	merged.ByteRange[0] = min(merged.ByteRange[0], first.ByteRange[0])
	merged.TimeRange[0] = min(merged.TimeRange[0], first.TimeRange[0])
	return merged
}
