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

// Config says where the programs are and what they may use. The zero value is fine on Debian.
type Config struct {
	FFmpeg, FFprobe, Prlimit, Bubblewrap string // paths; empty: found by PATH

	// Sandbox insists on bubblewrap: New fails where it does not work. Otherwise it is used where it works.
	Sandbox bool
	Limits  Limits
}

// Decoder opens recordings. It has no state that changes; all methods are for concurrent use.
type Decoder struct {
	ffmpeg, ffprobe, prlimit string
	bwrap                    string // empty: not used
	unsandboxed              error  // why not
	limits                   Limits
}

// New finds the programs and tries the sandbox once, which takes some 50 ms. The error names the missing package.
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
	d.bwrap, d.unsandboxed = d.trySandbox(c.Bubblewrap)
	if c.Sandbox && d.unsandboxed != nil {
		return nil, fmt.Errorf("decode media: no sandbox: %w", d.unsandboxed)
	}
	return d, nil
}

// Sandboxed is nil where bubblewrap is used, else the reason why it is not.
func (d *Decoder) Sandboxed() error { return d.unsandboxed }

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

// trySandbox gives bubblewrap's path if ffmpeg starts in it.
func (d *Decoder) trySandbox(path string) (string, error) {
	path, err := find(path, "bwrap")
	if err != nil {
		return "", fmt.Errorf("bwrap is missing, install the package \"bubblewrap\": %w", err)
	}
	d.bwrap = path
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err = d.output(ctx, nil, d.ffprobe, "-v", "error", "-version")
	if err == nil {
		_, err = d.output(ctx, nil, d.ffmpeg, "-v", "error", "-version")
	}
	if err != nil {
		return "", fmt.Errorf("bwrap does not work here: %w", err)
	}
	return path, nil
}

// openRegular opens a regular file and nothing else; a named pipe would block, a device have effects.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, &Error{CodeUnsupported, "This is not a file.", errors.New("not a regular file")}
	}
	if err != nil {
		return nil, &Error{CodeFailed, "The recording could not be read.", err}
	}
	if info.Size() == 0 {
		return nil, &Error{CodeUnsupported, "The file is empty.", nil}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, &Error{CodeFailed, "The recording could not be read.", err}
	}
	return file, nil
}
