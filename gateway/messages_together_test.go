package gateway

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"testing"
	"time"

	"steno/messages"
)

// Messages that arrive together are handled as if each had arrived alone: of every kind, in order,
// up to the stop.
func TestMessagesTogether(t *testing.T) {
	inBubble(t, func(t *testing.T, w *bubble) {
		r := rand.New(rand.NewPCG(7, 8))
		id, url := w.create()
		c := w.wire(url)
		var all, want []byte
		frame := func(first byte, payload []byte) {
			all = append(append(all, frameHeader(first, len(payload))...), payload...)
		}
		for range 400 {
			audio := make([]byte, 2*(1+r.IntN([]int{20, 20, 300, 3000}[r.IntN(4)])))
			for i := range audio {
				audio[i] = byte(r.Uint32())
			}
			switch r.IntN(10) {
			case 0:
				frame(0x82, nil) // a keep-alive
				continue
			case 1:
				frame(0x89, []byte("ping"))
				continue
			case 2:
				frame(0x81, []byte(`{"type":"audio_chunk","data":{"chunk":"`+base64.StdEncoding.EncodeToString(audio)+
					`"}}`))
			case 3:
				half := len(audio) / 4 * 2
				frame(0x02, audio[:half])
				frame(0x80, audio[half:])
			default:
				frame(0x82, audio)
			}
			want = append(want, audio...)
		}
		frame(0x81, []byte(`{"type":"stop_recording"}`))
		frame(0x82, []byte("too late"))
		for rest := all; len(rest) > 0; { // pieces of any length, with messages cut anywhere
			n := min(len(rest), 1+r.IntN(9000))
			if _, err := c.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		w.after(id, 10*time.Second, messages.StatusDone, messages.StatusDone)
		if got := w.file(id); !bytes.Equal(got, want) {
			t.Errorf("%d bytes were recorded, want %d", len(got), len(want))
		}
	})
}
