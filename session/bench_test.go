package session

import (
	"math"
	"testing"

	"steno/messages"
	"steno/session/asr"
)

// nullSink is a sink that wants everything and keeps nothing.
type nullSink struct{}

func (nullSink) Wants() messages.Filter { return messages.FilterOf(messages.Kinds()...) }
func (nullSink) Send(messages.Event)    {}

// BenchmarkWrite measures writing 20 ms of silence to a session, with an ack for every five.
func BenchmarkWrite(b *testing.B) {
	s := open(b, &Memory{NoAudio: true}, `{}`, asr.Live, nullSink{})
	defer s.Abandon()
	s.recording.limit = math.MaxInt64
	frame := make([]byte, 640)
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Write(b.Context(), frame); err != nil {
			b.Fatal(err)
		}
		s.Acknowledge(false)
	}
}
