package gateway

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// contained returns audio in a container, as ffmpeg writes it.
func contained(t *testing.T, pcm []byte, args string) []byte {
	t.Helper()
	cmd := exec.Command("ffmpeg", append(strings.Fields("-v error -f s16le -ar 16000 -ac 1 -i - "+args), "-")...)
	cmd.Stdin = bytes.NewReader(pcm)
	b, err := cmd.Output()
	if err != nil {
		t.Fatalf("ffmpeg %s: %v", args, err)
	}
	return b
}

// sendInPieces sends a container in pieces.
func (c *caller) sendInPieces(b []byte) {
	c.t.Helper()
	c.loose = true // acks count samples
	for len(b) > 0 {
		n := min(1500, len(b))
		if err := c.send(b[:n]); err != nil {
			c.t.Fatal(err)
		}
		b = b[n:]
	}
	c.kept = nil // a new socket begins a new container
}

// The recording of a session that is sent containers is their audio, in the format of the first,
// also over several sockets and a restart.
func TestContainersAreDecoded(t *testing.T) {
	t.Parallel()
	r := recordedServer(t, nil)
	sound := speech(2, 5)
	for encoding, args := range map[string]string{
		"flac": "-f flac", "webm/opus": "-ar 48000 -c:a libopus -f webm", "ogg/opus": "-c:a libopus -f ogg",
		"mp3": "-f mp3",
		"aac": "-c:a aac -movflags frag_keyframe+empty_moov -f mp4",
	} {
		id, url := r.create(`{"encoding":"` + encoding + `","sample_rate":22050}`)
		c := call(t, url).mustConnect()
		c.sendInPieces(contained(t, sound, args))
		if encoding == "flac" {
			c.hangUp()
			waitUntil(t, "all that was sent is kept", func() bool { return bytes.Equal(r.recording(id), sound) })
			r.restart()
			_, token, _ := strings.Cut(url, "/v2/live")
			c = call(t, "ws"+strings.TrimPrefix(r.http.URL, "http")+"/v2/live"+token).mustConnect()
			c.sendInPieces(contained(t, sound, "-f flac -ar 32000 -ac 2"))
		}
		if err := c.stop(); err != nil {
			t.Fatal(err)
		}
		if code := c.end(); code != 1000 {
			t.Errorf("%s: closed with %d %q", encoding, code, c.reason)
		}
		got, want := r.recording(id), len(sound)
		switch encoding {
		case "flac":
			if want *= 2; !bytes.HasPrefix(got, sound) {
				t.Errorf("%s: other samples", encoding)
			}
		case "webm/opus":
			want *= 3
		}
		if encoding == "ogg/opus" {
			want *= 3
		}
		if short := want - len(got); short > want/20 || -short > want/10 {
			t.Errorf("%s: %d bytes, not %d", encoding, len(got), want)
		}
	}
}

// Bytes in another form than the declared container end the session, with a reason that states it.
func TestOtherThanTheContainerDeclared(t *testing.T) {
	r := recordedServer(t, nil)
	sound := speech(1, 5)
	for _, c := range []struct {
		encoding, says string
		sent           []byte
	}{
		{"webm/opus", "not that", sound},
		{"flac", "WAV", wavOf(sound, 16000, 1)},
		{"mp3", "WebM", append([]byte("\x1a\x45\xdf\xa3webm"), make([]byte, 2000)...)},
		{"webm/opus", "cannot be decoded", append([]byte("\x1a\x45\xdf\xa3webm"), make([]byte, 2000)...)},
	} {
		_, url := r.create(`{"encoding":"` + c.encoding + `"}`)
		k := call(t, url).mustConnect()
		k.loose = true
		_ = k.send(c.sent) // the server may have closed the socket
		_ = k.stop()
		if code := k.end(); code != 4400 || !strings.Contains(k.reason, c.says) || !strings.Contains(k.reason,
			c.encoding) {
			t.Errorf("%s: closed with %d %q", c.encoding, code, k.reason)
		}
	}
}
