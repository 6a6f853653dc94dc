package media

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"steno/audio"
)

// Limits bounds what one recording may cost. Zero means the default.
type Limits struct {
	Seconds     float64       // longest recording; 4 h 15 min
	CPU         time.Duration // processor time of decoding, whole seconds; 15 min
	Wall        time.Duration // time that Reads may wait for the decoder in all, pauses between Reads not counted; 30 min
	MemoryBytes int64         // address space of the decoder, at least 512 MiB; 1 GiB
	Channels    int           // at most audio.MaxChannels, which is the default
}

func (l Limits) withDefaults() Limits {
	if l.Seconds <= 0 {
		l.Seconds = 4.25 * 3600
	}
	if l.CPU <= 0 {
		l.CPU = 15 * time.Minute
	}
	if l.Wall <= 0 {
		l.Wall = 30 * time.Minute
	}
	if l.MemoryBytes <= 0 {
		l.MemoryBytes = 1 << 30
	}
	l.MemoryBytes = max(l.MemoryBytes, 512<<20)
	if l.Channels <= 0 || l.Channels > audio.MaxChannels {
		l.Channels = audio.MaxChannels
	}
	return l
}

// Sandbox is what keeps a decoder from all but its work.
type Sandbox string

// The sandboxes there are.
const (
	AnySandbox Sandbox = "auto"       // the first of the two below that works
	Bubblewrap Sandbox = "bubblewrap" // needs namespaces for users
	Landlock   Sandbox = "landlock"   // and a filter of system calls: needs Linux 5.13, also in containers, and nothing else
	NoSandbox  Sandbox = "off"        // limits alone
)

// ErrNoSandbox says that the sandbox that is wanted does not work here.
var ErrNoSandbox = errors.New("no sandbox")

// Config says where the programs are and what they may use. The zero value is fine on Debian.
type Config struct {
	FFmpeg, FFprobe, Prlimit, Bubblewrap string // paths; empty: found by PATH

	// Sandbox is the one to be used. Default: AnySandbox. Only NoSandbox does without: New fails where none works.
	Sandbox Sandbox
	// Enters says that this program's main calls confine.Enter before anything else. Landlock is used only then.
	Enters bool
	Limits Limits
}

// Decoder opens recordings. It has no state that changes; all methods are for concurrent use.
type Decoder struct {
	ffmpeg, ffprobe, prlimit string
	bwrap                    string // for Bubblewrap
	sandbox                  Sandbox
	limits                   Limits
}

// New finds the programs and tries the sandbox once, which takes some 50 ms. The error names the missing package, or is
// ErrNoSandbox with what is wrong with each.
func New(c Config) (*Decoder, error) {
	d := &Decoder{limits: c.Limits.withDefaults()}
	for _, p := range []struct {
		to                   *string
		path, name, package_ string
	}{
		{&d.ffmpeg, c.FFmpeg, "ffmpeg", "ffmpeg"},
		{&d.ffprobe, c.FFprobe, "ffprobe", "ffmpeg"},
		{&d.prlimit, c.Prlimit, "prlimit", "util-linux"},
	} {
		path, err := find(p.path, p.name)
		if err != nil {
			return nil, fmt.Errorf("decode media: %s is missing, install the package %q: %w", p.name, p.package_, err)
		}
		*p.to = path
	}
	if err := d.choose(c); err != nil {
		return nil, fmt.Errorf("decode media: %w: %w", ErrNoSandbox, err)
	}
	return d, nil
}

// Sandbox is what is used: Bubblewrap, Landlock or NoSandbox.
func (d *Decoder) Sandbox() Sandbox { return d.sandbox }

// choose takes the first sandbox that works of those wanted. Its errors are those of all.
func (d *Decoder) choose(c Config) error {
	var wanted []Sandbox
	switch c.Sandbox {
	case NoSandbox:
		d.sandbox = NoSandbox
		return nil
	case Bubblewrap, Landlock:
		wanted = []Sandbox{c.Sandbox}
	case "", AnySandbox:
		wanted = []Sandbox{Landlock, Bubblewrap}
	default:
		return fmt.Errorf("there is no %q", c.Sandbox)
	}
	var faults error
	for i, s := range wanted {
		err := d.try(s, c)
		switch {
		case err == nil:
			return nil
		case i == 0:
			faults = err
		default:
			faults = fmt.Errorf("%w; %w", faults, err)
		}
	}
	return faults
}

// try uses a sandbox from now on and tells whether the programs start in it.
func (d *Decoder) try(s Sandbox, c Config) (err error) {
	switch {
	case s == Bubblewrap:
		if d.bwrap, err = find(c.Bubblewrap, "bwrap"); err != nil {
			return fmt.Errorf("bwrap is missing, install the package \"bubblewrap\": %w", err)
		}
	case !c.Enters:
		return errors.New("landlock is not prepared by this program")
	}
	d.sandbox = s
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err = d.output(ctx, nil, d.ffprobe, "-v", "error", "-version")
	if err == nil {
		_, err = d.output(ctx, nil, d.ffmpeg, "-v", "error", "-version")
	}
	if err != nil {
		return fmt.Errorf("%s does not work here: %w", s, err)
	}
	return nil
}

func find(path, name string) (string, error) {
	if path == "" {
		path = name
	}
	path, err := exec.LookPath(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(path)
}

// openRegular opens a regular file and nothing else; a named pipe would block, a device have effects.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, &Error{Unsupported, "This is not a file.", errors.New("not a regular file")}
	}
	if err != nil {
		return nil, &Error{Failed, "The recording could not be read.", err}
	}
	if info.Size() == 0 {
		return nil, &Error{Unsupported, "The file is empty.", nil}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, &Error{Failed, "The recording could not be read.", err}
	}
	return file, nil
}
