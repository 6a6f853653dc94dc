package session

import (
	"testing"

	"steno/audio"
	"steno/vad"
)

// A lane that holds in silence what an utterance may begin with needs no more than the room that buffers share.
func TestSampleBufferInSilence(t *testing.T) {
	var b sampleBuffer
	e := vad.NewEndpointer(vad.Config{Threshold: vad.DefaultThreshold, Endpointing: audio.TickSamples, MaxDuration: 60 * 16000})
	for range 1000 {
		block := b.extend(audio.TickSamples)
		clear(block)
		e.Frame(block, 0)
		b.drop(e.Keep())
		b.rest()
	}
	if held := b.end() - b.base; held < b.end()-e.Keep() || cap(b.samples) != roomSamples {
		t.Errorf("%d samples are held of %d, in a room for %d", held, b.end()-e.Keep(), cap(b.samples))
	}
}
