package audio

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// murmur is seconds of sound at 16 kHz with the rhythm of speech: noise of a voice's frequencies in
// syllables, between pauses.
func murmur(seed uint64, seconds, level float64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	b := newBand(Rate)
	out := make([]float64, int(seconds*Rate))
	var loud float64
	for i := range out {
		if i%(Rate/5) == 0 {
			loud = level * float64(r.IntN(3)) / 2
		}
		out[i] = 3 * loud * r.NormFloat64()
	}
	b.run(out)
	return out
}

// noisy is sound with independent noise.
func noisy(sound []float64, seed uint64, level float64) []float64 {
	r := rand.New(rand.NewPCG(seed, 2))
	out := make([]float64, len(sound))
	for i, v := range sound {
		out[i] = v + level*r.NormFloat64()
	}
	return out
}

func scaled(sound []float64, by float64) []float64 {
	out := make([]float64, len(sound))
	for i, v := range sound {
		out[i] = v * by
	}
	return out
}

// later is sound that begins so many seconds later, and ends earlier.
func later(sound []float64, seconds float64) []float64 {
	n := int(seconds * Rate)
	return slices.Concat(make([]float64, n), sound[:len(sound)-n])
}

// with is sound with something more from a time on.
func with(sound, more []float64, at float64) []float64 {
	out := slices.Clone(sound)
	for i, v := range more {
		out[int(at*Rate)+i] += v
	}
	return out
}

// pcm interleaves channels of equal length.
func pcm(channels ...[]float64) (out []byte) {
	for i := range channels[0] {
		for _, c := range channels {
			out = binary.LittleEndian.AppendUint16(out, uint16(toInt16(c[i])))
		}
	}
	return out
}

func TestDistinctChannels(t *testing.T) {
	a, b := murmur(1, 5, 2000), murmur(2, 5, 2000)
	none := make([]float64, len(a))
	yes := murmur(3, 0.35, 500)
	for i := range yes {
		yes[i] += 200 * math.Sin(float64(i)/10)
	}
	for name, test := range map[string]struct {
		channels [][]float64
		want     []int
	}{
		"one":                     {[][]float64{a}, []int{0}},
		"the same":                {[][]float64{a, a}, []int{0}},
		"two":                     {[][]float64{a, b}, []int{0, 1}},
		"two of three, first":     {[][]float64{a, a, b}, []int{0, 2}},
		"two of three, last":      {[][]float64{b, a, a}, []int{0, 1}},
		"two of three, apart":     {[][]float64{a, b, a}, []int{0, 1}},
		"eight":                   {[][]float64{a, a, b, a, b, b, none, a}, []int{0, 2}},
		"a little noise":          {[][]float64{a, noisy(a, 4, 3)}, []int{0}},
		"much noise":              {[][]float64{a, noisy(a, 4, 900)}, []int{0, 1}},
		"another level":           {[][]float64{a, scaled(a, 0.8)}, []int{0}},
		"far another level":       {[][]float64{a, scaled(a, 0.05)}, []int{0}},
		"turned over":             {[][]float64{a, scaled(a, -0.4)}, []int{0}},
		"later":                   {[][]float64{a, later(scaled(a, 0.5), 0.037)}, []int{0}},
		"earlier":                 {[][]float64{later(a, 0.33), scaled(a, -0.3)}, []int{0}},
		"a word more than a copy": {[][]float64{a, with(later(scaled(a, -0.5), 0.1), yes, 4.2)}, []int{0, 1}},
		"two, each in both":       {[][]float64{with(a, scaled(b, 0.5), 0), with(b, scaled(a, -0.5), 0)}, []int{0, 1}},
		"heard in the other":      {[][]float64{with(a, scaled(b, 0.3), 0), with(b, scaled(a, 0.3), 0)}, []int{0, 1}},
		"silence and a voice":     {[][]float64{none, a}, []int{1}},
		"a voice and silence":     {[][]float64{a, none}, []int{0}},
		"a voice and hiss":        {[][]float64{a, noisy(none, 5, 30)}, []int{0, 1}},
		"silence":                 {[][]float64{none, none, none}, []int{0}},
		"one word more":           {[][]float64{a, with(a, yes, 4.2)}, []int{0, 1}},
		"one word, and silence":   {[][]float64{a, with(none, yes, 4.6)}, []int{0, 1}},
		"the same, quietly":       {[][]float64{scaled(a, 0.02), scaled(a, 0.02)}, []int{0}},
		"two, quietly":            {[][]float64{scaled(a, 0.02), scaled(b, 0.02)}, []int{0, 1}},
		"much the same, then not": {[][]float64{a, slices.Concat(a[:len(a)-Rate], b[:Rate])}, []int{0, 1}},
		"a constant in one":       {[][]float64{a, with(a, slices.Repeat([]float64{300}, len(a)), 0)}, []int{0}},
	} {
		f := Format{Encoding: PCM, BitDepth: 16, SampleRate: Rate, Channels: len(test.channels)}
		sound := pcm(test.channels...)
		for cut, from := range map[string]io.Reader{"whole": bytes.NewReader(sound),
			"in bits": iotest.HalfReader(bytes.NewReader(sound))} {
			if got, err := DistinctChannels(from, f); err != nil || !slices.Equal(got, test.want) {
				t.Errorf("%s, %s: %v, %v, want %v", name, cut, got, err, test.want)
			}
		}
	}
}

// Of channels that differ no more is read than it takes to know.
func TestDistinctChannelsEarly(t *testing.T) {
	f := Format{Encoding: PCM, BitDepth: 16, SampleRate: Rate, Channels: 2}
	from := bytes.NewReader(pcm(murmur(1, 240, 2000), murmur(2, 240, 2000)))
	all := from.Len()
	if got, err := DistinctChannels(from, f); err != nil || len(got) != 2 || from.Len() < all*9/10 {
		t.Errorf("%v, %v: read %d bytes of %d", got, err, all-from.Len(), all)
	}
	if _, err := DistinctChannels(iotest.ErrReader(io.ErrNoProgress), f); err == nil {
		t.Error("no error of the reader")
	}
	if _, err := DistinctChannels(from, Format{}); err == nil {
		t.Error("no error of the format")
	}
}

func TestPick(t *testing.T) {
	for _, width := range []int{1, 2, 3, 4} {
		f := Format{Encoding: PCM, BitDepth: 8 * width, SampleRate: Rate, Channels: 3}
		var sound, want []byte
		for i := range 3 * 10_000 {
			for k := range width {
				sound = append(sound, byte(i*7+k))
				if i%3 != 1 {
					want = append(want, byte(i*7+k))
				}
			}
		}
		for cut, from := range map[string]io.Reader{
			"whole": bytes.NewReader(sound), "bytes": iotest.OneByteReader(bytes.NewReader(sound)),
			"early end": iotest.DataErrReader(bytes.NewReader(append(slices.Clone(sound), 1))),
		} {
			r, picked := Pick(from, f, []int{0, 2})
			got, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(got, want) || picked.Channels != 2 {
				t.Errorf("%d bytes wide, %s: %d bytes of %d, %v, %v", width, cut, len(got), len(want), picked, err)
			}
		}
		if r, _ := Pick(iotest.ErrReader(io.ErrNoProgress), f, []int{1}); iotest.TestReader(r, nil) == nil {
			t.Error("no error of the reader")
		}
	}
}

// What codecs make of a recording in two equal channels is one, and two voices stay two.
func TestDistinctChannelsOfCodecs(t *testing.T) {
	one, two := recordingPath(t, "mfa/acoustic_corpus.wav"), recordingPath(t, "google/two_channel_16k.wav")
	codecs := map[string][]string{
		"js.mp3": {"-ar", "44100", "-b:a", "128k"}, "low.mp3": {"-ar", "22050", "-b:a", "32k"},
		"lr.mp3": {"-ar", "44100", "-joint_stereo", "0", "-b:a", "64k"},
		"a.ogg":  {"-c:a", "libvorbis", "-q:a", "1"}, "low.opus": {"-b:a", "24k", "-application", "voip"},
		"low.m4a": {"-ar", "44100", "-b:a", "48k"}, "a.ac3": {"-ar", "44100", "-b:a", "128k"},
	}
	files := map[string][]string{}
	for name, codec := range codecs {
		files["equal "+name] = append([]string{"-map", "0:a", "-af", "pan=stereo|c0=c0|c1=c0"}, codec...)
		files["two "+name] = append([]string{"-map", "1:a"}, codec...)
	}
	got := throughCodecs(t, []string{"-t", "10", "-i", one, "-t", "10", "-i", two}, files)
	for name := range codecs {
		if got := got["equal "+name]; !slices.Equal(got, []int{0}) {
			t.Errorf("equal channels in %s: %v", name, got)
		}
		if got := got["two "+name]; !slices.Equal(got, []int{0, 1}) {
			t.Errorf("two voices in %s: %v", name, got)
		}
	}
}

// A channel that has another codec, lag, level and polarity than the other holds the same; two
// people who are heard in both channels are two.
func TestDistinctChannelsOfTwoWays(t *testing.T) {
	one, two := recordingPath(t, "mfa/acoustic_corpus.wav"), recordingPath(t, "google/two_channel_16k.wav")
	in := []string{"-i", one, "-i", two}
	mixed := []string{"pan=mono|c0=c0", "pan=mono|c0=c0+c1"} // what of each is in both channels
	coded := map[string][]string{}
	for name, codec := range map[string][]string{
		"a.gsm": {"-c:a", "libgsm"}, "a.spx": {"-c:a", "libspeex", "-b:a", "8k"}, "a.wav": {"-c:a", "adpcm_g726",
			"-b:a", "16k"},
	} {
		for i, mix := range mixed {
			coded[fmt.Sprint(i, name)] = append([]string{"-map", fmt.Sprint(i, ":a"), "-af", mix, "-ar", "8000"},
				codec...)
		}
	}
	dir := encodeAll(t, in, coded)

	const mono = "aformat=sample_rates=16000:channel_layouts=mono"
	var filters []string
	files, want := map[string][]string{}, map[string][]int{}
	for name := range coded {
		n, from := len(filters), name[:1] // the number of the recording
		file := fmt.Sprint(name, " joined.wav")
		filters = append(filters, fmt.Sprintf("[%s]%s,%s[a%d];[%d]volume=-0.4,adelay=123,%s[b%d];[a%d][b%d]amerge[o%d]",
			from, mixed[name[0]-'0'], mono, n, n+2, mono, n, n, n, n))
		in = append(in, "-i", filepath.Join(dir, name))
		files[file], want[file] = []string{"-map", fmt.Sprintf("[o%d]", n)}, []int{0}
	}
	for _, loud := range []string{"0.6", "0.5", "0.2", "0.05"} {
		file := loud + " of the other.wav"
		files[file] = []string{"-map", "1:a", "-af", "pan=stereo|c0=c0+" + loud + "*c1|c1=c1+" + loud + "*c0"}
		want[file] = []int{0, 1}
	}
	got := throughCodecs(t, append(in, "-filter_complex", strings.Join(filters, ";")), files)
	for file, want := range want {
		if !slices.Equal(got[file], want) {
			t.Errorf("%s: %v, want %v", file, got[file], want)
		}
	}
}

// recordingPath returns the path of a recording of the corpus. It skips the test where that or
// ffmpeg is missing.
func recordingPath(t *testing.T, name string) string {
	t.Helper()
	corpus, set := os.LookupEnv("STENO_TEST_AUDIO")
	if _, err := exec.LookPath("ffmpeg"); err != nil || !set {
		t.Skip("no ffmpeg, or no recordings")
	}
	return filepath.Join(corpus, name)
}

// encodeAll has one start of ffmpeg, which takes longer than most of these recordings do, write all
// files into a folder. Of each there are the arguments before its name; in are those of what it
// reads.
func encodeAll(t *testing.T, in []string, files map[string][]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	args := append([]string{"-v", "error", "-nostdin"}, in...)
	for name, out := range files {
		args = append(append(args, out...), filepath.Join(dir, name))
	}
	if out, err := exec.Command("ffmpeg", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// throughCodecs encodes what ffmpeg reads to several files, and returns for each the channels of
// what ffmpeg decodes that differ.
func throughCodecs(t *testing.T, in []string, files map[string][]string) map[string][]int {
	t.Helper()
	dir := encodeAll(t, in, files)
	var coded []string
	raw := map[string][]string{}
	for name := range files {
		raw[name+".raw"] = []string{"-map", fmt.Sprint(len(raw), ":a"), "-f", "s16le", "-ar", "48000", "-ac", "2"}
		coded = append(coded, "-i", filepath.Join(dir, name))
	}
	dir = encodeAll(t, coded, raw)
	got := map[string][]int{}
	for name := range files {
		decoded, err := os.Open(filepath.Join(dir, name+".raw"))
		if err != nil {
			t.Fatal(err)
		}
		got[name], err = DistinctChannels(bufio.NewReader(decoded), Format{Encoding: PCM, BitDepth: 16,
			SampleRate: 48000, Channels: 2})
		if err := errors.Join(err, decoded.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return got
}

func BenchmarkDistinctChannels(b *testing.B) {
	sound := pcm(slices.Repeat([][]float64{murmur(1, 10, 2000)}, 2)...)
	f := Format{Encoding: PCM, BitDepth: 16, SampleRate: 48000, Channels: 2}
	b.SetBytes(int64(len(sound)))
	for b.Loop() {
		if _, err := DistinctChannels(bytes.NewReader(sound), f); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(f.Seconds(int64(len(sound)))*float64(b.N)/b.Elapsed().Seconds(), "times-real-time")
}
