package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"steno/audio/process"
)

const (
	maxStderr = 4 << 10
	maxReport = 64 << 10 // of ffprobe
	probeTime = time.Minute
)

// subprocess is a running program whose standard output is read.
type subprocess struct {
	cmd    *exec.Cmd
	stdout io.Reader
	stderr process.Head
	ctx    context.Context // ends with the process; its cause is the reason
	stop   context.CancelCauseFunc
}

// start runs program on a recording under the limits. The caller must end it by wait.
func (d *programs) start(ctx context.Context, file *os.File, program string, args ...string) (*subprocess, error) {
	if d.sandbox == Bubblewrap {
		return d.startReading(ctx, nil, file, program, args...)
	}
	return d.startReading(ctx, file, file, program, args...)
}

// startReading is start with a standard input; nil for none.
func (d *programs) startReading(ctx context.Context, stdin, file *os.File, program string,
	args ...string) (*subprocess, error) {
	p, err := d.startLive(ctx, stdin, file, program, args...)
	if err == nil && d.nice > 0 {
		process.Lower(p.cmd.Process, d.nice)
	}
	return p, err
}

// startLive is startReading for live audio, whose sender waits for what was said.
func (d *programs) startLive(ctx context.Context, stdin, file *os.File, program string,
	args ...string) (*subprocess, error) {
	path, argv, err := d.command(file, program, args...)
	if err != nil {
		return nil, err
	}
	p := &subprocess{stderr: process.Head{Max: maxStderr}}
	p.ctx, p.stop = context.WithCancelCause(ctx)
	p.cmd = process.Command(p.ctx, path)
	p.cmd.Args = argv
	p.cmd.Env = []string{}
	p.cmd.Dir = "/"
	if stdin != nil {
		p.cmd.Stdin = stdin
	}
	p.cmd.Stderr = &p.stderr
	p.cmd.Cancel = p.kill
	process.Lead(p.cmd)
	if p.stdout, err = p.cmd.StdoutPipe(); err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		p.stop(err)
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	return p, nil
}

// kill ends all processes. Bubblewrap's own child is the first process of the sandbox: when it
// dies, all inside die, and bubblewrap reaps it and exits. If bubblewrap were killed first, its
// child would be left to the process that adopts it.
func (p *subprocess) kill() error {
	pid := strconv.Itoa(p.cmd.Process.Pid)
	children, _ := os.ReadFile("/proc/" + pid + "/task/" + pid + "/children")
	killed := false
	for _, child := range bytes.Fields(children) {
		if n, err := strconv.Atoi(string(child)); err == nil && n > 1 {
			killed = syscall.Kill(n, syscall.SIGKILL) == nil || killed
		}
	}
	if killed {
		return nil
	}
	return process.Kill(p.cmd.Process)
}

// wait returns when the process and its children are gone; call it after reading to the end, or
// after stop.
func (p *subprocess) wait() error {
	err := p.cmd.Wait()
	cause := context.Cause(p.ctx)
	p.stop(nil)
	if cause != nil {
		return cause
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %s", err, p.complaint())
}

// starved returns the error of a process that ended because of a limit, nil for any other.
func (p *subprocess) starved(err error, cpu time.Duration) *Error {
	switch {
	case errors.Is(err, errSlow) || p.killed() && p.used() > cpu-time.Second:
		return &Error{TooSlow, "Decoding the recording took too long.", err}
	case bytes.Contains(p.stderr.Kept, []byte("Cannot allocate memory")):
		return &Error{Damaged, "The recording is damaged, or decoding it needs too much memory.", err}
	}
	return nil
}

// killed reports whether a signal ended the process, or the one that bubblewrap reports on.
func (p *subprocess) killed() bool {
	code := p.cmd.ProcessState.ExitCode()
	return code < 0 || code > 128
}

// used is the processor time of a process that was waited for, and of its children.
func (p *subprocess) used() time.Duration {
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// output runs a short-lived program and returns its output, at most maxReport bytes, and its
// complaints.
func (d *programs) output(ctx context.Context, file *os.File, program string, args ...string) (out, complaints []byte,
	err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, min(probeTime, d.limits.Wall), errSlow)
	defer cancel()
	p, err := d.start(ctx, file, program, args...)
	if err != nil {
		return nil, nil, &Error{Failed, "The recording could not be decoded.", err}
	}
	out, err = io.ReadAll(io.LimitReader(p.stdout, maxReport+1))
	if err != nil || len(out) > maxReport {
		p.stop(errors.New("report too long or unreadable"))
	}
	if err := p.wait(); err != nil {
		if starved := p.starved(err, d.limits.CPU); starved != nil {
			return nil, nil, starved
		}
		return nil, nil, err
	}
	return out, p.stderr.Kept, nil
}

// complaint returns what the program wrote to standard error, printable and on one line.
func (p *subprocess) complaint() string {
	return strconv.QuoteToASCII(string(bytes.TrimSpace(p.stderr.Kept)))
}
