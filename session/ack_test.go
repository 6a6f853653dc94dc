package session

import (
	"testing"

	"steno/messages"
)

// ackSink keeps the events it is sent.
type ackSink struct {
	wants  messages.Filter
	events []messages.Event
}

func (s *ackSink) Wants() messages.Filter { return s.wants }
func (s *ackSink) Send(e messages.Event)  { s.events = append(s.events, e) }

// recyclingSink is an ackSink that recycles events later.
type recyclingSink struct{ ackSink }

func (s *recyclingSink) Recycles() {}

// An ack is lent only to a sink that recycles it and is its only receiver; all others are sent one
// that they may keep.
func TestAcksAreLentToOneSink(t *testing.T) {
	acks := messages.FilterOf(messages.KindAudioAck)
	for _, c := range []struct {
		name  string
		sinks func(*recyclingSink) []Sink
		lent  bool
	}{
		{"alone", func(r *recyclingSink) []Sink { return []Sink{r} }, true},
		{"beside one that wants none", func(r *recyclingSink) []Sink { return []Sink{&ackSink{}, r} }, true},
		{"beside one that wants them", func(r *recyclingSink) []Sink { return []Sink{&ackSink{wants: acks}, r} },
			false},
	} {
		sink := &recyclingSink{ackSink{wants: acks}}
		e := newEmitter(&Config{ID: "session", Sinks: c.sinks(sink)})
		emit := func(to int64) {
			a := newAck()
			a.ByteRange[1] = to
			if _, err := e.emit(t.Context(), messages.Key{Kind: messages.KindAudioAck}, a, noCheckpoint); err != nil {
				t.Fatal(err)
			}
		}
		emit(100)
		if len(sink.events) != 1 || sink.events[0].Acked != 100 {
			t.Fatalf("%s: sent %+v", c.name, sink.events)
		}
		if _, lent := sink.events[0].Message.(*ack); lent != c.lent {
			t.Errorf("%s: lent: %v", c.name, lent)
		}
		text := string(sink.events[0].Body)
		emit(200)
		if string(sink.events[0].Body) != text {
			t.Errorf("%s: an ack that was not given back has changed", c.name)
		}
		Recycle(&sink.events[0])
		if sink.events[0].Body != nil || sink.events[0].Message != nil {
			t.Errorf("%s: something is left of a recycled ack", c.name)
		}
	}
}
