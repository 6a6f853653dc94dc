package activity

import (
	"testing"
	"time"

	"steno/messages"
)

// Speech that was cut by force ends with another utterance than it started with, but it does end.
func TestActivityOfSpeechThatWasCut(t *testing.T) {
	var g Sink
	send := func(kind messages.Kind, channel int, number int64) {
		g.Send(messages.Event{Key: messages.Key{Kind: kind, Subject: messages.UtteranceID(channel, number)}})
	}
	send(messages.KindSpeechStart, 0, 0)
	send(messages.KindSpeechStart, 1, 0)
	send(messages.KindSpeechEnd, 0, 2)
	if !g.Read(time.Now()).Speaking {
		t.Error("the other channel does not speak")
	}
	send(messages.KindSpeechEnd, 1, 1)
	if v := g.Read(time.Now().Add(time.Second)); v.Speaking || v.Quiet < time.Second {
		t.Errorf("it speaks: %v, quiet for %v", v.Speaking, v.Quiet)
	}
}
