//go:build linux

package media

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"steno/audio"
)

// A truncated recording is decoded as far as it reaches, or refused as damaged. It is never an
// internal error, nor longer than the whole recording.
func TestTruncated(t *testing.T) {
	cases := []struct {
		name   string
		args   []string
		halves bool // half of the file is about half of the recording
	}{
		{"a.mp3", nil, true},
		{"a.flac", nil, true},
		{"a.ogg", []string{"-c:a", "libopus", "-page_duration", "100000"}, true},
		{"late.m4a", nil, false},
		{"early.m4a", []string{"-movflags", "+faststart"}, true},
		{"a.webm", []string{"-c:a", "libopus"}, true},
		{"a.aac", nil, true},
		{"adpcm.wav", []string{"-c:a", "adpcm_ms"}, true},
		{"pcm.wav", nil, true},
	}
	var files [][]string
	for _, c := range cases {
		files = append(files, append(slices.Clone(c.args), c.name))
	}
	dir := encodeAll(t, []string{"-i", tones(t, cd, 2)}, files...)
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			whole, err := os.ReadFile(filepath.Join(dir, c.name))
			if err != nil {
				t.Fatal(err)
			}
			d := decoder(t, Limits{})
			path := filepath.Join(t.TempDir(), c.name)
			lengths := []int{len(whole) / 2, []int{44 + 100*i, len(whole) - 1}[i%2]}
			if i == 0 {
				lengths = append(lengths, 12)
			}
			for _, n := range lengths {
				write(t, path, whole[:n])
				got, err := decode(d, path)
				if k := reason(err); k != noError && k != Damaged && k != Unsupported {
					t.Errorf("%d of %d bytes: %v", n, len(whole), err)
				}
				if got.seconds > 2.1 {
					t.Errorf("%d of %d bytes give %g s of 2", n, len(whole), got.seconds)
				}
				if half := n == len(whole)/2; half && c.halves && (err != nil || got.seconds < 0.5 || got.seconds >
					1.7) {
					t.Errorf("half of the file gives %g s of 2, %v", got.seconds, err)
				} else if half && !c.halves && reason(err) != Damaged {
					t.Errorf("half of a file without its index: %v", err)
				}
			}
		})
	}
	settled(t)
}

// Sizes in a header change nothing: neither how much is read nor how much memory is taken.
func TestHeaderLies(t *testing.T) {
	f := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000, Channels: 1}
	from := tones(t, f, 1)
	honest, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	dir := encodeAll(t, []string{"-i", from}, []string{"-c:a", "adpcm_ms", "a.wav"},
		[]string{"-movflags", "+faststart", "a.m4a"})
	adpcm, err := os.ReadFile(filepath.Join(dir, "a.wav"))
	if err != nil {
		t.Fatal(err)
	}
	m4a, err := os.ReadFile(filepath.Join(dir, "a.m4a"))
	if err != nil {
		t.Fatal(err)
	}
	data := bytes.Index(adpcm, []byte("data"))
	stsz := bytes.Index(m4a, []byte("stsz"))
	d := decoder(t, Limits{Seconds: 60})
	for _, c := range []struct {
		name string
		file []byte
		at   int // where 32 bit become claim
		want []Reason
	}{
		{"PCM data", honest, 40, []Reason{noError}},
		{"RIFF", honest, 4, []Reason{noError}},
		{"fmt", honest, 16, []Reason{Damaged}},
		{"ADPCM data", adpcm, data + 4, []Reason{noError}},
		{"ADPCM fmt", adpcm, 16, []Reason{Damaged}},
		{"mp4 box", m4a, 0, []Reason{Damaged, Unsupported}},
		{"mp4 sample count", m4a, stsz + 12, []Reason{noError, Damaged}},
	} {
		for _, claim := range []uint32{0xFFFFFFFF, 0x7FFFFFFF} {
			if claim == 0x7FFFFFFF && slices.Equal(c.want, []Reason{Damaged}) {
				continue // the other one is as impossible
			}
			file := slices.Clone(c.file)
			binary.LittleEndian.PutUint32(file[c.at:], claim)
			path := filepath.Join(t.TempDir(), "lie")
			write(t, path, file)
			got, err := decode(d, path)
			if !slices.Contains(c.want, reason(err)) {
				t.Errorf("%s of %#x: %v, want %v", c.name, claim, err, c.want)
			}
			if err == nil && (got.seconds < 0.9 || got.seconds > 1.1) {
				t.Errorf("%s of %#x: %g s, want 1", c.name, claim, got.seconds)
			}
		}
	}
}

// Files that name other files or addresses are refused without a look at those.
func TestPlaylistsAreNotFollowed(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	visits := make(chan struct{}, 100)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			visits <- struct{}{}
			conn.Close()
		}
	}()
	f := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000, Channels: 1}
	secret := tones(t, f, 1)
	for _, target := range []string{"http://" + listener.Addr().String() + "/a.ts", "file:" + secret} {
		for kind, text := range map[string]string{
			"hls":    "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n" + target + "\n#EXT-X-ENDLIST\n",
			"concat": "ffconcat version 1.0\nfile '" + target + "'\n",
			"dash": `<?xml version="1.0"?><MPD type="static" mediaPresentationDuration="PT1S"><Period><AdaptationSet mimeType="audio/mp4">` +
				`<Representation id="a"><BaseURL>` + target +
				`</BaseURL></Representation></AdaptationSet></Period></MPD>`,
			"sdp": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=-\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n",
			"url": target,
		} {
			for _, name := range []string{"list.wav", "list.m3u8"} {
				if kind != "hls" && name != "list.wav" {
					continue
				}
				path := filepath.Join(t.TempDir(), name)
				write(t, path, []byte(text))
				for box, d := range decoders(t, Limits{}) {
					if box != NoSandbox && (kind != "hls" || name != "list.wav") {
						continue // what a sandbox could not reach in any case
					}
					if _, err := decode(d, path); reason(err) != Unsupported {
						t.Errorf("%s: %s of %s named %s: %v", box, kind, target, name, err)
					}
				}
			}
		}
	}
	listener.Close()
	<-done
	if len(visits) > 0 {
		t.Errorf("%d connections to the address in a playlist", len(visits))
	}
}

// What is no recording is refused as such, whatever lies inside.
func TestNotARecording(t *testing.T) {
	f := audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 44100, Channels: 1}
	from := tones(t, f, 2)
	dir := encodeAll(t, []string{"-i", from, "-f", "lavfi", "-i", "testsrc=size=64x64:duration=1"},
		[]string{"-vn", "a.mp3"}, []string{"-map", "1:v", "-c:v", "mpeg2video", "mute.ts"}, []string{"-frames:v", "1",
			"a.png"})
	mp3, err := os.ReadFile(filepath.Join(dir, "a.mp3"))
	if err != nil {
		t.Fatal(err)
	}
	png, err := os.ReadFile(filepath.Join(dir, "a.png"))
	if err != nil {
		t.Fatal(err)
	}
	stream, err := os.ReadFile(filepath.Join(dir, "mute.ts"))
	if err != nil {
		t.Fatal(err)
	}
	text := bytes.Repeat([]byte("once upon a time "), 5000)
	cases := map[string][]byte{
		"video without sound": stream, "frames in a text": slices.Concat(text[:3000], mp3[len(mp3)/2:][:900],
			text[:3000]),
		"empty": {}, "zero": {0}, "zeros": make([]byte, 1<<20),
		"tar": tarOf(t, mp3), "zip": zipOf(t, mp3), "zip bomb": zipOf(t, make([]byte, 1<<20)),
		"gzip bomb": gzipOf(t, make([]byte, 1<<20)), "png": png,
		"text": []byte(strings.Repeat("once upon a time ", 1000)), "html": []byte("<!doctype html><title>404</title>"),
		"pdf": []byte("%PDF-1.4\n%%EOF\n"), "subtitles": []byte("1\n00:00:00,000 --> 00:00:01,000\nhello\n"),
		"elf": append([]byte("\x7fELF"), make([]byte, 1000)...),
	}
	for seed := range uint64(2) {
		random := make([]byte, 50_000)
		for i, r := 0, rand.New(rand.NewPCG(seed, 1)); i < len(random); i++ {
			random[i] = byte(r.Uint32())
		}
		cases[fmt.Sprint("random ", seed)] = random
	}
	d := decoder(t, Limits{})
	for kind, content := range cases {
		path := filepath.Join(t.TempDir(), "some.mp3")
		write(t, path, content)
		if _, err := decode(d, path); reason(err) != Unsupported {
			t.Errorf("%s: %v", kind, err)
		}
		if !slices.Contains([]string{"zip", "text", "frames in a text"}, kind) {
			continue // Probe looks at a file as Open does, of which there is one for each way to refuse it
		}
		if _, err := d.Probe(context.Background(), path); reason(err) != Unsupported {
			t.Errorf("probe of %s: %v", kind, err)
		}
	}
}

func tarOf(t *testing.T, content []byte) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	err := errors.Join(w.WriteHeader(&tar.Header{Name: "a.mp3", Mode: 0o600, Size: int64(len(content))}))
	_, werr := w.Write(content)
	if err := errors.Join(err, werr, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipOf(t *testing.T, content []byte) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	file, err := w.Create("a.mp3")
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.Write(content)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipOf(t *testing.T, content []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(content)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestNoAudio(t *testing.T) {
	silentFilm := encode(t, "a.mp4", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=5:duration=1", "-c:v", "mpeg4")
	onlyHeader := filepath.Join(t.TempDir(), "header.wav")
	write(t, onlyHeader, audio.WAVHeader(audio.Format{Encoding: audio.PCM, BitDepth: 16, SampleRate: 16000,
		Channels: 1}, 0))
	many := encode(t, "many.wav", "-f", "lavfi", "-i", "anullsrc=r=16000:cl=16c", "-t", "1")
	for name, d := range decoders(t, Limits{}) {
		for path, want := range map[string]Reason{silentFilm: Unsupported, onlyHeader: Damaged, many: Damaged,
			t.TempDir(): Unsupported, "/dev/zero": Unsupported, "/nonexistent/file": Failed} {
			_, err := decode(d, path)
			if reason(err) != want {
				t.Errorf("%s: %s: %v, want %d", name, filepath.Base(path), err, want)
			}
			if path == many && !strings.Contains(fmt.Sprint(err), "16 channels") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := d.Measure(t.Context(), "/dev/null"); reason(err) != Unsupported {
			t.Errorf("%s: measuring a device: %v", name, err)
		}
	}
}

// A named pipe that nobody writes to would block whoever opens it.
func TestNamedPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.wav")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, d := range decoders(t, Limits{}) {
		if _, err := decode(d, path); reason(err) != Unsupported {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Names mean nothing, not even to ffmpeg.
func TestOddNames(t *testing.T) {
	content, err := os.ReadFile(encode(t, "a.flac", "-i", tones(t, cd, 1)))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	names := []string{"-i", "--help.flac", "http:x", "concat:a|b", "a b\n'c'\".mp3", "%d.png", "\xff\xfe", "pipe:0",
		"list.m3u8", "ü😀"}
	for _, name := range names {
		write(t, filepath.Join(dir, name), content)
	}
	if err := os.Symlink(names[0], filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for box, d := range decoders(t, Limits{}) {
		if got, err := decode(d, names[0]); err != nil || got.seconds != 1 {
			t.Errorf("%s: %q: %g s, %v", box, names[0], got.seconds, err)
		}
		want := arguments(t, d, names[0])
		for _, name := range append(names[1:], "link", filepath.Join(dir, "-i")) {
			if box != Bubblewrap { // which alone gets the name
				if got := arguments(t, d, name); !slices.Equal(got, want) {
					t.Errorf("%s: %q: started with %q, want %q", box, name, got, want)
				}
				continue
			}
			// ffmpeg gets the same arguments as ffprobe
			if info, err := d.Probe(t.Context(), name); err != nil || info.Seconds != 1 {
				t.Errorf("%s: %q: probe: %g s, %v", box, name, info.Seconds, err)
			}
		}
	}
}

// arguments returns the arguments with which a program is started that is to read a file.
func arguments(t *testing.T, d *Decoder, name string) []string {
	t.Helper()
	file, err := openRegular(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	_, argv, err := d.command(file, d.ffprobe, d.input("")...)
	if err != nil {
		t.Fatal(err)
	}
	return argv
}

// Hours of silence compress to a small file. A duration in the header beyond the limit is refused
// immediately; without one, decoding stops at the limit.
func TestTooLong(t *testing.T) {
	silence := []string{"-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "1200", "-compression_level", "0"}
	open := encode(t, "open.flac", silence...)
	content, err := os.ReadFile(open)
	if err != nil {
		t.Fatal(err)
	}
	content[21] &= 0xF0 // the number of samples, 36 bit of STREAMINFO: unknown
	clear(content[22:26])
	closed := filepath.Join(t.TempDir(), "closed.flac")
	write(t, closed, content)
	wav := tones(t, cd, 3)
	d := decoder(t, Limits{Seconds: 2})
	for _, path := range []string{open, wav} {
		if _, err := d.Probe(context.Background(), path); reason(err) != TooLong {
			t.Errorf("probe: %v", err)
		}
		if s, err := d.Open(context.Background(), path); reason(err) != TooLong {
			t.Errorf("open: %v %v", s, err)
		}
	}
	got, err := decode(d, closed)
	if reason(err) != TooLong || got.seconds != 2 {
		t.Errorf("%g s, %v", got.seconds, err)
	}
	if !strings.Contains(err.Error(), "longer than 2 s") {
		t.Errorf("%v", err)
	}
	settled(t)
}

// Where no header tells a duration, the bit rate of silence at the beginning makes a recording seem
// many times as long. It is refused only if it is too long.
func TestSilenceAtTheBeginningIsNotTooLong(t *testing.T) {
	sound := []string{"-f", "lavfi", "-i", "aevalsrc=if(lt(t\\,20)\\,0\\,random(0)-0.5):s=16000:d=40"}
	dir := encodeAll(t, sound, []string{"-q:a", "0", "a.aac"}, []string{"-write_xing", "0", "-q:a", "0", "a.mp3"})
	for _, name := range []string{"a.aac", "a.mp3"} {
		path := filepath.Join(dir, name)
		d := decoder(t, Limits{Seconds: 50})
		if _, err := d.Probe(context.Background(), path); err != nil {
			t.Errorf("%s: probe: %v", name, err)
		}
		got, err := decode(d, path)
		if err != nil || got.seconds < 39.9 || got.seconds > 40.2 {
			t.Errorf("%s: %g s of 40, %v", name, got.seconds, err)
		}
		if got, err = decode(decoder(t, Limits{Seconds: 30}), path); reason(err) != TooLong || got.seconds != 30 {
			t.Errorf("%s, beyond the limit: %g s, %v", name, got.seconds, err)
		}
	}
	settled(t)
}

// What ffprobe reports about a hostile file is itself untrusted.
func FuzzReport(f *testing.F) {
	f.Add([]byte(`{"streams":[{"codec_name":"mp3","sample_rate":"44100","channels":2,"bit_rate":"1","duration":"2.5"}],"format":{"format_name":"mp3","probe_score":51}}`))
	f.Add([]byte(`{"streams":[{"codec_name":"pcm_s16le","sample_rate":"1e9","channels":-2}],"format":{"format_name":"","duration":"NaN","probe_score":100}}`))
	file, err := os.Create(filepath.Join(f.TempDir(), "recording"))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { file.Close() })
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parseReport(data)
		if err != nil {
			return
		}
		all, err := r.sources(magic{}, file)
		if err != nil {
			if reason(err) >= noError {
				t.Errorf("an error without a reason: %v", err)
			}
			return
		}
		for _, src := range all {
			out := outputFormat(src)
			if out.Channels <= audio.MaxChannels && out.Validate() != nil || !(src.Seconds >= 0) ||
				!(src.lead >= 0 && src.lead <= longestLead) {
				t.Errorf("%+v gives %v", src, out)
			}
		}
	})
}

func FuzzSniff(f *testing.F) {
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("RIFF\x00\x00\x00\x00WAVE"))
	f.Add([]byte{0xFF, 0xFB, 0x90})
	path := filepath.Join(f.TempDir(), "recording")
	f.Fuzz(func(t *testing.T, data []byte) {
		write(t, path, data)
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if m, err := sniff(file); err == nil && m.refusal(io.EOF) == nil || err != nil && reason(err) != Unsupported {
			t.Errorf("%+v, %v", m, err)
		}
	})
}
