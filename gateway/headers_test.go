package gateway

import (
	"bytes"
	"strings"
	"testing"

	"steno/audio"
)

// Some recorders send each piece as a WAV file of its own: the recording is only the audio, also
// while the session runs.
func TestRecordingHasNoHeadersAmongItsAudio(t *testing.T) {
	r := newTestServer(t, nil)
	id, url := r.create(`{}`)
	c := call(t, url).mustConnect()
	sound := speech(2, 5)
	header := audio.WAVHeader(audio.Format{BitDepth: 16, SampleRate: audio.Rate, Channels: 1}, 3200)
	sent := 0
	for at := 0; at < len(sound); at += 3200 {
		message := append(bytes.Clone(header), sound[at:min(at+3200, len(sound))]...)
		if err := c.send(message); err != nil {
			t.Fatal(err)
		}
		sent += len(message)
		if at == len(sound)/6400*3200 {
			c.await("half of it", func(f frame) bool { _, end, ok := f.byteRange(); return ok && end == int64(sent) })
			if got := r.recording(id); !bytes.Equal(got, sound[:at+3200]) {
				t.Errorf("%d bytes of the first %d", len(got), at+3200)
			}
		}
	}
	if err := c.stop(); err != nil {
		t.Fatal(err)
	}
	if code := c.end(); code != 1000 {
		t.Errorf("close code %d", code)
	}
	if got := r.recording(id); !bytes.Equal(got, sound) {
		t.Errorf("%d bytes of %d", len(got), len(sound))
	}
}

// A client that sends a container as bare audio is sent the name of the container.
func TestContainerInsteadOfSamples(t *testing.T) {
	r := newTestServer(t, nil)
	for name, begins := range map[string]string{
		"WebM":     "\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82\x84webm",
		"FLAC":     "fLaC\x00\x00\x00\x22",
		"Ogg Opus": "OggS\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00OpusHead", "MP3": "ID3\x04\x00\x00\x00\x00\x00\x23",
		"MP4": "\x00\x00\x00\x1cftypiso5",
	} {
		id, url := r.create(`{}`)
		c := call(t, url).mustConnect()
		if err := c.send(append([]byte(begins), make([]byte, 3200)...)); err != nil {
			t.Fatal(err)
		}
		if code := c.end(); code != 4400 || !strings.Contains(c.reason, name) || !strings.Contains(c.reason,
			"wav/pcm") {
			t.Errorf("%s: closed with %d %q", name, code, c.reason)
		}
		if a := r.do("GET", "/v2/live/"+id, ""); !strings.Contains(string(a.body), `"status":"error"`) {
			t.Errorf("%s: %s", name, a.body)
		}
	}
}
