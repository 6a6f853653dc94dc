package translate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"steno/audio/process"
)

var (
	errSlow   = errors.New("apertium took too long")
	errClosed = errors.New("apertium is closed")
	errLong   = errors.New("apertium wrote too much")
)

// maxMemory bounds that of each of apertium's processes, in bytes; the largest dictionaries take a
// tenth.
const maxMemory = 2 << 30

// run runs apertium once and returns what it wrote, at most so many bytes. Errors hold nothing of
// it.
func (a *Apertium) run(ctx context.Context, input string, most int, args ...string) (string, error) {
	if err := a.begin(ctx); err != nil {
		return "", err
	}
	defer a.runs.Done()
	defer a.slots.Release("", 1)
	ctx, cancel := context.WithTimeoutCause(ctx, a.timeout, errSlow)
	defer cancel()
	defer context.AfterFunc(a.lifetime, cancel)()

	// Apertium makes a temporary file, which stays where it is killed.
	dir, err := os.MkdirTemp("", "apertium-")
	if err != nil {
		return "", fmt.Errorf("make directory: %w", err)
	}
	defer os.RemoveAll(dir)
	out := &written{left: most}
	err = a.command(ctx, dir, input, out, args).Run()
	switch {
	case a.lifetime.Err() != nil:
		return "", errClosed
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case out.left < 0:
		return "", errLong
	case err != nil:
		return "", fmt.Errorf("run apertium: %w", err)
	}
	return out.text.String(), nil
}

// begin takes a slot and a place among those that Close waits for.
func (a *Apertium) begin(ctx context.Context) error {
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(a.lifetime, cancel)()
	if a.slots.Acquire(waiting, "", 1) != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return errClosed
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		a.slots.Release("", 1)
		return errClosed
	}
	a.runs.Add(1)
	return nil
}

// command runs apertium, a shell script with a pipeline, under limits, in an environment of its
// own. When the context ends the whole process group is killed.
func (a *Apertium) command(ctx context.Context, dir, input string, out *written, args []string) *exec.Cmd {
	seconds := strconv.Itoa(int(a.timeout/time.Second) + 1)
	argv := append([]string{
		"--as=" + strconv.Itoa(maxMemory), "--cpu=" + seconds + ":" + seconds, "--fsize=0", "--core=0", "--nofile=64",
		"--memlock=0",
		"--msgqueue=0", "--", a.program,
	}, args...)
	cmd := process.Command(ctx, a.prlimit, argv...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=" + dir, "TMPDIR=" + dir}
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(input)
	cmd.Stdout = out
	return cmd
}

// written is what a program wrote, up to a size beyond which it is refused.
type written struct {
	text bytes.Buffer
	left int // bytes; negative: it was too much
}

func (w *written) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errLong
	}
	return w.text.Write(p)
}
