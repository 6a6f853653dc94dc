package media

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"steno/audio"
)

// ramps returns a recording whose channels can be distinguished, in any format: no sample is equal
// to that of another channel.
func ramps(f audio.Format, frames int) []byte {
	b := make([]byte, 0, frames*f.FrameBytes())
	for i := range frames {
		for c := range f.Channels {
			v := uint32((i*37+c*4001)%60000) - 30000
			switch {
			case f.FrameBytes()/f.Channels == 1:
				b = append(b, byte(int8(i%13+16*c)))
			case f.BitDepth == 16:
				b = binary.LittleEndian.AppendUint16(b, uint16(v))
			case f.BitDepth == 24:
				b = append(b, byte(i), byte(v), byte(v>>8))
			default:
				b = append(b, 0, byte(i), byte(v), byte(v>>8)) // the lowest byte is not kept
			}
		}
	}
	return b
}

// encoded is the FLAC file of samples.
func encoded(t *testing.T, d *Decoder, f audio.Format, samples []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	e, err := d.Encode(t.Context(), f, int64(len(samples)/f.FrameBytes()), &b)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for rest := samples; len(rest) > 0; {
		n := min(100_001, len(rest))
		if _, err := e.Write(rest[:n]); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if err := e.Finish(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What is encoded is decoded as it was, on its own channel, and its length is known before.
func TestEncode(t *testing.T) {
	d := decoder(t, Limits{})
	var formats []audio.Format
	for _, channels := range []int{1, audio.MaxChannels} {
		formats = append(formats, audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000,
			Channels: channels})
	}
	for _, depth := range []int{8, 24, 32} {
		formats = append(formats, audio.Format{Encoding: audio.PCM, BitDepth: depth, SampleRate: 48000, Channels: 2})
	}
	for _, law := range []audio.Encoding{audio.ALaw, audio.MuLaw} {
		formats = append(formats, audio.Format{Encoding: law, BitDepth: 8, SampleRate: 8000, Channels: 2})
	}
	for _, f := range formats {
		t.Run(fmt.Sprintf("%v %d %d", f.Encoding, f.BitDepth, f.Channels), func(t *testing.T) {
			const frames = 12_000
			samples := ramps(f, frames)
			path := filepath.Join(t.TempDir(), "a.flac")
			if err := os.WriteFile(path, encoded(t, d, f, samples), 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := d.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			info := s.Info()
			if info.Container != "flac" || info.Channels != f.Channels || info.Seconds != float64(frames)/
				float64(f.SampleRate) {
				t.Errorf("found %+v", info)
			}
			got, err := io.ReadAll(s)
			if err != nil {
				t.Fatal(err)
			}
			compareSamples(t, s.Format(), got, f, samples)
		})
	}
}

// compareSamples compares recordings by the upper sixteen bits of their samples, and the next eight
// where both have them.
func compareSamples(t *testing.T, gotFormat audio.Format, got []byte, f audio.Format, samples []byte) {
	t.Helper()
	if len(got)/gotFormat.FrameBytes() != len(samples)/f.FrameBytes() || gotFormat.Channels != f.Channels {
		t.Fatalf("%d frames of %+v, want %d of %+v", len(got)/gotFormat.FrameBytes(), gotFormat, len(samples)/
			f.FrameBytes(), f)
	}
	have, want := gotFormat.FrameBytes()/gotFormat.Channels, f.FrameBytes()/f.Channels
	if want == 1 { // widened by the decoder of its law
		for i, v := range samples {
			if f.Encoding == audio.PCM && int(int16(binary.LittleEndian.Uint16(got[have*i:]))) != (int(v)-128)<<8 {
				t.Fatalf("sample %d of %d", i, v)
			}
			j := i % 26 / f.Channels * f.Channels // the same value before
			if v == samples[j+i%f.Channels] && !bytes.Equal(got[have*i:have*(i+1)],
				got[have*(j+i%f.Channels):][:have]) {
				t.Fatalf("sample %d differs from one of the same value", i)
			}
		}
		return
	}
	n := min(have, want, 3)
	for i := range len(samples) / want {
		if g, w := got[have*(i+1)-n:have*(i+1)], samples[want*(i+1)-n:want*(i+1)]; !bytes.Equal(g, w) {
			t.Fatalf("sample %d: %v, want %v", i, g, w)
		}
	}
}

// Silence takes hardly any room, and nothing takes much more than its samples.
func TestEncodedSize(t *testing.T) {
	d := decoder(t, Limits{})
	f := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 48000, Channels: 2}
	silence := make([]byte, 20*48000*4)
	if n := len(encoded(t, d, f, silence)); n > len(silence)/100 {
		t.Errorf("%d bytes for %d of silence", n, len(silence))
	}
	noise, x := make([]byte, 3*48000*4), uint32(1)
	for i := range noise {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	if n := int64(len(encoded(t, d, f, noise))); n > mostFLAC(f, 3*48000) || n < int64(len(noise))/2 {
		t.Errorf("%d bytes for %d of noise", n, len(noise))
	}
}

var errFull = errors.New("full")

// full takes some bytes and no more.
type full struct{ left int }

func (w *full) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// What keeps a recording from being encoded is reported, and no subprocess is left.
func TestEncodeErrors(t *testing.T) {
	d := decoder(t, Limits{})
	f := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000, Channels: 1}
	noise := ramps(f, 1<<20)
	begin := func(ctx context.Context, frames int64, to io.Writer) *Encoder {
		e, err := d.Encode(ctx, f, frames, to)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	all := func(e *Encoder) error {
		defer e.Close()
		_, err := e.Write(noise)
		return errors.Join(err, e.Finish())
	}
	if err := all(begin(t.Context(), 1<<20, &full{100_000})); !errors.Is(err, errFull) {
		t.Errorf("no room: %v", err)
	}
	if err := all(begin(t.Context(), 10, io.Discard)); err == nil {
		t.Error("more than was said is encoded")
	}
	ctx, cancel := context.WithCancel(t.Context())
	e := begin(ctx, 1<<20, io.Discard)
	cancel()
	if err := all(e); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	closed := begin(t.Context(), 1<<20, io.Discard)
	if err := closed.Close(); err != nil {
		t.Error(err)
	}
	if _, err := closed.Write(noise); err == nil {
		t.Error("written after the end")
	}
}
