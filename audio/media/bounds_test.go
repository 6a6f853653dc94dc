//go:build linux

package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A Stream that is closed or cancelled half-way leaves nothing, and neither waits for the
// recording's end.
func TestEndedEarly(t *testing.T) {
	path := encode(t, "long.flac", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=20", "-ac", "2")
	usual := decoder(t, Limits{}).sandbox
	for name, d := range decoders(t, Limits{}) {
		for i := range 4 {
			if name != usual && i != 1 && i != 2 {
				continue
			}
			ctx, cancel := context.WithCancel(context.Background())
			s, err := d.Open(ctx, path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.CopyN(io.Discard, s, int64(i)<<16); err != nil {
				t.Fatal(err)
			}
			if i%2 == 1 {
				cancel()
				if _, err := io.Copy(io.Discard, s); !errors.Is(err, context.Canceled) {
					t.Errorf("%s: read after cancelling: %v", name, err)
				}
			}
			if err := s.Close(); err != nil {
				t.Errorf("%s: close: %v", name, err)
			}
			if s.Seconds() > 15 {
				t.Errorf("%s: read %g s", name, s.Seconds())
			}
			if n, err := s.Read(make([]byte, 8)); n != 0 || err == nil {
				t.Errorf("%s: read after Close: %d, %v", name, n, err)
			}
			if err := s.Close(); err != nil {
				t.Errorf("%s: second close: %v", name, err)
			}
			cancel()
			settled(t)
		}
	}
}

func TestCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	wav := tones(t, cd, 1)
	flac := encode(t, "a.flac", "-i", wav)
	for name, d := range decoders(t, Limits{}) {
		if _, err := d.Open(ctx, flac); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: open: %v", name, err)
		}
		s, err := d.Open(ctx, wav)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Read(make([]byte, 8)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: read: %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	settled(t)
}

// run has a shell within the limits stand for a decoder gone wild.
func run(d *Decoder, file *os.File, script string) (string, error) {
	out, _, err := d.output(context.Background(), file, "/usr/bin/bash", "-c", script)
	return string(out), err
}

// What reads a recording is nicer than this program by so much as is configured.
func TestPriority(t *testing.T) {
	nice := func(want int) string {
		return fmt.Sprintf("for i in {1..200}; do n=$(nice); [ $n = %d ] && break; sleep 0.02; done; echo $n", want)
	}
	own, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0) // 20 less the niceness
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range decoders(t, Limits{}) {
		if name == Landlock {
			continue // a shell there starts no programs
		}
		for _, d.nice = range []int{0, 10} {
			want := min(20-own+d.nice, 19)
			if got, err := run(d, nil, nice(want)); err != nil || strings.TrimSpace(got) != strconv.Itoa(want) {
				t.Errorf("%s: the niceness is %s, want %d, %v", name, got, want, err)
			}
		}
	}
}

func TestWallTime(t *testing.T) {
	for name, d := range decoders(t, Limits{Wall: 300 * time.Millisecond}) {
		from := time.Now()
		if _, err := run(d, nil, "sleep 600"); reason(err) != TooSlow {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(from); took > generous {
			t.Errorf("%s: took %v", name, took)
		}
		settled(t)
	}
}

// Only the time that Reads wait counts, and all of them together.
func TestWallTimeIsForReads(t *testing.T) {
	path := encode(t, "a.flac", "-f", "lavfi", "-i", "anoisesrc=r=48000:d=10")
	for name, d := range decoders(t, Limits{}) {
		s, err := d.Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		p := s.from.(*ffmpegReader)
		before := p.left
		if _, err := s.Read(make([]byte, 4096)); err != nil || p.left >= before {
			t.Errorf("%s: a Read left %v of %v, %v", name, p.left, before, err)
		}
		p.left = 0
		if _, err := io.Copy(io.Discard, s); reason(err) != TooSlow {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		settled(t)
	}
}

// A program ends when it has taken its processor time. Which sandbox it is in does not matter where
// it has the limit.
func TestProcessorTime(t *testing.T) {
	limits := Limits{CPU: time.Second}
	for name, d := range decoders(t, limits) {
		if got, err := run(d, nil, "ulimit -S -t; ulimit -H -t"); err != nil || got != "1\n1\n" {
			t.Errorf("%s: the limits are %q, %v", name, got, err)
		}
	}
	if _, err := run(decoder(t, limits), nil, "while :; do :; done"); reason(err) != TooSlow {
		t.Error(err)
	}
	settled(t)
}

func TestMemory(t *testing.T) {
	for name, d := range decoders(t, Limits{}) {
		const take = "/usr/bin/dd if=/dev/zero of=/dev/null count=1 bs="
		if _, err := run(d, nil, take+"200M"); err != nil {
			t.Errorf("%s: 200 MB within 1 GiB: %v", name, err)
		}
		if _, err := run(d, nil, take+"1G"); err == nil {
			t.Errorf("%s: a process took 1 GiB and more", name)
		}
		settled(t)
	}
}

// A program that talks without end is neither read to the end nor kept.
func TestOutputIsBounded(t *testing.T) {
	for name, d := range decoders(t, Limits{}) {
		if out, err := run(d, nil, "while echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; do :; done"); err == nil ||
			len(out) > 0 {
			t.Errorf("%s: %d bytes, %v", name, len(out), err)
		}
		_, err := run(d, nil, `for ((i = 0; i < 4000; i++)); do printf 'error\n\e[31m' >&2; done; exit 3`)
		if err == nil || len(err.Error()) > 8*maxStderr || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%s: a cause of %d bytes", name, len(fmt.Sprint(err)))
		}
		settled(t)
	}
}

// A decoder that an attacker has taken over can do nothing but compute and answer.
func TestNothingToReach(t *testing.T) {
	path := tones(t, cd, 1)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	t.Setenv("STENO_SECRET", "hunter2")
	secret, me := tones(t, cd, 1), strconv.Itoa(os.Getpid())
	for name, d := range decoders(t, Limits{}) {
		recording, grown := "/proc/self/fd/0", filepath.Join(t.TempDir(), "grown")
		if name == Bubblewrap {
			recording, grown = sandboxedInput, "/tmp/grown"
		}
		denied := map[string]string{
			"change the recording": "printf x >>" + recording,
			"grow a file":          "printf x >" + grown,
			"see the environment":  `[ -n "$STENO_SECRET" ]`,
			"dump core":            `[ "$(ulimit -c)" != 0 ]`,
		}
		if name != NoSandbox {
			denied["connect"] = "exec 3<>/dev/tcp/" + strings.Replace(listener.Addr().String(), ":", "/", 1)
			denied["read other files"] = "read -N 1 -u 3 3<" + secret + " || read -N 1 -u 3 3</etc/passwd"
			denied["see another process"] = "read -N 1 -u 3 3</proc/" + me + "/environ"
			denied["see itself"] = "read -N 1 -u 3 3</proc/self/maps"
			denied["end the gateway"] = "kill -0 " + me
		}
		if name == Landlock {
			denied["dump core"] = "ulimit -c 1" // to ask for it would take a process
			if out, err := run(d, nil, "/usr/bin/true; echo done"); err == nil || strings.Contains(out, "done") {
				t.Errorf("could start a process: %s", out)
			}
		}
		if name == Bubblewrap {
			denied["see the file system"] = "[ -e " + path +
				" ] || [ -e /etc/passwd ] || [ -e /home ] || [ -e /root ] || [ -e /proc/1 ]"
		}
		if name != NoSandbox {
			denied["empty the recording"] = "true >" + recording
			denied["make a file"] = "true >/file || true >/usr/file || true >" + path + ".new"
		}
		for what, script := range denied {
			out, err := run(d, file, "trap '' XFSZ; if "+script+"; then echo done; fi 2>/dev/null")
			if err != nil || strings.Contains(out, "done") {
				t.Errorf("%s: could %s: %s %v", name, what, out, err)
			}
		}
		if out, err := run(d, file, "read -N 4 x <"+recording+"; printf %s $x"); err != nil || out != "RIFF" {
			t.Errorf("%s: could not read the recording: %q %v", name, out, err)
		}
	}
}

// theSandbox names the sandbox that TestAnySandbox must find.
const theSandbox = "STENO_TEST_SANDBOX"

// Of the sandboxes one that works is taken, and decodes.
func TestAnySandbox(t *testing.T) {
	d, err := New(Config{Enters: true})
	if err != nil {
		t.Skip(err)
	}
	if want := os.Getenv(theSandbox); want != "" && d.Sandbox() != Sandbox(want) {
		t.Errorf("sandbox %s, want %s", d.Sandbox(), want)
	}
	if got := mustDecode(t, d, encode(t, "a.flac", "-i", tones(t, cd, 1))); got.seconds != 1 {
		t.Errorf("%v s", got.seconds)
	}
	settled(t)
}

// Where no namespaces can be made, as in most containers, Landlock is taken.
func TestWithoutNamespaces(t *testing.T) {
	within := []string{"--dev-bind", "/", "/", "--unshare-user", "--disable-userns", "--die-with-parent", "--"}
	if out, err := exec.Command("bwrap", append(within, "true")...).CombinedOutput(); err != nil {
		t.Skipf("%v %s", err, out)
	}
	if _, err := New(Config{Sandbox: Landlock, Enters: true}); err != nil {
		t.Skip(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bwrap", append(within, self, "-test.v", "-test.run=^TestAnySandbox$")...)
	cmd.Env = append(os.Environ(), theSandbox+"="+string(Landlock))
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS: TestAnySandbox") {
		t.Errorf("%v %s", err, out)
	}
}

func TestMissingPrograms(t *testing.T) {
	if _, err := New(Config{FFprobe: "/nonexistent/ffprobe"}); err == nil || !strings.Contains(err.Error(),
		`install the package "ffmpeg"`) {
		t.Error(err)
	}
	for c, want := range map[Config]string{
		{Sandbox: Bubblewrap, Bubblewrap: "/nonexistent/bwrap"}: "bubblewrap",
		{Sandbox: Bubblewrap, Bubblewrap: "/usr/bin/false"}:     "does not work",
		{Sandbox: Landlock}:            "not prepared",
		{Bubblewrap: "/usr/bin/false"}: "bubblewrap does not work here",
		{Sandbox: "chroot"}:            `"chroot"`,
	} {
		if _, err := New(c); !errors.Is(err, ErrNoSandbox) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", c, err, want)
		}
	}
	settled(t)
}
