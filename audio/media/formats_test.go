//go:build linux

package media

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"steno/audio"
)

var cd = audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 44100, Channels: 2}

// Each format decodes to all channels, the tones in them, the true duration, and a format by the
// rule of the package. The test measures what a Stream contains, whatever the header states. Files
// that differ from others in what is read of their headers alone are not decoded.
func TestFormats(t *testing.T) {
	const seconds = 2.217 // no whole number of frames
	cases := []struct {
		name, container, codec string
		args                   []string
		bits, rate, channels   int
	}{
		{"u8.wav", "wav", "", []string{"-c:a", "pcm_u8"}, 8, 44100, 2},
		{"s24.wav", "wav", "pcm_s24le", []string{"-c:a", "pcm_s24le"}, 24, 44100, 2},
		{"float.wav", "wav", "", []string{"-c:a", "pcm_f32le"}, 32, 44100, 2},
		{"double.wav", "wav", "pcm_f64le", []string{"-c:a", "pcm_f64le"}, 32, 44100, 2},
		{"22050.wav", "wav", "pcm_s16le", []string{"-ar", "22050"}, 16, 48000, 2},
		{"11025.wav", "wav", "pcm_s16le", []string{"-ar", "11025"}, 16, 16000, 2},
		{"96000.wav", "wav", "pcm_s24le", []string{"-ar", "96000", "-c:a", "pcm_s24le"}, 32, 48000, 2},
		{"rf64.wav", "wav", "pcm_s16le", []string{"-rf64", "always"}, 16, 44100, 2},
		{"ima.wav", "wav", "adpcm_ima_wav", []string{"-c:a", "adpcm_ima_wav"}, 16, 44100, 2},
		{"gsm.wav", "wav", "gsm_ms", []string{"-ac", "1", "-ar", "8000", "-c:a", "libgsm_ms"}, 16, 8000, 1},
		{"stereo.mp3", "mp3", "mp3", nil, 16, 44100, 2},
		{"low.mp3", "mp3", "mp3", []string{"-ac", "1", "-ar", "22050"}, 16, 48000, 1},
		{"plain.flac", "flac", "flac", nil, 16, 44100, 2},
		{"deep.flac", "flac", "flac", []string{"-sample_fmt", "s32"}, 32, 44100, 2},
		{"vorbis.ogg", "ogg", "vorbis", nil, 16, 44100, 2},
		{"voice.opus", "ogg", "opus", []string{"-c:a", "libopus", "-ac", "1"}, 16, 48000, 1},
		{"aac.m4a", "mp4", "aac", nil, 16, 44100, 2},
		{"adts.aac", "aac", "aac", nil, 16, 44100, 2},
		{"opus.webm", "webm", "opus", []string{"-c:a", "libopus"}, 16, 48000, 2},
		{"some.mka", "matroska", "vorbis", []string{"-c:a", "libvorbis"}, 16, 44100, 2},
		{"some.aiff", "aiff", "pcm_s16be", nil, 16, 44100, 2},
		{"some.au", "au", "pcm_s16be", []string{"-ar", "8000"}, 16, 8000, 2},
		{"some.caf", "caf", "pcm_s16be", nil, 16, 44100, 2},
		{"some.w64", "w64", "pcm_s16le", nil, 16, 44100, 2},
	}
	var files [][]string
	for _, c := range cases {
		files = append(files, append(slices.Clone(c.args), c.name))
	}
	dir := encodeAll(t, []string{"-i", tones(t, cd, seconds)}, files...)
	measured := []string{"u8.wav", "stereo.mp3"}
	headers := []string{"double.wav", "11025.wav", "96000.wav", "ima.wav", "low.mp3", "plain.flac", "some.mka",
		"some.aiff", "some.au", "some.caf", "some.w64", "adts.aac"}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d, path := decoder(t, Limits{}), filepath.Join(dir, c.name)
			var got decoded
			if whole := !slices.Contains(headers, c.name); whole {
				got = mustDecode(t, d, path)
				checkTones(t, got, seconds)
			} else {
				got = found(t, d, path)
			}
			want := audio.Format{Encoding: audio.PCM, BitDepth: c.bits, SampleRate: c.rate, Channels: c.channels}
			if got.format != want {
				t.Errorf("format %v, want %v", got.format, want)
			}
			if got.info.Container != c.container || c.codec != "" && got.info.Codec != c.codec || got.info.Channels !=
				c.channels {
				t.Errorf("info %+v", got.info)
			}
			if slices.Contains(measured, c.name) {
				if info, err := d.Measure(t.Context(), path); err != nil || info.Seconds != got.seconds || !info.Exact {
					t.Errorf("measured %+v, %v, want %v s", info, err, got.seconds)
				}
			}
		})
	}
	settled(t)
}

// found is what is read of the header of a file: the format to which it would be decoded.
func found(t *testing.T, d *Decoder, path string) decoded {
	t.Helper()
	file, err := openRegular(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all, err := d.look(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	return decoded{format: outputFormat(all[0]), info: all[0].Info}
}

// checkTones wants all channels to hold their tone for so many seconds.
func checkTones(t *testing.T, got decoded, seconds float64) {
	t.Helper()
	if math.Abs(got.seconds-seconds) > 0.06 || math.Abs(got.info.Seconds-seconds) > 0.12 { // MP3: whole frames
		t.Errorf("%.3f s decoded, header says %.3f s, true are %g s", got.seconds, got.info.Seconds, seconds)
	}
	if got.format.BitDepth != 16 && got.format.BitDepth != 32 {
		return // bytes of the file itself
	}
	for c := range got.format.Channels {
		hz := toneOf(c)
		share := got.share(c, hz)
		if got.format.Channels == 1 { // both tones mixed into one
			share += got.share(c, toneOf(1))
		}
		if share < 0.97 {
			t.Errorf("channel %d has %.3f of its energy at %g Hz", c, share, hz)
		}
	}
}

// A WAV of a declared format is the very bytes that a client would stream.
func TestWAVBytesAreKept(t *testing.T) {
	for _, f := range []audio.Format{
		{Encoding: audio.PCM, BitDepth: 8, SampleRate: 8000, Channels: 1},
		{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000, Channels: 1},
		{Encoding: audio.PCM, BitDepth: 16, SampleRate: 32000, Channels: 8},
		{Encoding: audio.PCM, BitDepth: 24, SampleRate: 44100, Channels: 2},
		{Encoding: audio.PCM, BitDepth: 32, SampleRate: 48000, Channels: 3},
		{Encoding: audio.ALaw, BitDepth: 8, SampleRate: 8000, Channels: 2},
		{Encoding: audio.MuLaw, BitDepth: 8, SampleRate: 8000, Channels: 1},
	} {
		path := tones(t, f, 0.5)
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		n := len(file) - int(0.5*float64(f.SampleRate))*f.FrameBytes()
		for name, d := range decoders(t, Limits{}) {
			got := mustDecode(t, d, path)
			if got.format != f || !bytes.Equal(got.data, file[n:]) || got.seconds != 0.5 || got.info.Seconds != 0.5 {
				t.Errorf("%s: %v: got %v, %d of %d bytes, %g s", name, f, got.format, len(got.data), len(file)-n,
					got.seconds)
			}
		}
	}
}

// Of WAV at other rates all audio is decoded, and nothing else, whatever its headers state.
func TestWAVAtOtherRates(t *testing.T) {
	f := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 22050, Channels: 2}
	file, err := os.ReadFile(tones(t, f, 1))
	if err != nil {
		t.Fatal(err)
	}
	pcm := file[len(audio.WAVHeader(f, 0)):]
	list := []byte("LIST\x0c\x00\x00\x00INFOISFT\x00\x00\x00\x00")
	for name, parts := range map[string][][]byte{
		"true":         {audio.WAVHeader(f, int64(len(pcm))), pcm, list},
		"a stale size": {audio.WAVHeader(f, 4410), pcm},
		"no size":      {audio.WAVHeader(f, 0), pcm, list},
		"two in a file": {audio.WAVHeader(f, int64(len(pcm)/2)), pcm[:len(pcm)/2], list, audio.WAVHeader(f, 0),
			pcm[len(pcm)/2:]},
	} {
		path := filepath.Join(t.TempDir(), "a.wav")
		write(t, path, bytes.Join(parts, nil))
		got := mustDecode(t, decoder(t, Limits{}), path)
		if got.format.SampleRate != 48000 || got.format.Channels != 2 || math.Abs(got.seconds-1) > 0.001 ||
			got.info.Seconds != 1 || !got.info.Exact {
			t.Errorf("%s: %v, %g s, told %+v", name, got.format, got.seconds, got.info)
		}
		for c := range 2 {
			if share := got.share(c, toneOf(c)); share < 0.99 {
				t.Errorf("%s: channel %d has %.3f of its energy in its tone", name, c, share)
			}
		}
	}
}

// Lossless formats decode to the samples of the original, so they are transcribed alike.
func TestLosslessIsExact(t *testing.T) {
	from := speech(t)
	dir := encodeAll(t, []string{"-i", from}, []string{"a.flac"}, []string{"a.aiff"}, []string{"a.caf"},
		[]string{"a.w64"},
		[]string{"-c:a", "pcm_s16le", "a.mka"}, []string{"-c:a", "alac", "a.m4a"})
	usual := decoder(t, Limits{}).sandbox
	for name, d := range decoders(t, Limits{}) {
		want := mustDecode(t, d, from)
		files := []string{"a.flac"}
		if name == usual { // the formats do not depend on the sandbox
			files = append(files, "a.aiff", "a.caf", "a.w64", "a.mka", "a.m4a")
		}
		for _, file := range files {
			got := mustDecode(t, d, filepath.Join(dir, file))
			if got.format != want.format || !bytes.Equal(got.data, want.data) {
				t.Errorf("%s, %s: %v with %d bytes, want %v with %d", name, file, got.format, len(got.data),
					want.format, len(want.data))
			}
		}
	}
}

// speech is a short real recording of Debian's, mono at 16 kHz.
func speech(t *testing.T) string {
	t.Helper()
	const path = "/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-0870.wav"
	if _, err := os.Stat(path); err != nil {
		t.Skip("no recording: install pocketsphinx-testdata")
	}
	return path
}

// Of speech in lossy formats the loudness over time is that of the original.
func TestLossySpeech(t *testing.T) {
	from := speech(t)
	d := decoder(t, Limits{})
	want := envelope(mustDecode(t, d, from))
	files := [][]string{{"a.mp3"}, {"a.opus"}, {"-c:a", "adpcm_ms", "b.wav"}}
	dir := encodeAll(t, []string{"-i", from}, files...)
	for _, file := range files {
		name := file[len(file)-1]
		got := envelope(mustDecode(t, d, filepath.Join(dir, name)))
		n := min(len(got), len(want))
		if math.Abs(float64(len(got)-len(want))) > 1 {
			t.Errorf("%s: %d blocks of 100 ms, want %d", name, len(got), len(want))
		}
		if r := correlation(got[:n], want[:n]); r < 0.95 {
			t.Errorf("%s: loudness correlates by %.3f", name, r)
		}
	}
}

// envelope is the level in dB of each 100 ms.
func envelope(d decoded) (level []float64) {
	n := d.format.SampleRate / 10
	for at := 0; at+n <= len(d.data)/d.format.FrameBytes(); at += n {
		sum := 1e-8
		for i := range n {
			v := d.sample(at+i, 0)
			sum += v * v / float64(n)
		}
		level = append(level, 10*math.Log10(sum))
	}
	return level
}

func correlation(a, b []float64) float64 {
	var ma, mb, ab, aa, bb float64
	for i := range a {
		ma += a[i] / float64(len(a))
		mb += b[i] / float64(len(b))
	}
	for i := range a {
		ab += (a[i] - ma) * (b[i] - mb)
		aa += (a[i] - ma) * (a[i] - ma)
		bb += (b[i] - mb) * (b[i] - mb)
	}
	return ab / math.Sqrt(aa*bb)
}

// A film's sound is taken, whether its index comes first or last.
func TestVideoWithAudio(t *testing.T) {
	from := tones(t, cd, 2)
	cases := []struct {
		name, container string
		args            []string
	}{
		{"late.mp4", "mp4", []string{"-c:v", "mpeg4", "-c:a", "aac"}},
		{"early.mp4", "mp4", []string{"-c:v", "mpeg4", "-c:a", "aac", "-movflags", "+faststart"}},
		{"fragments.mp4", "mp4", []string{"-c:v", "mpeg4", "-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"}},
		{"some.mov", "mp4", []string{"-c:v", "mpeg4", "-c:a", "pcm_s16le"}},
		{"some.webm", "webm", []string{"-c:v", "libvpx", "-c:a", "libvorbis"}},
		{"some.mkv", "matroska", []string{"-c:v", "mpeg4", "-c:a", "flac"}},
	}
	var files [][]string
	for _, c := range cases {
		files = append(files, append(slices.Clone(c.args), c.name))
	}
	dir := encodeAll(t, []string{"-f", "lavfi", "-i", "testsrc=size=160x120:rate=10:duration=2", "-i", from}, files...)
	usual := decoder(t, Limits{}).sandbox
	for i, c := range cases {
		for name, d := range decoders(t, Limits{}) {
			if i > 0 && name != usual {
				continue // of the sandbox only seeking could depend, for which the first case is
			}
			t.Run(c.name+"/"+string(name), func(t *testing.T) {
				got := mustDecode(t, d, filepath.Join(dir, c.name))
				checkTones(t, got, 2)
				if got.info.Container != c.container {
					t.Errorf("container %q", got.info.Container)
				}
			})
		}
	}
}

// AMR comes from telephones; nothing here writes it, so the frames are made: 20 ms each, of any
// content.
func TestAMR(t *testing.T) {
	narrow := []byte("#!AMR\n")
	for i := range 100 {
		narrow = append(narrow, 7<<3|4) // 12.2 kbit/s, 244 bits
		for j := range 31 {
			narrow = append(narrow, byte(i*37+j*11))
		}
	}
	wide := []byte("#!AMR-WB\n")
	for i := range 100 {
		wide = append(wide, 2<<3|4) // 12.65 kbit/s, 253 bits
		for j := range 32 {
			wide = append(wide, byte(i*53+j*7))
		}
	}
	usual := decoder(t, Limits{}).sandbox
	for rate, data := range map[int][]byte{8000: narrow, 16000: wide} {
		path := filepath.Join(t.TempDir(), "call.amr")
		write(t, path, data)
		for name, d := range decoders(t, Limits{}) {
			if rate == 16000 && name != usual {
				continue // the formats do not depend on the sandbox
			}
			got := mustDecode(t, d, path)
			if got.format.SampleRate != rate || got.format.Channels != 1 || math.Abs(got.seconds-2) > 0.05 ||
				got.info.Container != "amr" {
				t.Errorf("%s: %v, %g s, %+v", name, got.format, got.seconds, got.info)
			}
		}
	}
}

// A hole in a recording is filled with silence, so that what follows is at its time. What goes back
// in time, or ahead by little or by days, follows upon what was before.
func TestHolesAreSilence(t *testing.T) {
	from := tones(t, audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 48000, Channels: 1}, 4)
	d := decoder(t, Limits{})
	whole := mustDecode(t, d, from).data
	const hole, rounding = 5 * 96000, 96 // bytes; Matroska has times in milliseconds
	jumps := map[string]string{"hole": "5", "jitter": "0.1", "days": "200000"}
	var files [][]string
	for name, jump := range jumps {
		files = append(files, []string{"-af", "asetpts=PTS+if(gte(T\\,2)\\," + jump + "/TB\\,0)", "-c:a", "pcm_s16le",
			name + ".mka"})
	}
	dir := encodeAll(t, []string{"-i", from}, files...)
	for name := range jumps {
		got := mustDecode(t, d, filepath.Join(dir, name+".mka")).data
		if name == "hole" {
			more, at := len(got)-len(whole), 0
			if more < hole-rounding || more > hole+rounding {
				t.Fatalf("%d bytes of a recording of %d with a hole of %d", len(got), len(whole), hole)
			}
			for at < len(whole) && got[at] == whole[at] {
				at++
			}
			if bytes.ContainsFunc(got[at:at+more], func(r rune) bool { return r != 0 }) {
				t.Error("the hole is not silent")
			}
			got = append(got[:at:at], got[at+more:]...)
		}
		if !bytes.Equal(got, whole) {
			t.Errorf("%s: other samples, %d bytes of %d", name, len(got), len(whole))
		}
	}
}
