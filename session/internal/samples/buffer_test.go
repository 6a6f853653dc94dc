package samples

import (
	"testing"

	"steno/audio"
	"steno/vad"
)

// A lane that holds in silence what an utterance may begin with needs no more than the room that
// buffers share.
func TestBufferInSilence(t *testing.T) {
	var b Buffer
	e := vad.NewEndpointer(vad.Config{Threshold: vad.DefaultThreshold, Endpointing: audio.TickSamples,
		MaxDuration: 60 * 16000})
	for range 1000 {
		block := b.Extend(audio.TickSamples)
		clear(block)
		e.Frame(block, 0)
		b.Drop(e.Keep())
		b.Rest()
	}
	if held := b.End() - b.base; held < b.End()-e.Keep() || cap(b.samples) != RoomSamples {
		t.Errorf("%d samples are held of %d, in a room for %d", held, b.End()-e.Keep(), cap(b.samples))
	}
}
