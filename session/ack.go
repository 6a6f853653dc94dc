package session

import "steno/messages"

// ackAfter is how much audio makes an ack due, in seconds: smaller messages share one.
const ackAfter = 0.1

// Acknowledge emits one ack for everything received since the last one; without force only if that is 100 ms of audio
// or more. Forced with nothing received since, it acknowledges an empty range: the answer to a keep-alive. It returns
// the boundary that is acknowledged now, in bytes, and whether an ack went out.
func (s *Session) Acknowledge(force bool) (boundary int64, sent bool) {
	s.in.Lock()
	defer s.in.Unlock()
	pending := s.received - s.acked
	if !force && s.format.Seconds(pending) < ackAfter {
		return s.acked, false
	}
	if pending > 0 {
		// Marked first: a client must never start at a boundary that a successor of this process does not know.
		if err := s.cfg.Ledger.MarkAck(s.life, s.received); err != nil {
			s.failOn(err)
			return s.acked, false
		}
	}
	ack := messages.AudioAck{
		ByteRange: [2]int64{s.acked, s.received},
		TimeRange: [2]float64{s.seconds(s.acked), s.seconds(s.received)},
	}
	s.acked = s.received
	s.failOn(s.out.emit(s.life, messages.Key{Kind: messages.KindAudioAck}, ack, noCheckpoint))
	return s.acked, true
}

// Rewind says that the client on the newly attached socket sends from this byte on: the next ack's range begins there.
func (s *Session) Rewind(at int64) {
	s.in.Lock()
	defer s.in.Unlock()
	s.acked = min(at, s.received)
}

// Refuse emits a failed ack, such as AudioAck{Refused: "…"}.
func (s *Session) Refuse(m messages.Message) {
	s.failOn(s.out.emit(s.life, messages.Key{Kind: m.Kind()}, m, noCheckpoint))
}
