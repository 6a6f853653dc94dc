//go:build linux

package media

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"steno/audio"
	"steno/audio/process/confine"
)

// TestMain adopts the processes that decoders leave running, so that one which outlives its Stream
// is found.
func TestMain(m *testing.M) {
	confine.Enter()
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		fmt.Fprintln(os.Stderr, "become subreaper:", err)
		os.Exit(1)
	}
	code := m.Run()
	if left := children(); code == 0 && len(left) > 0 {
		fmt.Fprintln(os.Stderr, "processes left behind:", left)
		code = 1
	}
	if err := goleak.Find(); code == 0 && err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// children lists the running processes whose parent is this one, as "pid (name) state". A dead one
// is none: bubblewrap's child is adopted unreaped where bubblewrap is killed as it starts.
func children() (all []string) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, stat := range stats {
		b, err := os.ReadFile(stat)
		end := strings.LastIndexByte(string(b), ')')
		if err != nil || end < 0 {
			continue
		}
		fields := strings.Fields(string(b[end+1:]))
		if len(fields) > 1 && fields[0] != "Z" && fields[1] == strconv.Itoa(os.Getpid()) {
			all = append(all, string(b[:end+1])+" "+fields[0])
		}
	}
	return all
}

// sandboxes are a Decoder for each sandbox that works here, and one without, and why others do not.
// Tests share them: to try a sandbox starts both programs.
var sandboxes = sync.OnceValues(func() (map[Sandbox]*Decoder, error) {
	all := map[Sandbox]*Decoder{}
	var faults error
	for _, s := range []Sandbox{NoSandbox, Bubblewrap, Landlock} {
		d, err := New(Config{Sandbox: s, Enters: true})
		if err != nil {
			faults = errors.Join(faults, err)
			continue
		}
		all[s] = d
	}
	return all, faults
})

// decoders returns one Decoder for each sandbox that works here, and one without.
func decoders(t *testing.T, limits Limits) map[Sandbox]*Decoder {
	t.Helper()
	known, err := sandboxes()
	switch {
	case len(known) > 0 && err != nil:
		t.Logf("not tested: %v", err)
	case err != nil:
		if _, lacking := exec.LookPath("ffmpeg"); lacking != nil {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	all := map[Sandbox]*Decoder{}
	for s, d := range known {
		limited := *d
		limited.limits = limits.withDefaults()
		all[s] = &limited
	}
	return all
}

// decoder returns the Decoder that is used here, for what does not depend on the sandbox.
func decoder(t *testing.T, limits Limits) *Decoder {
	t.Helper()
	all := decoders(t, limits)
	for _, s := range []Sandbox{Bubblewrap, Landlock} {
		if d := all[s]; d != nil {
			return d
		}
	}
	return all[NoSandbox]
}

// tones makes a WAV file of so many seconds with one sine per channel, 300 Hz and 400 Hz more for
// each further one.
func tones(t *testing.T, f audio.Format, seconds float64) string {
	t.Helper()
	frames := int(seconds * float64(f.SampleRate))
	data := make([]byte, 0, frames*f.FrameBytes())
	for i := range frames {
		for c := range f.Channels {
			v := 0.3 * math.Sin(2*math.Pi*toneOf(c)*float64(i)/float64(f.SampleRate))
			data = appendSample(data, f, v)
		}
	}
	path := filepath.Join(t.TempDir(), "tones.wav")
	write(t, path, append(audio.WAVHeader(f, int64(len(data))), data...))
	return path
}

func toneOf(channel int) float64 { return 300 + 400*float64(channel) }

func appendSample(b []byte, f audio.Format, v float64) []byte {
	switch f.BitDepth {
	case 8:
		return append(b, byte(128+127*v))
	case 16:
		return binary.LittleEndian.AppendUint16(b, uint16(int16(32767*v)))
	case 24:
		n := uint32(int32(8388607 * v))
		return append(b, byte(n), byte(n>>8), byte(n>>16))
	}
	return binary.LittleEndian.AppendUint32(b, uint32(int32(2147483647*v)))
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// encode has ffmpeg write a file named name, from the arguments.
func encode(t *testing.T, name string, args ...string) string {
	t.Helper()
	return filepath.Join(encodeAll(t, args, []string{name}), name)
}

// encodeAll has ffmpeg write several files from the same inputs and returns their folder. Of each
// file there are its arguments, the last of which is its name. One start of ffmpeg takes longer
// than to encode what tests are about.
func encodeAll(t *testing.T, inputs []string, files ...[]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	args := append([]string{"-nostdin", "-v", "error", "-y"}, inputs...)
	for _, file := range files {
		last := len(file) - 1
		args = append(append(args, file[:last]...), filepath.Join(dir, file[last]))
	}
	if out, err := exec.Command("ffmpeg", args...).CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg %v: %v %s", args, err, out)
	}
	return dir
}

// decoded is a whole recording.
type decoded struct {
	format  audio.Format
	info    Info
	data    []byte
	seconds float64
}

func decode(d *Decoder, path string) (got decoded, err error) {
	s, err := d.Open(context.Background(), path)
	if err != nil {
		return got, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	got.format, got.info = s.Format(), s.Info()
	got.data, err = io.ReadAll(s)
	got.seconds = s.Seconds()
	return got, err
}

func mustDecode(t *testing.T, d *Decoder, path string) decoded {
	t.Helper()
	got, err := decode(d, path)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.data)%got.format.FrameBytes() != 0 {
		t.Errorf("%d bytes are no whole number of frames of %d", len(got.data), got.format.FrameBytes())
	}
	return got
}

// share is the part of a channel's energy that lies at hz, by Goertzel's algorithm, over the second
// half second.
func (d decoded) share(channel int, hz float64) float64 {
	n := d.format.SampleRate / 2
	w := 2 * math.Pi * hz / float64(d.format.SampleRate)
	var re, im, energy float64
	for i := range n {
		v := d.sample(n+i, channel)
		re += v * math.Cos(w*float64(i))
		im += v * math.Sin(w*float64(i))
		energy += v * v
	}
	if energy == 0 {
		return 0
	}
	return 2 * (re*re + im*im) / (float64(n) * energy)
}

func (d decoded) sample(frame, channel int) float64 {
	at := frame*d.format.FrameBytes() + channel*d.format.BitDepth/8
	if at+d.format.BitDepth/8 > len(d.data) {
		return 0
	}
	switch d.format.BitDepth {
	case 16:
		return float64(int16(binary.LittleEndian.Uint16(d.data[at:]))) / (1 << 15)
	case 32:
		return float64(int32(binary.LittleEndian.Uint32(d.data[at:]))) / (1 << 31)
	}
	return math.NaN()
}

// Reasons of tests, beside those of errors.
const (
	noError    Reason = 254
	otherError Reason = 255
)

// reason returns the Reason of an Error, noError for nil, otherError for any other error.
func reason(err error) Reason {
	if err == nil {
		return noError
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Reason
	}
	return otherError
}

// settled looks once: when Close has returned, or Open failed, no process is left, not even a dead
// one.
func settled(t *testing.T) {
	t.Helper()
	if left := children(); len(left) > 0 {
		t.Errorf("processes left behind: %v", left)
	}
}

const generous = 2 * time.Minute
