package session

import (
	"sync"

	"steno/messages"
)

const (
	ackBytes = 288 // of the text of most acks
	ackBatch = 32  // allocated at a time
)

// ack is an ack with room for its text. Acks are the most frequent of all messages, and nothing is known of when the last sink
// has sent one: those of many sessions are allocated together.
type ack struct {
	messages.AudioAck
	text [ackBytes]byte
}

// acks holds what is left of batches.
var acks = sync.Pool{New: func() any { return new([]ack) }}

func newAck() *ack {
	batch := acks.Get().(*[]ack)
	defer acks.Put(batch)
	if len(*batch) == 0 {
		*batch = make([]ack, ackBatch)
	}
	a := &(*batch)[0]
	*batch = (*batch)[1:]
	return a
}

// mergedAck is the ack in place of two that follow each other.
func mergedAck(first, second messages.Message) *ack {
	merged := newAck()
	if a, ok := second.(*messages.AudioAck); ok {
		merged.AudioAck = *a
	}
	if a, ok := first.(*messages.AudioAck); ok {
		merged.ByteRange[0] = min(merged.ByteRange[0], a.ByteRange[0])
		merged.TimeRange[0] = min(merged.TimeRange[0], a.TimeRange[0])
	}
	return merged
}
