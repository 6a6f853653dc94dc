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

// Limits bounds the resources for one recording. Zero means the default.
type Limits struct {
	Seconds     float64       // longest recording; 4 h 15 min
	CPU         time.Duration // processor time of decoding, whole seconds; 15 min
	Wall        time.Duration // total time that Read may wait for the decoder; 30 min
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

// Sandbox is a way to confine the programs that decode.
type Sandbox string

// The sandboxes.
const (
	AnySandbox Sandbox = "auto"       // the first of the two below that works
	Bubblewrap Sandbox = "bubblewrap" // needs user namespaces
	Landlock   Sandbox = "landlock"   // with a filter of system calls; needs Linux 5.13, works in containers
	NoSandbox  Sandbox = "off"        // the limits apply nevertheless
)

// ErrNoSandbox reports that the configured sandbox does not work on this machine.
var ErrNoSandbox = errors.New("no sandbox")

// Config names the programs and bounds what they may use. The zero value fits Debian.
type Config struct {
	FFmpeg, FFprobe, Prlimit, Bubblewrap string // paths; empty: found by PATH

	// Sandbox is the sandbox to use. Default: AnySandbox. New fails if it does not work; NoSandbox
	// always works.
	Sandbox Sandbox
	// Enters is set if this program's main calls confine.Enter before anything else, which Landlock
	// needs.
	Enters bool
	// Nice is by how much nicer than this program those are that read recordings, 0 to 19: with 10
	// they get a tenth of a processor that live audio needs as well.
	Nice   int
	Limits Limits
}

// Decoder opens recordings. It does not change once it was tried; its methods may be called from
// any goroutine.
type Decoder struct {
	programs
	track Track
	bare  string // format of a file that is not recognized, see As; empty: none

	tried chan struct{} // closed when the sandbox was tried
	fault error         // what the trial has found, then
}

// programs runs ffmpeg and ffprobe within the limits and the sandbox.
type programs struct {
	ffmpeg, ffprobe, prlimit string // paths
	bwrap                    string // for Bubblewrap
	sandbox                  Sandbox
	nice                     int
	limits                   Limits
}

// trialTime is how long a sandbox is tried, which takes about 50 ms, and many seconds on a machine
// that is overloaded.
const trialTime = time.Minute

// New is Begin and Wait: it returns a decoder that works.
func New(c Config) (*Decoder, error) {
	d, err := Begin(context.Background(), c)
	if err == nil {
		err = d.Wait(context.Background())
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Begin finds the programs and begins to try the sandbox, which ends with ctx. The error names the
// missing package. The caller must Wait before it uses the decoder, and to know that the trial has
// ended.
func Begin(ctx context.Context, c Config) (*Decoder, error) {
	d := &Decoder{programs: programs{limits: c.Limits.withDefaults(), nice: c.Nice},
		tried: make(chan struct{})}
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
	go func() {
		defer close(d.tried)
		switch err := d.choose(ctx, c); {
		case err != nil && ctx.Err() != nil:
			d.fault = fmt.Errorf("decode media: %w", ctx.Err())
		case err != nil:
			d.fault = fmt.Errorf("decode media: %w: %w", ErrNoSandbox, err)
		}
	}()
	return d, nil
}

// Wait waits until the sandbox was tried. Errors: ErrNoSandbox with the fault of each sandbox, or
// that of ctx or of Begin's.
func (d *Decoder) Wait(ctx context.Context) error {
	select {
	case <-d.tried:
		return d.fault
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Tried reports whether the sandbox was tried, so that Wait does not wait.
func (d *Decoder) Tried() bool {
	select {
	case <-d.tried:
		return true
	default:
		return false
	}
}

// Sandbox returns the sandbox in use: Bubblewrap, Landlock or NoSandbox.
func (d *Decoder) Sandbox() Sandbox { return d.sandbox }

// choose selects the first sandbox that works of those that are allowed. Its error joins those of
// all.
func (d *Decoder) choose(ctx context.Context, c Config) error {
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
		err := d.try(ctx, s, c)
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

// try selects a sandbox and returns an error if the programs do not start in it.
func (d *Decoder) try(ctx context.Context, s Sandbox, c Config) (err error) {
	switch {
	case s == Bubblewrap:
		if d.bwrap, err = find(c.Bubblewrap, "bwrap"); err != nil {
			return fmt.Errorf("bwrap is missing, install the package \"bubblewrap\": %w", err)
		}
	case !c.Enters:
		return errors.New("landlock is not prepared by this program")
	}
	d.sandbox = s
	ctx, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	_, _, err = d.output(ctx, nil, d.ffprobe, "-v", "error", "-version")
	if err == nil {
		_, _, err = d.output(ctx, nil, d.ffmpeg, "-v", "error", "-version")
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

// openRegular opens a regular file and nothing else: a named pipe would block, and reading a device
// may have effects.
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
