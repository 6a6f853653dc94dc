package audio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	goaudio "github.com/go-audio/audio"
	"github.com/go-audio/wav"
)

func writeFile(t testing.TB, parts ...[]byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.wav")
	if err := os.WriteFile(path, bytes.Join(parts, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// readWAV returns format and audio of a file, read a few bytes at a time, and checks DataBytes.
func readWAV(t testing.TB, path string) (Format, []byte) {
	t.Helper()
	w, err := OpenWAV(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	b, err := io.ReadAll(iotest.HalfReader(w))
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(b)) != w.DataBytes {
		t.Errorf("DataBytes %d, but %d bytes are read", w.DataBytes, len(b))
	}
	return w.Format, b
}

// allFormats returns every encoding at every rate with one, two and eight channels.
func allFormats() (all []Format) {
	for _, f := range formats {
		for _, f.SampleRate = range rates {
			for _, f.Channels = range []int{1, 2, 8} {
				all = append(all, f)
			}
		}
	}
	return all
}

func TestRecordingIsReadBack(t *testing.T) {
	for _, f := range allFormats() {
		audio := encode(f, 0, whiteNoise(77, 0.2, 1))
		for name, header := range map[string][]byte{
			"honest": WAVHeader(f, int64(len(audio))), "unknown": WAVHeader(f, -1), "zero": WAVHeader(f, 0),
			"too much": WAVHeader(f, 1e6),
		} {
			got, b := readWAV(t, writeFile(t, header, audio))
			if got != f || !bytes.Equal(b, audio) {
				t.Errorf("%v, size %s: read back as %v, %d of %d bytes", f, name, got, len(b), len(audio))
			}
		}
	}
}

func TestTrailingChunksAndTornFrames(t *testing.T) {
	f := Format{PCM, 16, 16000, 2}
	audio := encode(f, 0, whiteNoise(50, 0.2, 1))
	_, b := readWAV(t, writeFile(t, WAVHeader(f, 200), audio, chunk("LIST", make([]byte, 40))))
	if !bytes.Equal(b, audio) {
		t.Error("a chunk behind the audio is read as audio")
	}
	_, b = readWAV(t, writeFile(t, WAVHeader(f, 200), audio[:199]))
	if !bytes.Equal(b, audio[:196]) {
		t.Error("a torn frame is not left out")
	}
	for _, c := range headers {
		size := 2 * c.want.FrameBytes()
		if got, b := readWAV(t, writeFile(t, c.b, make([]byte, size))); got != c.want || len(b) == 0 || len(b) > size {
			t.Errorf("%s: %v, %d bytes", c.name, got, len(b))
		}
	}
}

func TestFloatBecomes32Bit(t *testing.T) {
	in := []float32{0, 1, -1, 0.5, -0.25, 2, -3, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)),
		1.0 / 32768}
	want := []int32{0, math.MaxInt32, math.MinInt32, 1 << 30, -1 << 29, math.MaxInt32, math.MinInt32, 0, math.MaxInt32,
		math.MinInt32, 65536}
	var audio []byte
	for range 1000 {
		for _, v := range in {
			audio = binary.LittleEndian.AppendUint32(audio, math.Float32bits(v))
		}
	}
	for _, body := range [][]byte{fmtBody(3, 1, 16000, 32), fmtBody(0xFFFE, 1, 16000, 32, extension(3, 32)...)} {
		f, b := readWAV(t, writeFile(t, riff(chunk("fmt ", body), dataChunk(uint32(len(audio)))), audio))
		if f != (Format{PCM, 32, 16000, 1}) || len(b) != len(audio) {
			t.Fatalf("%v, %d bytes", f, len(b))
		}
		for i := range len(b) / 4 {
			if got := int32(binary.LittleEndian.Uint32(b[4*i:])); got != want[i%len(want)] {
				t.Fatalf("%v became %d, not %d", in[i%len(in)], got, want[i%len(want)])
			}
		}
	}
}

func TestOpenWAVRefuses(t *testing.T) {
	for says, path := range map[string]string{
		"no such file":    filepath.Join(t.TempDir(), "none.wav"),
		"not a regular":   t.TempDir(),
		"not a whole WAV": writeFile(t, []byte("RIFF\x00\x00\x00\x00WAVE")),
		"of 64 bit":       writeFile(t, riff(chunk("fmt ", fmtBody(3, 1, 16000, 64)), dataChunk(0))),
		"64 KiB": writeFile(t, riff(binary.LittleEndian.AppendUint32([]byte("fmt "), 0xFFFFFFF0)),
			make([]byte, 100)),
	} {
		if w, err := OpenWAV(path); err == nil || w != nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want an error about %q, got %v", says, err)
		}
	}
	for _, text := range []string{"", "RI", "hello, this is no WAV at all", "PK\x03\x04" +
		string(file(ramp(64), nil, nil))} {
		if _, err := OpenWAV(writeFile(t, []byte(text))); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func FuzzOpenWAV(f *testing.F) {
	for _, c := range headers {
		f.Add(append(bytes.Clone(c.b), "some audio, and a little more of it"...))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		w, err := OpenWAV(writeFile(t, b))
		if err != nil {
			return
		}
		defer w.Close()
		audio, err := io.ReadAll(w)
		if err != nil || int64(len(audio)) != w.DataBytes || w.DataBytes%int64(w.Format.FrameBytes()) != 0 {
			t.Fatalf("%d bytes of %d, %v, %v", len(audio), w.DataBytes, w.Format, err)
		}
		if len(audio) > len(b) {
			t.Fatal("there is more audio than the file has bytes")
		}
	})
}

// go-audio/wav is an independent reader and writer of the formats it knows.
func TestGoAudioAgrees(t *testing.T) {
	for _, depth := range []int{16, 24, 32} {
		f := Format{PCM, depth, 44100, 2}
		audio := encode(f, 0, whiteNoise(500, 0.2, 1))
		d := wav.NewDecoder(bytes.NewReader(append(WAVHeader(f, int64(len(audio))), audio...)))
		buf, err := d.FullPCMBuffer()
		if err != nil || buf.Format.NumChannels != 2 || buf.Format.SampleRate != 44100 || buf.SourceBitDepth !=
			depth || len(buf.Data) != 1000 {
			t.Fatalf("%d bit: read as %+v, %v", depth, buf.Format, err)
		}
		path := filepath.Join(t.TempDir(), "b.wav")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		e := wav.NewEncoder(file, 44100, depth, 2, 1)
		err = e.Write(&goaudio.IntBuffer{Format: buf.Format, Data: buf.Data, SourceBitDepth: depth})
		if err != nil || e.Close() != nil || file.Close() != nil {
			t.Fatal(err)
		}
		if got, b := readWAV(t, path); got != f || !bytes.Equal(b, audio) {
			t.Errorf("%d bit: its file is read as %v, %d bytes", depth, got, len(b))
		}
	}
}

func ffmpegName(f Format) string {
	switch {
	case f.Encoding == ALaw:
		return "alaw"
	case f.Encoding == MuLaw:
		return "mulaw"
	case f.BitDepth == 8:
		return "u8"
	}
	return fmt.Sprintf("s%dle", f.BitDepth)
}

// ffmpeg reads our recordings and writes files that we read, with the same bytes and the same
// meaning.
func TestFFmpegAgrees(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("ffmpeg is not installed")
	}
	kinds, sounds := slices.Clone(formats), make([][]byte, len(formats))
	var ours, raw []string
	samples, files := map[string][]string{}, map[string][]string{}
	for i := range kinds {
		f := &kinds[i]
		f.SampleRate, f.Channels = rates[i%len(rates)], 1+i%3
		name, track := ffmpegName(*f), []string{"-map", fmt.Sprint(i, ":a")}
		sounds[i] = encode(*f, 0, tone(1000, f.SampleRate, 500, 0.5))
		ours = append(ours, "-i", writeFile(t, WAVHeader(*f, int64(len(sounds[i]))), sounds[i]))
		samples[fmt.Sprint(i)] = append(track, "-f", name, "-c:a", "pcm_"+name)
		raw = append(raw, "-f", name, "-ar", fmt.Sprint(f.SampleRate), "-ac", fmt.Sprint(f.Channels), "-i",
			writeFile(t, sounds[i], nil))
		files[fmt.Sprint(i, ".wav")] = append(track, "-c:a", "pcm_"+name)
		files[fmt.Sprint(i, "-piped.wav")] = append(track, "-c:a", "pcm_"+name, "-seekable", "0")
	}
	read, written := encodeAll(t, ours, samples), encodeAll(t, raw, files)
	for i, f := range kinds {
		if got := readFile(t, filepath.Join(read, fmt.Sprint(i))); !bytes.Equal(got, sounds[i]) {
			t.Errorf("%v: ffmpeg reads %d bytes of our file, not the %d in it", f, len(got), len(sounds[i]))
		}
		if got, b := readWAV(t, filepath.Join(written, fmt.Sprint(i, ".wav"))); got != f || !bytes.Equal(b, sounds[i]) {
			t.Errorf("%v: ffmpeg's file is read as %v, %d bytes", f, got, len(b))
		}
		piped := readFile(t, filepath.Join(written, fmt.Sprint(i, "-piped.wav")))
		n, got, need, err := parse(f, piped)
		if got != f || need || err != nil || !bytes.HasPrefix(piped[n:], sounds[i]) {
			t.Errorf("%v: ffmpeg's stream is read as %v, header %d, %v", f, got, n, err)
		}
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFFprobeAgrees(t *testing.T) {
	ffprobe, err := exec.LookPath("ffprobe")
	if err != nil {
		t.Skip("ffprobe is not installed")
	}
	for i, f := range formats {
		f.SampleRate, f.Channels = rates[i%len(rates)], 1+i
		path := writeFile(t, WAVHeader(f, int64(f.TickBytes()*100)), make([]byte, f.TickBytes()*100))
		out, err := exec.Command(ffprobe, "-v", "error", "-show_entries",
			"stream=codec_name,sample_rate,channels,duration", "-of", "csv=p=0", path).CombinedOutput()
		want := fmt.Sprintf("pcm_%s,%d,%d,1.000000", ffmpegName(f), f.SampleRate, f.Channels)
		if err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%v: ffprobe says %s (%v), not %s", f, out, err, want)
		}
	}
}
