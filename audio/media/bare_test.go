//go:build linux

package media

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"steno/audio"
)

// Files of formats that cannot be recognized are decoded by their names or media types, and by
// nothing else.
func TestBareFormats(t *testing.T) {
	cases := []struct {
		name, kind     string
		args           []string
		rate, channels int
		share          float64  // of the tone, at least
		other          []string // names with the same meaning
	}{
		{"a.g722", "audio/G722", []string{"-c:a", "g722", "-ac", "1", "-ar", "16000", "-f", "g722"}, 16000, 1, 0.9,
			[]string{"x.722"}},
		{"a.g726", "audio/AAL2-G726-32", []string{"-c:a", "g726", "-ac", "1", "-ar", "8000", "-f", "g726"}, 8000, 1,
			0.9, nil},
		{"a.g726le", "audio/G726-32", []string{"-c:a", "g726le", "-ac", "1", "-ar", "8000", "-f", "g726le"}, 8000, 1,
			0.9, []string{"x.g726-32"}},
		{"a.g726-24", "audio/G726-24", []string{"-c:a", "g726le", "-b:a", "24000", "-ac", "1", "-ar", "8000", "-f",
			"g726le"}, 8000, 1, 0.9, nil},
		{"a.aptx", "audio/aptx", []string{"-c:a", "aptx", "-ar", "48000", "-f", "aptx"}, 48000, 2, 0.9, nil},
		{"a.aptxhd", "audio/x-aptxhd", []string{"-c:a", "aptx_hd", "-ar", "48000", "-f", "aptx_hd"}, 48000, 2, 0.9,
			[]string{"x.aptx_hd"}},
		{"a.sbc", "audio/sbc", []string{"-c:a", "sbc", "-ar", "44100", "-f", "sbc"}, 44100, 2, 0.9, nil},
		{"a.ulaw", "audio/PCMU;rate=8000", []string{"-ac", "1", "-ar", "8000", "-f", "mulaw"}, 8000, 1, 0.9,
			[]string{"x.ul"}},
		{"a.alaw", "audio/pcma", []string{"-ac", "1", "-ar", "8000", "-f", "alaw"}, 8000, 1, 0.9, []string{"x.al"}},
		{"a.sln16", "", []string{"-ac", "1", "-ar", "16000", "-f", "s16le"}, 16000, 1, 0.9, nil},
		{"a.g723_1", "audio/G723", []string{"-c:a", "g723_1", "-b:a", "6300", "-ac", "1", "-ar", "8000", "-f",
			"g723_1"}, 8000, 1, 0.3, nil},
	}
	var files [][]string
	for _, c := range cases {
		files = append(files, append(c.args, c.name))
	}
	const seconds = 2.2
	dir := encodeAll(t, []string{"-i", tones(t, cd, seconds)}, files...)
	bare := decoder(t, Limits{})
	for _, c := range cases {
		path := filepath.Join(dir, c.name)
		for _, hint := range append([]string{c.name[2:], c.kind}, c.other...) {
			if got := bareFormats[bareName(hint)]; hint != "" && !slices.Equal(got, bareFormats[c.name[2:]]) {
				t.Errorf("%s as %s: %v", c.name, hint, got)
			}
		}
		if slices.Contains([]string{"a.g726", "a.aptxhd", "a.alaw"}, c.name) {
			got := found(t, bare.As(c.name), path)
			if got.format.SampleRate != c.rate || got.format.Channels != c.channels {
				t.Errorf("%s: %v of %+v", c.name, got.format, got.info)
			}
			continue // another one of its family is decoded
		}
		got, err := decode(bare.As("A Call."+strings.ToUpper(c.name[2:])), path)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got.format.SampleRate != c.rate || got.format.Channels != c.channels || got.info.Container == "" ||
			got.seconds < seconds-0.1 || got.seconds > seconds+0.1 {
			t.Errorf("%s: %v, %.2f s of %+v", c.name, got.format, got.seconds, got.info)
		}
		share := got.share(0, toneOf(0))
		if c.channels == 1 {
			share += got.share(0, toneOf(1))
		}
		if share < c.share {
			t.Errorf("%s: %.2f of its energy are the tones", c.name, share)
		}
		if !slices.Contains([]string{"a.g722", "a.aptx", "a.sln16"}, c.name) {
			continue // bytes like those of another one
		}
		if _, err := bare.As("", "a.wav", "a", "audio/mpeg", "audio/x-g7",
			"application/octet-stream").Probe(t.Context(), path); !isUnsupported(err) {
			t.Errorf("%s without a name that says so: %v", c.name, err)
		}
	}
	// What a file contains counts more than its name.
	wav := tones(t, audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000, Channels: 1}, 1)
	if got := mustDecode(t, bare.As("a.g722"), wav); got.info.Container != "wav" || got.seconds != 1 {
		t.Errorf("a WAV named as G.722: %+v", got.info)
	}
	for name, content := range map[string]string{"text": "This is a letter and no recording.\n",
		"page": "<!DOCTYPE html><html>ä</html>\n", "archive": "PK\x03\x04xxxx"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := decode(bare.As("a.ulaw"), path); !isUnsupported(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	settled(t)
}

func isUnsupported(err error) bool {
	fault, ok := errors.AsType[*Error](err)
	return ok && fault.Reason == Unsupported
}
