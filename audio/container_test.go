package audio

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What ffmpeg writes is recognized by its beginning, wherever that is cut.
func TestContainers(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed")
	}
	cases := []struct{ want, args string }{
		{"WebM", "-c:a libopus -f webm"},
		{"Matroska", "-c:a libopus -f matroska"},
		{"Ogg Opus", "-c:a libopus -f ogg"},
		{"Ogg", "-c:a flac -f ogg"},
		{"FLAC", "-f flac"},
		{"MP4", "-c:a aac -movflags frag_keyframe+empty_moov -f mp4"},
		{"MP3", "-f mp3"},
		{"MP3", "-f mp3 -id3v2_version 0 -write_xing 0 -ar 48000 -b:a 320k"},
		{"MP3", "-f mp3 -id3v2_version 0 -write_xing 0 -ar 22050 -q:a 5"},
		{"MP3", "-f mp3 -id3v2_version 0 -write_xing 0 -ar 8000"},
		{"MP3", "-c:a mp2 -f mp2"},
		{"AAC", "-c:a aac -f adts"},
		{"AC-3", "-c:a ac3 -f ac3 -ar 48000 -b:a 96k"},
		{"AC-3", "-c:a ac3 -f ac3 -ar 44100 -b:a 64k"},
		{"AC-3", "-c:a ac3 -f ac3 -ar 32000 -b:a 448k"},
		{"AC-3", "-c:a eac3 -f eac3 -ar 48000 -b:a 64k"},
		{"MPEG-TS", "-c:a aac -f mpegts"},
		{"AIFF", "-f aiff"},
		{"CAF", "-c:a pcm_s16be -f caf"},
		{"ASF", "-c:a wmav2 -f asf"},
		{"Wave64", "-f w64"},
		{"WavPack", "-f wv"},
		{"TTA", "-f tta"},
		{"", "-f s16le"},
	}
	files := map[string][]string{}
	for i, c := range cases {
		files[strconv.Itoa(i)] = strings.Fields(c.args + " -seekable 0") // as it comes through a pipe
	}
	dir := encodeAll(t, strings.Fields("-f lavfi -i sine=440:d=2:r=16000"), files)
	for i, c := range cases {
		b := readFile(t, filepath.Join(dir, strconv.Itoa(i)))
		if got, need := Container(b); got != c.want || need {
			t.Errorf("%s: %q, need %v", c.args, got, need)
		}
		for n := range 200 {
			if got, need := Container(b[:n]); got != c.want && !need {
				t.Fatalf("%d bytes of %s: %q, and no more are needed", n, c.args, got)
			}
		}
	}
}

// Bare samples are not held back for long, and never taken for something else.
func TestSamplesAreNoContainer(t *testing.T) {
	for seed := range uint64(200) {
		for _, level := range []float64{0.0001, 0.001, 0.01, 0.3} {
			b := encode(mono, 0, whiteNoise(4000, level, seed))
			if name, need := Container(b); name != "" || need {
				t.Fatalf("noise of level %g is %q, need %v", level, name, need)
			}
		}
	}
	rifx := append([]byte("RIFX\xff\xff\xff\xffWAVEfmt "), make([]byte, 100)...)
	if name, need := Container(rifx); name != "WAV with big-endian samples" || need {
		t.Errorf("RIFX is %q, need %v", name, need)
	}
	for _, b := range [][]byte{bytes.Repeat([]byte("G@"), 160), []byte("RIFX" + strings.Repeat("\x10", 316)),
		make([]byte, 320), bytes.Repeat([]byte{0xFF}, 320), bytes.Repeat([]byte{0xFF, 0xFB}, 160),
		bytes.Repeat([]byte{0xFF, 0xFF, 0, 0}, 160)} {
		if name, need := Container(b); name != "" || need {
			t.Errorf("% x… is %q, need %v", b[:4], name, need)
		}
	}
}
