package session

import (
	"fmt"

	"steno/audio"
	"steno/messages"
)

// Format is the declared format of a request's audio.
func Format(r *messages.LiveRequest) (audio.Format, error) {
	f := audio.Format{BitDepth: r.BitDepth, SampleRate: r.SampleRate, Channels: r.Channels}
	for _, e := range []audio.Encoding{audio.PCM, audio.ALaw, audio.MuLaw} {
		if e.String() == r.Encoding {
			f.Encoding = e
			return f, f.Validate()
		}
	}
	return f, fmt.Errorf("unknown encoding %q", r.Encoding)
}
