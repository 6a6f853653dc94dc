package media

import (
	"testing"

	"steno/audio"
)

// What is measured is what a Stream comes to, whatever the header says.
func TestMeasure(t *testing.T) {
	d := decoder(t, Limits{})
	wav := tones(t, audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 44100, Channels: 2}, 3.217)
	for _, name := range []string{"a.wav", "a.mp3", "a.m4a", "a.opus", "a.ogg", "a.flac", "a.webm", "a.aac"} {
		t.Run(name, func(t *testing.T) {
			path := wav
			if name != "a.wav" {
				path = encode(t, name, "-i", wav)
			}
			want, err := decode(d, path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := d.Measure(t.Context(), path)
			if err != nil || got.Seconds != want.seconds || !got.Exact {
				t.Errorf("measured %+v, %v, want %v s", got, err, want.seconds)
			}
		})
	}
	if _, err := d.Measure(t.Context(), "/dev/null"); err == nil {
		t.Error("a device was measured")
	}
}
